/**
 * Implements D1Database in memory, with Node's own SQLite.
 *
 * An evaluation runs thousands of simulated days, each with a recompute of hundreds of statements. In one process that
 * takes minutes; through a local D1 it would take hours. The tests use the real D1. This class has only what src/db
 * calls, and does not count rows.
 */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);
const BREAKPOINT = "--> statement-breakpoint";
const META = { duration: 0, size_after: 0, rows_read: 0, rows_written: 0, last_row_id: 0, changed_db: false };

interface Prepared {
  statement: StatementSync;
  /** True if the statement returns rows. */
  returnsRows: boolean;
}

export class LocalDatabase implements D1Database {
  readonly #sqlite = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, Prepared>();

  /** Creates a database with all migrations applied. */
  static create(): LocalDatabase {
    const database = new LocalDatabase();
    const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
    for (const file of files.toSorted()) {
      const statements = readFileSync(new URL(file, MIGRATIONS), "utf8").split(BREAKPOINT);
      for (const sql of statements) database.#sqlite.exec(sql);
    }
    return database;
  }

  /** Copies the database. */
  copy(): LocalDatabase {
    const other = new LocalDatabase();
    other.#sqlite.deserialize(this.#sqlite.serialize());
    return other;
  }

  close(): void {
    this.#sqlite.close();
  }

  prepare(sql: string): D1PreparedStatement {
    return new LocalStatement(this, sql, []);
  }

  /** Runs all statements in one transaction. */
  async batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    this.#sqlite.exec("BEGIN");
    try {
      const results = statements.map((statement) => {
        if (statement instanceof LocalStatement) return this.execute<T>(statement);
        throw new TypeError("The statement belongs to another database.");
      });
      this.#sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  execute<T>({ sql, values }: LocalStatement): D1Result<T> {
    const { statement, returnsRows } = this.#prepare(sql);
    if (!returnsRows) {
      const changes = Number(statement.run(...values).changes);
      return { success: true, results: [], meta: { ...META, changes } };
    }
    const before = this.#totalChanges();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- like D1, trusts the caller with the type
    const results = statement.all(...values) as T[];
    return { success: true, results, meta: { ...META, changes: this.#totalChanges() - before } };
  }

  /** Returns rows as arrays, because column names may repeat. */
  arrays({ sql, values }: LocalStatement): unknown[][] {
    const { statement } = this.#prepare(sql);
    statement.setReturnArrays(true);
    try {
      return statement.all(...values).map((row) => Object.values(row));
    } finally {
      statement.setReturnArrays(false);
    }
  }

  exec(): never {
    throw new Error("not supported: use prepare and batch");
  }

  withSession(): never {
    throw new Error("not supported: there are no replicas");
  }

  dump(): never {
    throw new Error("not supported");
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#sqlite.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #totalChanges(): number {
    return Number(this.#prepare("SELECT total_changes() AS changes").statement.get()?.["changes"]);
  }
}

class LocalStatement implements D1PreparedStatement {
  readonly #database: LocalDatabase;
  readonly sql: string;
  readonly values: readonly SQLInputValue[];

  constructor(database: LocalDatabase, sql: string, values: readonly SQLInputValue[]) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: SQLInputValue[]): D1PreparedStatement {
    return new LocalStatement(this.#database, this.sql, values);
  }

  async first<T>(column?: string): Promise<T | null> {
    const [row] = this.#database.execute<Record<string, T>>(this).results;
    if (row === undefined) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- like D1, trusts the caller with the type
    return column === undefined ? (row as T) : (row[column] ?? null);
  }

  async run<T>(): Promise<D1Result<T>> {
    return this.#database.execute<T>(this);
  }

  async all<T>(): Promise<D1Result<T>> {
    return this.#database.execute<T>(this);
  }

  async raw<T>(): Promise<[string[], ...T[]] & T[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- like D1, trusts the caller with the type
    return this.#database.arrays(this) as [string[], ...T[]] & T[];
  }
}
