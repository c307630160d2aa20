/**
 * Rebuilds rollups: deletes the rollups of the last days whose messages are all in the archive or in the log, and folds
 * these days again. Each step is a transaction that records its progress. The workspace is neither folded nor scored
 * before the rebuild ends. It is SQL text because every write checks the lease and the rebuild.
 */
import { DAY_MS } from "../../core/durations.ts";
import { LEVEL_DAYS } from "../../core/health/days-off.ts";
import type { Day } from "../../core/health/model.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/occurred-at.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { inOwnRange, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
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
import { MAY_WRITE } from "./lease-sql.ts";
import { deleteSome } from "./old-days-sql.ts";
import type { Session } from "./session.ts";

const comparison = columnsOf(comparisons);
const context = columnsOf(workspaceContexts);
const file = columnsOf(archiveFiles);
const fold = columnsOf(folds);
const pending = columnsOf(pendingAttributeDays, "old");
const progress = columnsOf(accountProgress);
const day = columnsOf(workspaceDays);

/** This goes account by account, so that it doesn't read each account's earlier days, which stay. */
const ofAccounts = (old: { table: string; account: string; day: string }): string =>
  `${old.table} WHERE ${old.account} IN (
    SELECT ${progress.account} FROM ${progress.table} WHERE ${progress.workspace} = :workspace
  ) AND ${old.day} >= :firstDay`;

const DELETE_REPLACED = [
  ...[rollups, accountDays, attributeDays].map((table) => deleteSome(table, ofAccounts(columnsOf(table, "old")))),
  deleteSome(
    pendingAttributeDays,
    `${pending.table} WHERE ${inOwnRange(pending.user, ":workspace")} AND ${pending.day} >= :firstDay`,
  ),
  deleteSome(workspaceDays, `${day.table} old WHERE old.${day.workspace} = :workspace AND old.${day.day} >= :firstDay`),
];

/** Deletes a limited number of the rows to replace. @returns false when no rows were left */
export async function deleteReplaced(session: Session, workspace: WorkspaceRef, firstDay: Day): Promise<boolean> {
  const values = { workspace: workspace.number, holder: session.holder, firstDay };
  const deleted = await session.batch(DELETE_REPLACED.map((query) => query.bind(values)));
  return deleted.some(({ meta }) => meta.changes > 0);
}

/** Messages received shortly before midnight may be dated on the next day. */
export const DAYS_AHEAD = Math.ceil(MAX_FUTURE_MS / DAY_MS);

const FIRST_ARCHIVED = `(
  SELECT min(${file.first}) FROM ${file.table}
  WHERE ${inOwnRange(file.first, ":workspace")} AND ${file.day} >= :firstDay - ${DAYS_AHEAD}
)`;
const IS_REBUILT = `${fold.workspace} = :workspace AND ${fold.rebuildDay} = :firstDay`;

const BEGIN_REFOLD = prepareQuery(
  { reached: fold.rebuiltThrough },
  (columns) => `
UPDATE ${fold.table} SET
  ${fold.rebuiltThrough} = coalesce(${FIRST_ARCHIVED} - 1, ${oldestSeq(":workspace")} - 1, ${fold.watermark})
WHERE ${IS_REBUILT} AND ${MAY_WRITE}
RETURNING ${columns}`,
);

/** Starts to fold again. @returns the seq before the first message; `null` when the run may no longer write */
export async function beginRefold(session: Session, workspace: WorkspaceRef, firstDay: Day): Promise<number | null> {
  const values = { workspace: workspace.number, holder: session.holder, firstDay };
  const [{ results }] = await session.batch([BEGIN_REFOLD.bind(values)]);
  return results[0]?.reached ?? null;
}

const IN_REBUILD = `EXISTS (SELECT 1 FROM ${fold.table} WHERE ${IS_REBUILT}) AND ${MAY_WRITE}`;

const FINISH = [
  `UPDATE ${day.table} SET ${day.accounts} = NULL, ${day.userDays} = NULL
WHERE ${day.workspace} = :workspace AND ${day.day} >= :firstDay - ${LEVEL_DAYS} AND ${day.day} < :firstDay AND ${IN_REBUILD}`,
  `UPDATE ${progress.table} SET ${progress.summarizeFrom} = min(coalesce(${progress.summarizeFrom}, :firstDay), :firstDay),
  ${progress.scoreFrom} = min(${progress.scoreFrom}, :firstDay), ${progress.dueAt} = 0
WHERE ${progress.workspace} = :workspace AND ${IN_REBUILD}`,
  `DELETE FROM ${comparison.table} WHERE ${comparison.workspace} = :workspace AND ${IN_REBUILD}`,
  `DELETE FROM ${context.table} WHERE ${context.workspace} = :workspace AND ${context.day} >= :firstDay AND ${context.day} > (
  SELECT max(${context.day}) FROM ${context.table} WHERE ${context.workspace} = :workspace
) - ${SCORED_DAYS} AND ${IN_REBUILD}`,
  `UPDATE ${fold.table} SET ${fold.rebuildDay} = NULL, ${fold.rebuiltThrough} = NULL,
  ${fold.quietThrough} = max(coalesce(${fold.quietThrough}, :lastDay), :lastDay)
WHERE ${IS_REBUILT} AND ${MAY_WRITE}`,
].map(prepare);

/**
 * Ends a rebuild: makes all accounts due, and has their days summarized and compared again, also with the levels of the
 * days before.
 * @param lastDay the last complete day. No outcome up to it is news.
 */
export async function finishRebuild(
  session: Session,
  workspace: WorkspaceRef,
  { firstDay, lastDay }: Record<"firstDay" | "lastDay", Day>,
): Promise<void> {
  const values = { workspace: workspace.number, holder: session.holder, firstDay, lastDay };
  await session.batch(FINISH.map((query) => query.bind(values)));
}

/** When nothing was deleted yet, all days are complete. */
export const ALL_DAYS = -1_000_000_000;

/**
 * The first day whose messages are all in the log or in the archive: the day after the newest deleted message was received,
 * plus a margin for events dated after their arrival.
 */
const FIRST_COMPLETE_DAY = `coalesce((${fold.deletedUntil} + ${MAX_FUTURE_MS}) / ${DAY_MS} + 1, ${ALL_DAYS})`;
/** No day before it is scored again. */
const FIRST_SCORED_DAY = `coalesce(${fold.asOf} / ${DAY_MS} - ${SCORED_DAYS}, ${ALL_DAYS})`;

/** A rebuild that is running has deleted rollups of its days already. */
const REQUEST = prepare(`
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}, ${fold.rebuildDay})
VALUES (:workspace, :workspace << 32, ${ALL_DAYS})
ON CONFLICT DO UPDATE SET ${fold.rebuiltThrough} = NULL,
  ${fold.rebuildDay} = min(coalesce(${fold.rebuildDay}, 1e9), max(${FIRST_COMPLETE_DAY}, ${FIRST_SCORED_DAY}))`);

/**
 * Requests a rebuild of the workspace's rollups by the next run. A request during a rebuild starts it again. In a
 * workspace that was never folded, it only keeps the first scores from being news.
 */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  await runBatch(databaseOf(env, workspace), [requireLive(workspace), REQUEST.bind({ workspace: workspace.number })]);
}
