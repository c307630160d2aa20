/**
 * Rebuilds rollups: deletes the rollups of the last days whose messages are all in the archive or in the log, and folds
 * these days again. Each step is a transaction that records its progress. The workspace is neither folded nor scored before the rebuild ends.
 */
import { DAY_MS } from "../../core/durations.ts";
import { LEVEL_DAYS } from "../../core/health/days-off.ts";
import type { Day } from "../../core/health/model.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/occurred-at.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { inOwnRange, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import {
  accountDays,
  accountProgress,
  archiveFiles,
  attributeDays,
  comparisons,
  folds,
  pendingAttributeDays,
  rollups,
  workspaceContexts,
  workspaceDays,
} from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { SCORED_DAYS } from "./due-accounts-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import { deleteSome } from "./old-days-sql.ts";
import type { Session } from "./session.ts";

const a = columnsOf(accountProgress);
const c = columnsOf(workspaceContexts);
const comparison = columnsOf(comparisons);
const f = columnsOf(folds);
const file = columnsOf(archiveFiles);
const p = columnsOf(pendingAttributeDays, "t");
const w = columnsOf(workspaceDays);

/** By account and not by range, because each account's earlier days, which stay, are then not read. */
const ofAccounts = ({ table, account, day }: { table: string; account: string; day: string }): string =>
  `${table} WHERE ${account} IN (SELECT ${a.account} FROM ${a.table} WHERE ${a.workspace} = ?1) AND ${day} >= ?2`;

const DELETE_REPLACED = [
  ...[rollups, accountDays, attributeDays].map((table) => deleteSome(table, ofAccounts(columnsOf(table, "t")))),
  deleteSome(pendingAttributeDays, `${p.table} WHERE ${inOwnRange(p.user, "?1")} AND ${p.day} >= ?2`),
  deleteSome(workspaceDays, `${w.table} t WHERE t.${w.workspace} = ?1 AND t.${w.day} >= ?2`),
];

/** Deletes a limited number of the rows to replace. @returns false when none were left */
export async function deleteReplaced(session: Session, workspace: WorkspaceRef, day: Day): Promise<boolean> {
  const values = [workspace.number, day, session.holder] as const;
  const deleted = await session.batch(DELETE_REPLACED.map((sql) => statement(sql, ...values)));
  return deleted.some(({ meta }) => meta.changes > 0);
}

/** Messages received shortly before midnight may be dated on the next day. */
export const DAYS_AHEAD = Math.ceil(MAX_FUTURE_MS / DAY_MS);

const BEGIN_REFOLD = `
UPDATE ${f.table} SET ${f.rebuiltThrough} = coalesce(
  (SELECT min(${file.first}) FROM ${file.table} WHERE ${inOwnRange(file.first, "?1")} AND ${file.day} >= ?2 - ${DAYS_AHEAD}) - 1,
  ${oldestSeq("?1")} - 1, ${f.watermark})
WHERE ${f.workspace} = ?1 AND ${f.rebuildDay} = ?2 AND ${mayWrite("?3", "?1")}
RETURNING ${f.rebuiltThrough} AS reached`;

/** Starts to fold again. @returns the seq before the first message; `null` when the run may no longer write */
export async function beginRefold(session: Session, workspace: WorkspaceRef, day: Day): Promise<number | null> {
  const [{ results }] = await session.batch([
    statement<{ reached: number }>(BEGIN_REFOLD, workspace.number, day, session.holder),
  ]);
  return results[0]?.reached ?? null;
}

const IN_REBUILD = `EXISTS (SELECT 1 FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${f.rebuildDay} = ?2)
  AND ${mayWrite("?3", "?1")}`;

const FINISH = [
  `
UPDATE ${w.table} SET ${w.accounts} = NULL, ${w.userDays} = NULL
WHERE ${w.workspace} = ?1 AND ${w.day} >= ?2 - ${LEVEL_DAYS} AND ${w.day} < ?2 AND ${IN_REBUILD}`,
  `
UPDATE ${a.table} SET ${a.summarizeFrom} = min(coalesce(${a.summarizeFrom}, ?2), ?2), ${a.scoreFrom} = min(${a.scoreFrom}, ?2),
  ${a.dueAt} = 0
WHERE ${a.workspace} = ?1 AND ${IN_REBUILD}`,
  `
DELETE FROM ${comparison.table} WHERE ${comparison.workspace} = ?1 AND ${IN_REBUILD}`,
  `
DELETE FROM ${c.table} WHERE ${c.workspace} = ?1 AND ${c.day} >= ?2
AND ${c.day} > (SELECT max(${c.day}) FROM ${c.table} WHERE ${c.workspace} = ?1) - ${SCORED_DAYS} AND ${IN_REBUILD}`,
  `
UPDATE ${f.table} SET ${f.rebuildDay} = NULL, ${f.rebuiltThrough} = NULL
WHERE ${f.workspace} = ?1 AND ${f.rebuildDay} = ?2 AND ${mayWrite("?3", "?1")}`,
];

/**
 * Ends a rebuild: makes all accounts due, and has their days summarized and compared again, also with the levels of the
 * days before.
 */
export async function finishRebuild(session: Session, workspace: WorkspaceRef, day: Day): Promise<void> {
  await session.batch(FINISH.map((sql) => statement(sql, workspace.number, day, session.holder)));
}

/** When nothing was deleted yet, all days are complete. */
export const ALL_DAYS = -1_000_000_000;

/**
 * The first day whose messages are all in the log or in the archive: the day after the newest deleted message was received,
 * plus a margin for events dated after their arrival.
 */
const FIRST_COMPLETE_DAY = `coalesce((${f.deletedUntil} + ${MAX_FUTURE_MS}) / ${DAY_MS} + 1, ${ALL_DAYS})`;
/** No day before it is scored again. */
const FIRST_SCORED_DAY = `coalesce(${f.asOf} / ${DAY_MS} - ${SCORED_DAYS}, ${ALL_DAYS})`;

/** A rebuild that is running has deleted rollups of its days already. */
const REQUEST = `
UPDATE ${f.table} SET ${f.rebuiltThrough} = NULL,
  ${f.rebuildDay} = min(coalesce(${f.rebuildDay}, 1e9), max(${FIRST_COMPLETE_DAY}, ${FIRST_SCORED_DAY}))
WHERE ${f.workspace} = ?1`;

/**
 * Requests a rebuild of the workspace's rollups by the next run. A request during a rebuild starts it again. A workspace
 * that was never folded has nothing to rebuild.
 */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  await runBatch(databaseOf(env, workspace), [requireLive(workspace), statement(REQUEST, workspace.number)]);
}
