/** Reads the progress of workspaces. */
import { HOUR_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { expression, nullable } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { inOwnRange, isLive, newestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import { accountProgress, folds, messages, workspaceStates } from "../schema/schema.ts";
import { MAY_WRITE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface WorkspaceProgress {
  id: string;
  number: number;
  watermark: number;
  /** The seq of the newest message; equal to the watermark when everything is folded. */
  newest: number;
  /** When the oldest unfolded message was received, in milliseconds since the epoch. */
  tailSince: number | null;
  /** A running rebuild: the first day it replaces, and the seq it has reached (`null` while it still deletes). */
  rebuildDay: Day | null;
  rebuiltThrough: number | null;
  /** Counts and scores of earlier days are deleted. */
  historyFrom: Day | null;
  /** When the first account is due, in milliseconds since the epoch. */
  dueAt: number | null;
  /** The moment that outcomes refer to. */
  asOf: number | null;
}

const progress = columnsOf(accountProgress);
const fold = columnsOf(folds);
const message = columnsOf(messages);
const workspace = columnsOf(workspaceStates, "workspace");

const WATERMARK = expression<number>(`coalesce(${fold.watermark}, ${workspace.number} << 32)`);

const selectProgress = (which: string) =>
  prepareQuery(
    {
      id: workspace.id,
      number: workspace.number,
      watermark: WATERMARK,
      newest: expression<number>(`max(${WATERMARK}, coalesce(${newestSeq(workspace.number)}, 0))`),
      tailSince: expression<number | null>(`(
  SELECT ${message.receivedAt} FROM ${message.table}
  WHERE ${message.seq} > ${WATERMARK} AND ${inOwnRange(message.seq, workspace.number)} ORDER BY ${message.seq} LIMIT 1)`),
      rebuildDay: nullable(fold.rebuildDay),
      rebuiltThrough: nullable(fold.rebuiltThrough),
      historyFrom: nullable(fold.historyFrom),
      asOf: nullable(fold.asOf),
      dueAt: expression<number | null>(`(
  SELECT min(${progress.dueAt}) FROM ${progress.table}
  WHERE ${progress.workspace} = ${workspace.number} AND ${progress.dueAt} IS NOT NULL)`),
    },
    (columns) => `
SELECT ${columns} FROM ${workspace.table} LEFT JOIN ${fold.table} ON ${fold.workspace} = ${workspace.number}
WHERE ${workspace.state} = 'live' AND ${which}`,
  );

const SELECT_ALL = selectProgress("TRUE");
const SELECT_ONE = selectProgress(`${workspace.number} = :workspace`);

/** Lists the live workspaces of a database. */
export async function listProgress(env: Env, database: string): Promise<WorkspaceProgress[]> {
  const [{ results }] = await runBatch(databaseOf(env, { database }), [SELECT_ALL.bind({})]);
  return results;
}

const CREATE = prepare(`
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark})
SELECT :workspace, :workspace << 32 WHERE ${MAY_WRITE}
ON CONFLICT DO NOTHING`);

/** Reads the progress of a run's workspace. @returns `null` when the workspace doesn't live in the session's database */
export async function readProgress(session: Session, { number }: WorkspaceRef): Promise<WorkspaceProgress | null> {
  const [, { results }] = await session.batch([
    CREATE.bind({ workspace: number, holder: session.holder }),
    SELECT_ONE.bind({ workspace: number }),
  ]);
  return results[0] ?? null;
}

/** Whether there is anything to do. */
export const hasWork = ({ dueAt, newest, watermark, rebuildDay }: WorkspaceProgress, now: number): boolean =>
  newest > watermark || rebuildDay !== null || (dueAt !== null && dueAt <= now);

/**
 * A fold writes a row for each user and event of a day, so two folds of a few messages write nearly twice as much as one.
 * Answers count unfolded messages too: docs/decisions/0039-fold-when-it-pays.md.
 */
const FOLD_FROM_MESSAGES = 5_000;
const FOLD_AFTER_MS = HOUR_MS;

/** Whether the work can't wait: the tail is long or old, an account is due, or a rebuild isn't finished. */
export const isDue = ({ dueAt, newest, watermark, rebuildDay, tailSince }: WorkspaceProgress, now: number): boolean =>
  rebuildDay !== null ||
  (dueAt !== null && dueAt <= now) ||
  newest - watermark >= FOLD_FROM_MESSAGES ||
  (tailSince !== null && tailSince <= now - FOLD_AFTER_MS);

const CONFIRM_IDLE = prepare(`
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}, ${fold.asOf})
SELECT value, value << 32, :now FROM json_each(:workspaces) WHERE ${isLive("value")}
ON CONFLICT (${fold.workspace}) DO UPDATE SET ${fold.asOf} = max(coalesce(${fold.asOf}, 0), excluded.${fold.asOf})`);

/** Records that the outcomes of workspaces without work are up to date. */
export async function confirmIdle(
  env: Env,
  database: string,
  idle: readonly WorkspaceProgress[],
  now: number,
): Promise<void> {
  const workspaces = JSON.stringify(idle.map(({ number }) => number));
  await runBatch(databaseOf(env, { database }), [CONFIRM_IDLE.bind({ workspaces, now })]);
}
