/** A D1Database in this process that records each round trip. */
import type { LocalDatabase } from "../../evals/simulator/local-database.ts";
import { BatchDatabase, type BoundStatement, boundStatements } from "../../test/harness/batch-database.ts";

export interface Trip {
  statements: number;
  /** Milliseconds of SQL. */
  ms: number;
  /** The results as text. */
  bytes: number;
}

export class TripRecorder extends BatchDatabase {
  readonly #database: LocalDatabase;
  #trips: Trip[] = [];
  /** Called after each round trip. */
  onTrip: () => void = () => undefined;

  constructor(database: LocalDatabase) {
    super();
    this.#database = database;
  }

  /** Returns the round trips since the last call. */
  take(): Trip[] {
    const trips = this.#trips;
    this.#trips = [];
    return trips;
  }

  async batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const startedAt = performance.now();
    const results = await this.#database.batch<T>(boundStatements(statements));
    this.#record(
      statements.length,
      startedAt,
      results.map((result) => result.results),
    );
    return results;
  }

  async rows(statement: BoundStatement): Promise<unknown[][]> {
    const startedAt = performance.now();
    const rows = await this.#database.rows(statement);
    this.#record(1, startedAt, [rows]);
    return rows;
  }

  #record(statements: number, startedAt: number, results: unknown[][]): void {
    const ms = performance.now() - startedAt;
    const bytes = results.reduce((sum, rows) => sum + (rows.length === 0 ? 0 : JSON.stringify(rows).length), 0);
    this.#trips.push({ statements, ms, bytes });
    this.onTrip();
  }
}
