/** Reads and changes the state of a moving workspace at the source and at the target. */
import { HOUR_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { ownRange } from "../client/database.ts";
import { type Statement, statement } from "../client/statements.ts";
import type { Session } from "../recompute/session.ts";
import { leases, userErasures, workspaceStates } from "../schema/schema.ts";
import { eraseRanges } from "../workspaces/erase-workspace.ts";
import { isBetween, ownRanges } from "../workspaces/own-ranges.ts";
import { rangesOf } from "./copy.ts";
import type { Copy } from "./copy-sql.ts";
import { ClaimLost } from "./moves.ts";
import { isHeld, RELEASE_LEASE, TAKE_FOR_MOVE } from "../recompute/lease-sql.ts";

const e = columnsOf(userErasures);
const l = columnsOf(leases);
const w = columnsOf(workspaceStates);

const ARRIVE = `INSERT INTO ${w.table} (${w.number}, ${w.id}, ${w.state}) VALUES (?1, ?2, 'arriving') ON CONFLICT DO NOTHING`;

const IS_IN = `SELECT ${w.number} AS number FROM ${w.table} WHERE ${w.number} = ?1 AND ${w.id} = ?2 AND ${w.state}`;

/** How long a part keeps runs of the recompute and of the archive away. The cron continues a move much earlier. */
export const LEASE_MS = 4 * HOUR_MS;
/** When a copy starts again, because soon a run may have changed what was copied. */
export const MAX_PAUSE_MS = LEASE_MS / 2;

const takeLease = ({ workspace, holder }: Session, now: number): Statement =>
  statement(TAKE_FOR_MOVE, workspace.number, holder, now, now + LEASE_MS, workspace.id);

/** Takes the lease of the source. @returns false while a run holds it */
export async function leaseSource({ source }: Copy, now: number): Promise<boolean> {
  return (await source.batch([takeLease(source, now)]))[0].meta.changes > 0;
}

/**
 * Takes the lease of the target.
 * @returns false when the target's rows are no copy, but what a restore has brought back
 * @throws ClaimLost when a later part has taken it
 */
export async function leaseTarget({ target }: Copy, now: number): Promise<boolean> {
  const { number, id } = target.workspace;
  const [, { meta }, , { results }] = await target.batch([
    statement(ARRIVE, number, id),
    takeLease(target, now),
    statement(setState("moving", "arriving"), number, target.holder),
    statement<{ number: number }>(`${IS_IN} = 'arriving'`, number, id),
  ]);
  if (meta.changes === 0) throw new ClaimLost();
  return results.length > 0;
}

/** Counts the rows to copy before the final step. The log has no gaps, so its ends tell its length. */
export async function countRows(copy: Copy): Promise<number> {
  const queries: readonly Statement<{ count: number }>[] = rangesOf(copy, "log", "subjects", "derived").map((range) => {
    const { sql, values } = isBetween(range);
    const count = range.copied === "log" ? "coalesce(max(seq) - min(seq) + 1, 0)" : "count(*)";
    return statement(`SELECT ${count} AS count FROM ${range.tableName} WHERE ${sql}`, ...values);
  });
  const counts = await copy.source.batch(queries);
  return counts.reduce((sum, { results: [row] }) => sum + (row?.count ?? 0), 0);
}

/** The workspace, if the part or one of the parts that ?2 matches holds its lease. */
const HELD = `${w.number} = ?1 AND ${isHeld("?1", "?2")}`;
/** An earlier part may have stopped the writes already. */
const LEAVE = `
UPDATE ${w.table} SET ${w.state} = 'moving' WHERE ${HELD} AND ${w.state} IN ('live', 'moving')
RETURNING ${w.agreement} AS agreement`;
const setState = (from: "arriving" | "moving", to: "arriving" | "moving" | "live"): string =>
  `UPDATE ${w.table} SET ${w.state} = '${to}' WHERE ${HELD} AND ${w.state} = '${from}'`;
const OPEN = setState("moving", "live");
const ERASE_AGAIN = `UPDATE ${e.table} SET ${e.nextSeq} = ?3 WHERE ${e.workspace} = ?1 AND ${isHeld("?1", "?2")}`;
const SET_AGREEMENT = `UPDATE ${w.table} SET ${w.agreement} = ?3 WHERE ${HELD} AND ${w.state} = 'arriving'`;

/**
 * Refuses writes at the source from now on. People whose erasure is not finished are erased again at the target, because
 * pages of the log may have been copied before they were cleared.
 * @throws ClaimLost
 */
export async function stopWrites({ source, target }: Copy): Promise<void> {
  const { number } = source.workspace;
  const [{ results }] = await source.batch([
    statement<{ agreement: number }>(LEAVE, number, source.holder),
    statement(ERASE_AGAIN, number, source.holder, ownRange(source.workspace).first),
  ]);
  if (results[0] === undefined) throw new ClaimLost();
  await target.batch([statement(SET_AGREEMENT, number, target.holder, results[0].agreement)]);
}

/** Records at the target that the copy has all rows: only then may it be opened, whatever is restored. @throws ClaimLost */
export async function completeCopy({ target }: Copy): Promise<void> {
  const completed = statement(setState("arriving", "moving"), target.workspace.number, target.holder);
  if ((await target.batch([completed]))[0].meta.changes === 0) throw new ClaimLost();
}

/** Accepts writes at the source again, when the move can't be completed now. */
export async function reopenSource({ source }: Copy): Promise<void> {
  await source.batch([statement(OPEN, source.workspace.number, source.holder)]);
}

/** A pattern that matches all parts of this move. Once the move is decided, any of them may complete it. */
const anyPart = ({ holder }: Session): string => holder.replace(/[^_]*$/, "*");

/**
 * Accepts writes and runs of the recompute: at the target after the switch, and at the source after a cancelled or failed move, which
 * a part that crashed may have left closed.
 * @returns false when a restore has taken the workspace away
 */
export async function openSide(side: Session): Promise<boolean> {
  const { number, id } = side.workspace;
  const values = [number, anyPart(side)] as const;
  const [, , { results }] = await side.batch([
    statement(OPEN, ...values),
    statement(RELEASE_LEASE, ...values),
    statement(`${IS_IN} IN ('live', 'erased')`, number, id),
  ]);
  return results.length > 0;
}

/** Deletes the workspace from one side, unless a later move uses it again. @returns whether nothing is left */
export async function leaveSide(side: Session, isOver: () => boolean): Promise<boolean> {
  const values = [side.workspace.number, anyPart(side)] as const;
  const ranges = ownRanges(side.workspace).filter(({ name }) => name !== "leases");
  if (!(await eraseRanges(side.db, ranges, isOver, statement(isHeld("?", "?"), ...values)))) return false;
  await side.batch([
    statement(`DELETE FROM ${w.table} WHERE ${HELD}`, ...values),
    statement(`DELETE FROM ${l.table} WHERE ${l.workspace} = ?1 AND ${l.holder} GLOB ?2`, ...values),
  ]);
  return true;
}
