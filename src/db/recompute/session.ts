/** A run's connection to one database. It counts rows by D1's own figures. */
import type { Database } from "../client/database.ts";
import { type Results, runBatch, type Statement } from "../client/statements.ts";

export interface Session {
  readonly db: Database;
  /** The run that holds the lease. */
  readonly holder: string;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** Runs statements as `runBatch` does. */
  batch<const S extends readonly Statement<unknown>[]>(statements: S): Promise<Results<S>>;
}

export function openSession(db: Database, holder: string): Session {
  let [rowsRead, rowsWritten] = [0, 0];
  return {
    db,
    holder,
    get rowsRead() {
      return rowsRead;
    },
    get rowsWritten() {
      return rowsWritten;
    },
    async batch(statements) {
      // Under `wrangler dev` the database runs in this process and takes requests only when the process is idle.
      // Without a pause, no request is answered until the run ends.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const results = await runBatch(db, statements);
      for (const { meta } of results) {
        rowsRead += meta.rows_read;
        rowsWritten += meta.rows_written;
      }
      return results;
    },
  };
}
