/**
 * The recompute's way to a database: one batch is one transaction, rows are counted by D1's own account, and whatever
 * is written is fenced by the lease.
 */
import { withRetry } from "../client/faults.ts";

export type Value = string | number | null;
export type Row = Record<string, Value>;

/** SQL and what it binds, from ?1 on. */
export type Statement = readonly [sql: string, ...values: Value[]];

export interface Session {
  /** Who holds the lease: a name of the run's own. */
  readonly holder: string;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /**
   * Runs the statements as one transaction, once more after a passing fault: they have to be such that a second time
   * changes nothing.
   * @throws DatabaseUnavailable, as `withRetry` does
   */
  batch(statements: readonly Statement[]): Promise<D1Result<Row>[]>;
}

export function openSession(client: D1Database, holder: string): Session {
  let [rowsRead, rowsWritten] = [0, 0];
  return {
    holder,
    get rowsRead() {
      return rowsRead;
    },
    get rowsWritten() {
      return rowsWritten;
    },
    async batch(statements) {
      if (statements.length === 0) return [];
      // Under `wrangler dev` the database lives in this very process, which looks for requests only when it is idle:
      // without a pause none is answered until the run ends.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const results = await withRetry(() =>
        client.batch<Row>(statements.map(([sql, ...values]) => client.prepare(sql).bind(...values))),
      );
      for (const { meta } of results) {
        rowsRead += meta.rows_read;
        rowsWritten += meta.rows_written;
      }
      return results;
    },
  };
}

/** The lease that lets a run write. */
export const LEASE = "recompute";

/** Whether the run still holds the lease. @param holder its parameter, as `?4` */
export const holdsLease = (holder: string): string =>
  `EXISTS (SELECT 1 FROM leases WHERE name = '${LEASE}' AND holder = ${holder})`;

/**
 * Whether the run still holds the lease and the workspace is still there, for the WHERE of all that a run writes: what
 * a run sends after it lost the lease, or while the workspace is being erased, changes nothing.
 * @param holder, workspace their parameters, as `?4`
 */
export const mayWrite = (holder: string, workspace: string): string =>
  `${holdsLease(holder)}
  AND EXISTS (SELECT 1 FROM workspaces WHERE number = ${workspace} AND erased_at IS NULL)`;

/** Characters, of which each takes four bytes at most: D1 takes 2 MB for a value. */
const PART_CHARACTERS = 400_000;

/** Rows as JSON to bind, in parts that are well within what D1 takes for a value. */
export function inParts(rows: readonly unknown[]): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const row of rows.map((each) => JSON.stringify(each))) {
    if (size + row.length > PART_CHARACTERS && part.length > 0) {
      parts.push(`[${part.join(",")}]`);
      part = [];
      size = 0;
    }
    part.push(row);
    size += row.length;
  }
  return part.length === 0 ? parts : [...parts, `[${part.join(",")}]`];
}
