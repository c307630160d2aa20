/**
 * Lets one run at a time write to a workspace. The lease is a row that names the run that may write and expires in case the
 * run never releases it. Every write of a run checks the lease in its own transaction.
 *
 * A move holds the lease in both databases, as `move_<start>_<part>`. At the source this keeps the recompute away for as
 * long as the move copies; at the target, only its newest part can write.
 */
import { columnsOf } from "../client/columns-of.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { sendStatement, statement } from "../client/statements.ts";
import { leases, workspaceStates } from "../schema/schema.ts";
import type { Session } from "./session.ts";

const l = columnsOf(leases);
const w = columnsOf(workspaceStates);

/** Whether the lease's holder is like a pattern: a run, a part of a move, or `move_<start>_*`. D1 limits patterns to 50 bytes. */
export const isHeld = (workspace: string, pattern: string): string =>
  `EXISTS (SELECT 1 FROM ${l.table} WHERE ${l.workspace} = ${workspace} AND ${l.holder} GLOB ${pattern})`;

/**
 * Whether the run still holds the workspace's lease and the workspace still lives here. Every write of a run has this
 * condition, so a run that lost its lease, or whose workspace is being erased, changes nothing.
 * @param holder, workspace their parameters, as `?4`
 */
export const mayWrite = (holder: string, workspace: string): string =>
  `${isHeld(workspace, holder)} AND ${isLive(workspace)}`;

/** ?1 the workspace's number, ?2 the run, ?3 the time, ?4 when it expires, ?5 the id. @param orFrom whom it is taken from */
const takeLease = (isAllowed: string, orFrom: string): string => `
INSERT INTO ${l.table} (${l.workspace}, ${l.holder}, ${l.expiresAt})
SELECT ${w.number}, ?2, ?4 FROM ${w.table} WHERE ${w.number} = ?1 AND ${w.id} = ?5 AND ${isAllowed}
ON CONFLICT DO UPDATE SET ${l.holder} = excluded.${l.holder}, ${l.expiresAt} = excluded.${l.expiresAt}
WHERE ${l.holder} IS NULL OR ${l.expiresAt} <= ?3 OR ${orFrom}`;

const ACQUIRE = takeLease(`${w.state} = 'live'`, `${l.holder} = ?2`);

/** Takes the lease for a part of a move, unless a run of the recompute or a later part holds it. */
export const TAKE_FOR_MOVE = takeLease(
  `${w.state} <> 'erased'`,
  `${l.holder} GLOB 'move_*' AND ${l.expiresAt} <= excluded.${l.expiresAt}`,
);

/** ?2 the holder, as a pattern. */
export const RELEASE_LEASE = `UPDATE ${l.table} SET ${l.holder} = NULL WHERE ${l.workspace} = ?1 AND ${l.holder} GLOB ?2`;

/**
 * Takes the lease for a run.
 * @returns false while another run holds it and it has not expired, or when the workspace doesn't live here
 */
export async function acquireLease(
  { db, workspace, holder }: Session,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const acquiring = statement(ACQUIRE, workspace.number, holder, now, expiresAt, workspace.id);
  return (await withRetry(() => sendStatement(db, acquiring))).meta.changes > 0;
}

export async function releaseLease({ db, workspace, holder }: Session): Promise<void> {
  await withRetry(() => sendStatement(db, statement(RELEASE_LEASE, workspace.number, holder)));
}
