/** A run's connection to one database. It counts rows by D1's own figures. */
import type { Database } from "../client/database.ts";
import { type Results, runBatch, type Statement } from "../client/statements.ts";

export interface Session {
  readonly db: Database;
  /** The run that holds the lease. */
  readonly holder: string;
  /** The statements so far, and the rows that they read and wrote. */
  readonly rows: { readonly rowsRead: number; readonly rowsWritten: number };
  readonly statements: () => number;
  batch<const S extends readonly Statement<unknown>[]>(statements: S): Promise<Results<S>>;
}

export function openSession(db: Database, holder: string): Session {
  const rows = { rowsRead: 0, rowsWritten: 0 };
  let sent = 0;
  return {
    db,
    holder,
    rows,
    statements: () => sent,
    async batch(statements) {
      // Under `wrangler dev` the database runs in this process and takes requests only when the process is idle.
      // Without a pause, no request is answered until the run ends.
      await new Promise((resolve) => setTimeout(resolve, 0));
      sent += statements.length;
      const results = await runBatch(db, statements);
      for (const { meta } of results) {
        rows.rowsRead += meta.rows_read;
        rows.rowsWritten += meta.rows_written;
      }
      return results;
    },
  };
}
