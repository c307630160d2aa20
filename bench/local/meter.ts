/** A D1Database that passes everything on, and adds up the SQL time and rows that D1 reports for each statement. */
import { BatchDatabase, type BoundStatement, boundStatements } from "../../test/harness/batch-database.ts";

/** The cost of one kind of statement. */
interface StatementCost {
  /** The table that it writes, or the tables that it reads. */
  name: string;
  times: number;
  /** D1 counts whole milliseconds: a sum of many is right, a single short statement is 0 or 1. */
  sqlMs: number;
  slowestMs: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface Cost {
  /** Round trips; each is a transaction. */
  batches: number;
  /** Elapsed milliseconds, including the round trip to workerd, which a Worker does not make. */
  batchMs: number;
  sqlMs: number;
  rowsRead: number;
  rowsWritten: number;
  /** Most expensive first. */
  statements: StatementCost[];
}

export class Meter extends BatchDatabase {
  readonly #database: D1Database;
  /** Preparing waits for workerd, so each statement is prepared once. */
  readonly #prepared = new Map<string, D1PreparedStatement>();
  #statements = new Map<string, StatementCost>();
  #batches = 0;
  #batchMs = 0;
  /** Called after each batch. Its time counts as part of the batch. */
  onBatch: () => void = () => undefined;

  constructor(database: D1Database) {
    super();
    this.#database = database;
  }

  /** Returns the cost since the last call. */
  take(): Cost {
    const statements = [...this.#statements.values()].toSorted((a, b) => b.sqlMs - a.sqlMs);
    const [batches, batchMs] = [this.#batches, this.#batchMs];
    this.#statements = new Map();
    [this.#batches, this.#batchMs] = [0, 0];
    const sum = (of: (one: StatementCost) => number) => statements.reduce((total, one) => total + of(one), 0);
    return {
      batches,
      batchMs,
      sqlMs: sum((one) => one.sqlMs),
      rowsRead: sum((one) => one.rowsRead),
      rowsWritten: sum((one) => one.rowsWritten),
      statements,
    };
  }

  /** Returns how often a statement of this name ran since the last `take`. */
  timesOf(name: string): number {
    return this.#statements.get(name)?.times ?? 0;
  }

  async batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const startedAt = performance.now();
    const metered = boundStatements(statements);
    const results = await this.#database.batch<T>(
      metered.map(({ sql, values }) => {
        const prepared = this.#prepare(sql);
        return values.length === 0 ? prepared : prepared.bind(...values);
      }),
    );
    metered.forEach(({ sql }, place) => this.#count(sql, results[place]));
    this.#batches += 1;
    this.onBatch();
    this.#batchMs += performance.now() - startedAt;
    return results;
  }

  /** Makes arrays of the metered rows, because D1 counts no cost for arrays. Column names must not repeat. */
  async rows(statement: BoundStatement): Promise<unknown[][]> {
    const { results } = await statement.run<Record<string, unknown>>();
    return results.map((row) => Object.values(row));
  }

  #prepare(sql: string): D1PreparedStatement {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }

  #count(sql: string, result: D1Result | undefined): void {
    if (result === undefined) return;
    const name = nameOf(sql);
    const known = this.#statements.get(name) ?? { name, times: 0, sqlMs: 0, slowestMs: 0, rowsRead: 0, rowsWritten: 0 };
    const { duration, rows_read, rows_written } = result.meta;
    this.#statements.set(name, {
      name,
      times: known.times + 1,
      sqlMs: known.sqlMs + duration,
      slowestMs: Math.max(known.slowestMs, duration),
      rowsRead: known.rowsRead + rows_read,
      rowsWritten: known.rowsWritten + rows_written,
    });
  }
}

/** Names a statement by what it writes (`INSERT INTO rollups`), or by the tables that it reads. */
function nameOf(sql: string): string {
  const [writes] = /^(?:INSERT INTO|UPDATE|DELETE FROM) \w+/.exec(sql.trimStart()) ?? [];
  if (writes !== undefined) return writes;
  const tables = [...sql.matchAll(/\b(?:FROM|JOIN) ([a-z_]{2,})/g)].map(([, table]) => table);
  return `SELECT ${[...new Set(tables)].join(", ")}`;
}
