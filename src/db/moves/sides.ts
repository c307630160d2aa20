/** The state of a moving workspace in the source and in the target. */
import { type Database, databaseOf, ownRange } from "../client/database.ts";
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { recomputeRuns, userErasures, workspaceStates } from "../schema/schema.ts";
import { eraseRanges } from "../workspaces/erase-workspace.ts";
import { isBetween, ownRanges } from "../workspaces/own-ranges.ts";
import { ClaimLost, type Copy, rangesOf } from "./copy.ts";
import { isHeld, RELEASE_LEASE, TAKE_LEASE } from "./leases-sql.ts";

const e = columnsOf(userErasures);
const r = columnsOf(recomputeRuns);
const w = columnsOf(workspaceStates);

const SELECT_HELD = `SELECT 1 AS held WHERE ${isHeld("?1", "?2")}`;
const SELECT_LAST_RUN = `SELECT ${r.id} AS id FROM ${r.table} WHERE ${r.workspace} = ?1 ORDER BY ${r.startedAt} DESC LIMIT 1`;

interface Term {
  now: number;
  /** When another run of the recompute may take the lease: only if the move has stopped. */
  expiresAt: number;
}

/**
 * Takes the lease of the source.
 * @returns the last run of the recompute; `null` while a run holds the lease
 */
export async function leaseSource(
  { source, workspace: { number } }: Copy,
  { now, expiresAt }: Term,
): Promise<{ lastRun: string | null } | null> {
  const [, { results: held }, { results: runs }] = await source.batch([
    statement(TAKE_LEASE, number, source.holder, now, expiresAt),
    statement(SELECT_HELD, number, source.holder),
    statement<{ id: string }>(SELECT_LAST_RUN, number),
  ]);
  return held.length === 0 ? null : { lastRun: runs[0]?.id ?? null };
}

/** Takes the lease of the target, where the workspace is `moving`. @throws ClaimLost when a later part has taken it */
export async function leaseTarget(
  { target, workspace: { id, number } }: Copy,
  { now, expiresAt }: Term,
): Promise<void> {
  const insert = `INSERT INTO ${w.table} (${w.number}, ${w.id}, ${w.state}) VALUES (?1, ?2, 'moving') ON CONFLICT DO NOTHING`;
  const [, , { results: held }] = await target.batch([
    statement(insert, number, id),
    statement(TAKE_LEASE, number, target.holder, now, expiresAt),
    statement(SELECT_HELD, number, target.holder),
  ]);
  if (held.length === 0) throw new ClaimLost();
}

/** Counts the rows to copy. The log has no gaps, so its ends are enough. */
export async function countRows(copy: Copy): Promise<number> {
  const ranges = rangesOf(copy, "log", "subjects", "derived");
  const results = await copy.source.batch<readonly Statement<{ count: number }>[]>(
    ranges.map((range) => {
      const { copied, key, tableName, start, end } = range;
      const count = copied === "log" ? `coalesce(max(${key[0]}) - min(${key[0]}) + 1, 0)` : "count(*)";
      return statement(
        `SELECT ${count} AS count FROM ${tableName} WHERE ${isBetween(range, start, end)}`,
        ...start,
        ...end,
      );
    }),
  );
  return results.reduce((sum, { results: [row] }) => sum + (row?.count ?? 0), 0);
}

/** The keys of the last message and of the last changed subject. */
export async function readEnds({ source, workspace }: Copy): Promise<{ log: number; changes: number }> {
  const { first } = ownRange(workspace);
  const [{ results }] = await source.batch([
    statement<{ log: number | null; changes: number | null }>(
      `SELECT ${newestSeq("?1")} AS log, (SELECT max(seq) FROM changed_subjects WHERE seq >= ?2 AND seq < ?2 + (1 << 32) - 1) AS changes`,
      workspace.number,
      first,
    ),
  ]);
  return { log: results[0]?.log ?? first - 1, changes: results[0]?.changes ?? first - 1 };
}

const OWN_SOURCE = `${w.number} = ?1 AND ${isHeld("?1", "?2")}`;

/**
 * Refuses writes at the source from now on. People whose erasure is not finished are erased again at the target, because
 * pages of the log may have been copied before they were cleared.
 * @throws ClaimLost
 */
export async function stopWrites({ source, target, workspace }: Copy): Promise<void> {
  const { number } = workspace;
  const [, , { results }] = await source.batch([
    statement(
      `UPDATE ${w.table} SET ${w.state} = 'moving' WHERE ${OWN_SOURCE} AND ${w.state} = 'live'`,
      number,
      source.holder,
    ),
    statement(
      `UPDATE ${e.table} SET ${e.nextSeq} = ?3 WHERE ${e.workspace} = ?1 AND ${isHeld("?1", "?2")}`,
      number,
      source.holder,
      ownRange(workspace).first,
    ),
    statement<{ agreement: number }>(
      `SELECT ${w.agreement} AS agreement FROM ${w.table} WHERE ${OWN_SOURCE} AND ${w.state} = 'moving'`,
      number,
      source.holder,
    ),
  ]);
  const [stopped] = results;
  if (stopped === undefined) throw new ClaimLost();
  await target.batch([
    statement(
      `UPDATE ${w.table} SET ${w.agreement} = ?3 WHERE ${OWN_SOURCE} AND ${w.state} = 'moving'`,
      number,
      target.holder,
      stopped.agreement,
    ),
  ]);
}

const OPEN = `UPDATE ${w.table} SET ${w.state} = 'live' WHERE ${OWN_SOURCE} AND ${w.state} = 'moving'`;

/** Accepts writes at the source again, when the move can't be completed now. */
export async function reopenSource({ source, workspace: { number } }: Copy): Promise<void> {
  await source.batch([statement(OPEN, number, source.holder)]);
}

/** One side of a move that needs no claim any more. @param holders a pattern that only parts of this move match */
interface Side {
  db: Database;
  number: number;
  holders: string;
}

/** Accepts writes and runs of the recompute at the target. */
export async function openTarget({ db, number, holders }: Side): Promise<void> {
  await runBatch(db, [statement(OPEN, number, holders), statement(RELEASE_LEASE, number, holders)]);
}

/** Deletes one side with its lease, unless a later move uses it again. @returns whether nothing is left */
export async function eraseSide(
  { db, number, holders }: Side,
  workspace: Copy["workspace"],
  isOver: () => boolean,
): Promise<boolean> {
  const rows = ownRanges(workspace).filter(({ name }) => name !== "leases");
  if (!(await eraseRanges(db, rows, isOver, statement(isHeld("?", "?"), number, holders)))) return false;
  await runBatch(db, [
    statement(`DELETE FROM ${w.table} WHERE ${OWN_SOURCE}`, number, holders),
    statement("DELETE FROM leases WHERE workspace = ?1 AND holder GLOB ?2", number, holders),
  ]);
  return true;
}

/** Ends the copying from a source that keeps the workspace. @returns whether nothing is left */
export async function releaseSource(
  { db, number, holders }: Side,
  workspace: Copy["workspace"],
  isOver: () => boolean,
): Promise<boolean> {
  const changes = ownRanges(workspace).filter(({ name }) => name === "changedSubjects");
  if (!(await eraseRanges(db, changes, isOver, statement(isHeld("?", "?"), number, holders)))) return false;
  await runBatch(db, [statement(RELEASE_LEASE, number, holders)]);
  return true;
}

export const sideOf = (env: Env, database: string, number: number, holders: string): Side => ({
  db: databaseOf(env, { database }),
  number,
  holders,
});
