/**
 * Closes and opens a moving workspace at the source and at the target, by its state there: only a `live` one accepts writes
 * (workspaces/require-live.ts). services/moves/move-workspace.ts has a table of the states. It is SQL text because every
 * write checks the lease, in one transaction with others.
 */
import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { ownRange } from "../client/database.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { inOwnRange } from "../client/sql-fragments.ts";
import type { Statement } from "../client/statement.ts";
import type { Session } from "../recompute/session.ts";
import { destinations, folds, leases, notifications, userErasures, users, workspaceStates } from "../schema/schema.ts";
import { isErased } from "../users/erased-ids.ts";
import { eraseRanges } from "../workspaces/erase-workspace.ts";
import { isBetween, ownRanges } from "../workspaces/own-ranges.ts";
import { rangesOf } from "./copy.ts";
import type { Copy } from "./copy-sql.ts";
import { ClaimLost } from "./move-records.ts";
import { isHeld, RELEASE_LEASE, TAKE_FOR_MOVE } from "../recompute/lease-sql.ts";

const destination = columnsOf(destinations);
const erasure = columnsOf(userErasures);
const fold = columnsOf(folds);
const lease = columnsOf(leases);
const notification = columnsOf(notifications);
const state = columnsOf(workspaceStates);
const user = columnsOf(users);

const ARRIVE = prepare(`
INSERT INTO ${state.table} (${state.number}, ${state.id}, ${state.state}) VALUES (:workspace, :id, 'arriving')
ON CONFLICT DO NOTHING`);

const selectIn = (isInState: string) =>
  prepareQuery(
    { number: state.number },
    (columns) => `
SELECT ${columns} FROM ${state.table} WHERE ${state.number} = :workspace AND ${state.id} = :id AND ${isInState}`,
  );
const SELECT_ARRIVING = selectIn(`${state.state} = 'arriving'`);
const SELECT_OPENED = selectIn(`${state.state} IN ('live', 'erased')`);

/** How long a part keeps runs of the recompute and of the archive away. The cron continues a move much earlier. */
export const LEASE_MS = 4 * HOUR_MS;
/** After this time a copy starts again, because a run may soon change the copied rows. */
export const MAX_PAUSE_MS = LEASE_MS / 2;

const valuesOf = ({ workspace: { number, id }, holder: own }: Session, holder = own) => ({
  workspace: number,
  id,
  holder,
});

const takeLease = (side: Session, now: number): Statement =>
  TAKE_FOR_MOVE.bind({ ...valuesOf(side), now, expiresAt: now + LEASE_MS });

/** Takes the lease of the source. @returns false while a run holds it */
export async function leaseSource({ source }: Copy, now: number): Promise<boolean> {
  return (await source.batch([takeLease(source, now)]))[0].meta.changes > 0;
}

/**
 * Takes the lease of the target.
 * @returns false when a restore has brought the target's rows back, so that they are no copy
 * @throws ClaimLost when a later part has taken it
 */
export async function leaseTarget({ target }: Copy, now: number): Promise<boolean> {
  const values = valuesOf(target);
  const [, { meta }, , { results }] = await target.batch([
    ARRIVE.bind(values),
    takeLease(target, now),
    COPY_AGAIN.bind(values),
    SELECT_ARRIVING.bind(values),
  ]);
  if (meta.changes === 0) throw new ClaimLost();
  return results.length > 0;
}

/** Counts the rows to copy before the final step. The log has no gaps, so its first and last number give its length. */
export async function countRows(copy: Copy): Promise<number> {
  const queries: readonly Statement<{ count: number }>[] = rangesOf(copy, "log", "subjects", "derived").map((range) => {
    const { sql, values } = isBetween(range);
    const count = range.copied === "log" ? "coalesce(max(seq) - min(seq) + 1, 0)" : "count(*)";
    return { sql: `SELECT ${count} AS count FROM ${range.tableName} WHERE ${sql}`, values };
  });
  const counts = await copy.source.batch(queries);
  return counts.reduce((sum, { results: [row] }) => sum + (row?.count ?? 0), 0);
}

/** The workspace, if the part or one of the parts that `:holder` matches holds its lease. */
const IS_HELD = isHeld(":workspace", ":holder");
const HELD = `${state.number} = :workspace AND ${IS_HELD}`;
/** An earlier part may have stopped the writes already. */
const CLOSE = prepareQuery(
  { agreement: state.agreement },
  (columns) => `
UPDATE ${state.table} SET ${state.state} = 'moving' WHERE ${HELD} AND ${state.state} IN ('live', 'moving')
RETURNING ${columns}`,
);
const setState = (before: "arriving" | "moving", after: "arriving" | "moving" | "live") =>
  prepare(`UPDATE ${state.table} SET ${state.state} = '${after}' WHERE ${HELD} AND ${state.state} = '${before}'`);
const COPY_AGAIN = setState("moving", "arriving");
const COMPLETE = setState("arriving", "moving");
const OPEN = setState("moving", "live");
const ERASE_AGAIN = prepare(`
UPDATE ${erasure.table} SET ${erasure.nextSeq} = :first WHERE ${erasure.workspace} = :workspace AND ${IS_HELD}`);
const SET_AGREEMENT = prepare(`
UPDATE ${state.table} SET ${state.agreement} = :agreement WHERE ${HELD} AND ${state.state} = 'arriving'`);

