/**
 * Remembers which tasks of a workspace wait in the queue, so that the same work is not queued twice. The marks are in the
 * row of the lease, which a run writes anyway when it begins: so a task costs one row more.
 *
 * It is SQL text because one statement decides for many workspaces and marks them.
 */
import { columnsOf } from "../client/columns-of.ts";
import { type Database, databaseOf } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { runBatch, sendStatement } from "../client/run-statements.ts";
import { leases } from "../schema/schema.ts";

const lease = columnsOf(leases);

/** By task: when it was queued. */
export const QUEUED_AT = {
  recompute: lease.recomputeQueuedAt,
  archive: lease.archiveQueuedAt,
  erase_users: lease.userErasureQueuedAt,
  backup: lease.backupQueuedAt,
};
export type MarkedTask = keyof typeof QUEUED_AT;

const statementsOf = (queuedAt: string) => ({
  mark: prepareQuery(
    { number: lease.workspace },
    (columns) => `
INSERT INTO ${lease.table} (${lease.workspace}, ${lease.expiresAt}, ${queuedAt})
SELECT value, 0, :now FROM json_each(:workspaces) WHERE ${isLive("value")}
ON CONFLICT (${lease.workspace}) DO UPDATE SET ${queuedAt} = excluded.${queuedAt}
WHERE ${queuedAt} IS NULL OR ${queuedAt} <= :lostBefore
RETURNING ${columns}`,
  ),
  clear: prepare(`
UPDATE ${lease.table} SET ${queuedAt} = NULL
WHERE ${lease.workspace} IN (SELECT value FROM json_each(:workspaces)) AND ${queuedAt} IS NOT NULL`),
});
const STATEMENTS = {
  recompute: statementsOf(QUEUED_AT.recompute),
  archive: statementsOf(QUEUED_AT.archive),
  erase_users: statementsOf(QUEUED_AT.erase_users),
  backup: statementsOf(QUEUED_AT.backup),
};

/**
 * Marks a task of these workspaces as queued.
 * @param lostBefore a task that was queued by then and has not begun is lost
 * @returns the numbers of those in which none waits yet
 */
export async function markQueued(
  env: Env,
  database: string,
  task: MarkedTask,
  numbers: readonly number[],
  times: { now: number; lostBefore: number },
): Promise<Set<number>> {
  const marking = STATEMENTS[task].mark.bind({ workspaces: JSON.stringify(numbers), ...times });
  const [{ results }] = await runBatch(databaseOf(env, { database }), [marking]);
  return new Set(results.map(({ number }) => number));
}

/** Forgets that a task was queued, because it has begun or the queue refused it. */
export async function clearQueued(db: Database, task: MarkedTask, numbers: readonly number[]): Promise<void> {
  const clearing = STATEMENTS[task].clear.bind({ workspaces: JSON.stringify(numbers) });
  await withRetry(() => sendStatement(db, clearing));
}
