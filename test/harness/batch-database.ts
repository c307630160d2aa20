/** A D1Database in Node, with what src/db calls. Its subclasses say how a batch runs; a single statement is a batch of one. */
export abstract class BatchDatabase implements D1Database {
  /** Runs all statements in one transaction. */
  abstract batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]>;

  /** Returns the rows of a statement as arrays. */
  abstract rows(statement: BoundStatement): Promise<unknown[][]>;

  prepare(sql: string): D1PreparedStatement {
    return new BoundStatement(this, sql, []);
  }

  exec(): never {
    throw new Error("not supported: use prepare and batch");
  }

  /** There are no replicas. */
  withSession(): D1DatabaseSession {
    return this;
  }

  getBookmark(): null {
    return null;
  }

  dump(): never {
    throw new Error("not supported");
  }
}

type Value = string | number | null;

export class BoundStatement implements D1PreparedStatement {
  readonly #database: BatchDatabase;
  readonly sql: string;
  readonly values: readonly Value[];

  constructor(database: BatchDatabase, sql: string, values: readonly Value[]) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: Value[]): D1PreparedStatement {
    return new BoundStatement(this.#database, this.sql, values);
  }

  async run<T>(): Promise<D1Result<T>> {
    const [result] = await this.#database.batch<T>([this]);
    if (result === undefined) throw new Error("The database returned nothing.");
    return result;
  }

  all<T>(): Promise<D1Result<T>> {
    return this.run();
  }

  async first<T>(column?: string): Promise<T | null> {
    const [row] = (await this.run<Record<string, T>>()).results;
    if (row === undefined) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- like D1, trusts the caller with the type
    return column === undefined ? (row as T) : (row[column] ?? null);
  }

  async raw<T>(): Promise<[string[], ...T[]] & T[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- like D1, trusts the caller with the type
    return (await this.#database.rows(this)) as [string[], ...T[]] & T[];
  }
}

/** @throws TypeError for a statement of the real D1 */
export const boundStatements = (statements: readonly D1PreparedStatement[]): BoundStatement[] =>
  statements.map((statement) => {
    if (statement instanceof BoundStatement) return statement;
    throw new TypeError("The statement belongs to another database.");
  });
