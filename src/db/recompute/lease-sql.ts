/**
 * Lets one run at a time write to a workspace. The lease is a row that names the run that may write and expires in case the
 * run never releases it. Every write of a run checks the lease in its own transaction.
 *
 * A move holds the lease in both databases, as `move_<start>_<part>`. At the source this keeps the recompute away for as
 * long as the move copies; at the target, only its newest part can write.
 *
 * It is SQL text because other files' statements contain the condition, and because one statement takes the lease.
 */
import { columnsOf } from "../client/columns-of.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { prepare } from "../client/prepare.ts";
import { sendStatement } from "../client/run-statements.ts";
import { leases, workspaceStates } from "../schema/schema.ts";
import { clearQueued, QUEUED_AT } from "./queued-tasks-sql.ts";
import type { Session } from "./session.ts";

const lease = columnsOf(leases);
const state = columnsOf(workspaceStates);

/** Whether the lease's holder is like a pattern: a run, a part of a move, or `move_<start>_*`. D1 limits patterns to 50 bytes. */
export const isHeld = (workspace: string, pattern: string): string =>
  `EXISTS (SELECT 1 FROM ${lease.table} WHERE ${lease.workspace} = ${workspace} AND ${lease.holder} GLOB ${pattern})`;

/**
 * Whether the run still holds the workspace's lease and the workspace still lives here. Every write of a run has this
 * condition, so a run that lost its lease, or whose workspace is being erased, changes nothing.
 */
export const MAY_WRITE = `${isHeld(":workspace", ":holder")} AND ${isLive(":workspace")}`;

/**
 * @param orFrom the SQL condition under which it is taken from a holder before it expires
 * @param alsoSet further assignments
 */
const takeLease = (isAllowed: string, orFrom: string, alsoSet = "") =>
  prepare(`
INSERT INTO ${lease.table} (${lease.workspace}, ${lease.holder}, ${lease.expiresAt})
SELECT ${state.number}, :holder, :expiresAt FROM ${state.table}
WHERE ${state.number} = :workspace AND ${state.id} = :id AND ${isAllowed}
ON CONFLICT DO UPDATE SET ${lease.holder} = excluded.${lease.holder}, ${lease.expiresAt} = excluded.${lease.expiresAt}${alsoSet}
WHERE ${lease.holder} IS NULL OR ${lease.expiresAt} <= :now OR ${orFrom}`);

const takeForRun = (queuedAt: string) =>
  takeLease(`${state.state} = 'live'`, `${lease.holder} = :holder`, `, ${queuedAt} = NULL`);
const ACQUIRE = {
  recompute: takeForRun(QUEUED_AT.recompute),
  archive: takeForRun(QUEUED_AT.archive),
  backup: takeForRun(QUEUED_AT.backup),
};

/** Takes the lease for a part of a move, unless a run of the recompute or a later part holds it. */
export const TAKE_FOR_MOVE = takeLease(
  `${state.state} <> 'erased'`,
  `${lease.holder} GLOB 'move_*' AND ${lease.expiresAt} <= excluded.${lease.expiresAt}`,
);

/** `:holder` is a pattern. */
export const RELEASE_LEASE = prepare(`
UPDATE ${lease.table} SET ${lease.holder} = NULL WHERE ${lease.workspace} = :workspace AND ${lease.holder} GLOB :holder`);

/**
 * Takes the lease for a run, and records that its task no longer waits in the queue.
 * @returns false while another run holds it and it has not expired, or when the workspace doesn't live here
 */
export async function acquireLease(
  { db, workspace, holder }: Session,
  task: keyof typeof ACQUIRE,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<boolean> {
  const acquiring = ACQUIRE[task].bind({ workspace: workspace.number, id: workspace.id, holder, now, expiresAt });
  if ((await withRetry(() => sendStatement(db, acquiring))).meta.changes > 0) return true;
  await clearQueued(db, task, [workspace.number]);
  return false;
}

export async function releaseLease({ db, workspace, holder }: Session): Promise<void> {
  await withRetry(() => sendStatement(db, RELEASE_LEASE.bind({ workspace: workspace.number, holder })));
}
