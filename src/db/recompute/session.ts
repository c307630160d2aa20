/**
 * A run's connection to the database of its workspace. It counts statements, also repeated ones, and rows and bytes by D1's
 * own figures.
 */
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { type Results, sendBatch } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";

export interface Session {
  readonly workspace: WorkspaceRef;
  readonly db: Database;
  /** The run that holds the lease. */
  readonly holder: string;
  /** The rows that the run read and wrote so far. */
  readonly rows: { readonly rowsRead: number; readonly rowsWritten: number };
  /** The size of the database after the last statement; 0 before the first. */
  readonly size: { readonly bytes: number };
  batch<const S extends readonly Statement<unknown>[]>(statements: S): Promise<Results<S>>;
}

/** The statements that an invocation has sent, in all its sessions. */
export interface StatementCount {
  sent: number;
}

/** The statements that take and release the lease and record the run. */
const STATEMENTS_AROUND_A_RUN = 6;

export function openSession(env: Env, workspace: WorkspaceRef, holder: string, count: StatementCount): Session {
  const db = databaseOf(env, workspace);
  const rows = { rowsRead: 0, rowsWritten: 0 };
  const size = { bytes: 0 };
  count.sent += STATEMENTS_AROUND_A_RUN;
  return {
    workspace,
    db,
    holder,
    rows,
    size,
    async batch(statements) {
      // Under `wrangler dev` the database runs in this process and takes requests only when the process is idle.
      // Without a pause, no request is answered until the run ends.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const results = await withRetry(() => {
        count.sent += statements.length;
        return sendBatch(db, statements);
      });
      for (const { meta } of results) {
        rows.rowsRead += meta.rows_read;
        rows.rowsWritten += meta.rows_written;
        size.bytes = meta.size_after;
      }
      return results;
    },
  };
}