/**
 * Refuses writes at the source from now on. People whose erasure is not finished are erased again at the target, because
 * pages of the log may have been copied before they were cleared.
 * @throws ClaimLost
 */
export async function stopWrites({ source, target }: Copy): Promise<void> {
  const values = { ...valuesOf(source), first: ownRange(source.workspace).first };
  const [{ results }] = await source.batch([CLOSE.bind(values), ERASE_AGAIN.bind(values)]);
  if (results[0] === undefined) throw new ClaimLost();
  await target.batch([SET_AGREEMENT.bind({ ...valuesOf(target), ...results[0] })]);
}

/** Records at the target that the copy has all rows: only then may it be opened, whatever is restored. @throws ClaimLost */
export async function completeCopy({ target }: Copy): Promise<void> {
  if ((await target.batch([COMPLETE.bind(valuesOf(target))]))[0].meta.changes === 0) throw new ClaimLost();
}

/** A person may have been erased during the backup, after pages of the log were copied. The queue clears the log again. */
const ERASE_RESTORED = prepare(`
INSERT INTO ${erasure.table} (${erasure.workspace}, ${erasure.user}, ${erasure.nextSeq}, ${erasure.lastSeq})
SELECT :workspace, ${user.number}, :first, :through FROM ${user.table}
WHERE ${user.workspace} = :workspace AND ${isErased(user.externalId)} AND ${IS_HELD}
ON CONFLICT DO UPDATE SET ${erasure.nextSeq} = excluded.${erasure.nextSeq}, ${erasure.lastSeq} = excluded.${erasure.lastSeq}`);

/**
 * What was told after the backup must not be told again, so neither what is scored again nor what was due then is told. A
 * destination may have been deleted since, so somebody has to enable those that still hold.
 */
const BE_QUIET = [
  `INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}, ${fold.quietThrough})
SELECT :workspace, :workspace << 32, :lastDay WHERE ${IS_HELD}
ON CONFLICT DO UPDATE SET ${fold.quietThrough} = max(coalesce(${fold.quietThrough}, :lastDay), :lastDay)`,
  `UPDATE ${notification.table} SET ${notification.nextAttemptAt} = NULL
WHERE ${inOwnRange(notification.number, ":workspace")} AND ${notification.nextAttemptAt} IS NOT NULL AND ${IS_HELD}`,
  `UPDATE ${destination.table} SET ${destination.digestThrough} = max(${destination.digestThrough}, :lastDay),
  ${destination.digestDueAt} = NULL, ${destination.disabledAt} = coalesce(${destination.disabledAt}, :now),
  ${destination.disabledReason} = coalesce(${destination.disabledReason}, 'restored')
WHERE ${inOwnRange(destination.number, ":workspace")} AND ${IS_HELD}`,
].map(prepare);

/**
 * The same for the copy of a backup.
 * @param backup its last message, and the workspace's agreement in it
 * @param now milliseconds since the epoch. No outcome up to the last complete day is news, nor part of a digest.
 * @throws ClaimLost
 */
export async function completeRestored(
  copy: Copy,
  backup: { through: number; agreement: number },
  now: number,
): Promise<void> {
  const { target } = copy;
  const lastDay = Math.floor(now / DAY_MS) - 1;
  const values = { ...backup, ...valuesOf(target), now, lastDay, first: ownRange(target.workspace).first };
  const quieting = BE_QUIET.map((query) => query.bind(values));
  await target.batch([SET_AGREEMENT.bind(values), ERASE_RESTORED.bind(values), ...quieting]);
  await completeCopy(copy);
}

/** Accepts writes at the source again, when the move can't be completed now. */
export async function reopenSource({ source }: Copy): Promise<void> {
  await source.batch([OPEN.bind(valuesOf(source))]);
}

/** A pattern that matches all parts of this move. Once the move is decided, any of them may complete it. */
const anyPart = ({ holder }: Session): string => holder.replace(/[^_]*$/, "*");

/**
 * Accepts writes and runs of the recompute: at the target after the switch, and at the source after a canceled or
 * failed move, because a part that crashed may have left it closed.
 * @returns false when a restore has taken the workspace away
 */
export async function acceptWrites(side: Session): Promise<boolean> {
  const values = valuesOf(side, anyPart(side));
  const [, , { results }] = await side.batch([
    OPEN.bind(values),
    RELEASE_LEASE.bind(values),
    SELECT_OPENED.bind(values),
  ]);
  return results.length > 0;
}

const DELETE_STATE = prepare(`DELETE FROM ${state.table} WHERE ${HELD}`);
const DELETE_LEASE = prepare(`
DELETE FROM ${lease.table} WHERE ${lease.workspace} = :workspace AND ${lease.holder} GLOB :holder`);

/** Deletes the workspace from one side, unless a later move uses it again. @returns whether nothing is left */
export async function deleteFrom(side: Session, isOver: () => boolean): Promise<boolean> {
  const values = valuesOf(side, anyPart(side));
  const ranges = ownRanges(side.workspace).filter(({ name }) => name !== "leases");
  const only = { sql: isHeld("?", "?"), values: [values.workspace, values.holder] };
  if (!(await eraseRanges(side.db, ranges, isOver, only))) return false;
  await side.batch([DELETE_STATE.bind(values), DELETE_LEASE.bind(values)]);
  return true;
}
