/**
 * Implements D1Database in memory, with Node's own SQLite.
 *
 * An evaluation runs thousands of simulated days, each with a recompute of hundreds of statements. In one process that
 * takes minutes; through a local D1 it would take hours. The tests use the real D1. This class has only what src/db
 * calls, and does not count rows.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";

import { BatchDatabase, type BoundStatement, boundStatements } from "../../test/harness/batch-database.ts";
import { migrationStatements } from "../../test/harness/migrate.ts";

const META = { duration: 0, size_after: 0, rows_read: 0, rows_written: 0, last_row_id: 0, changed_db: false };

interface Prepared {
  statement: StatementSync;
  /** True if the statement returns rows. */
  returnsRows: boolean;
}

export class LocalDatabase extends BatchDatabase {
  readonly #sqlite = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, Prepared>();

  /** Creates a database with all migrations applied. */
  static create(): LocalDatabase {
    const database = new LocalDatabase();
    for (const sql of migrationStatements()) database.#sqlite.exec(sql);
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

  async batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    this.#sqlite.exec("BEGIN");
    try {
      const results = boundStatements(statements).map((statement) => this.#execute<T>(statement));
      this.#sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  #execute<T>({ sql, values }: BoundStatement): D1Result<T> {
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

  /** Asks SQLite for arrays, because column names may repeat. */
  async rows({ sql, values }: BoundStatement): Promise<unknown[][]> {
    const { statement } = this.#prepare(sql);
    statement.setReturnArrays(true);
    try {
      return statement.all(...values).map((row) => Object.values(row));
    } finally {
      statement.setReturnArrays(false);
    }
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
