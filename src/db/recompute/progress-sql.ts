/** Reads the progress of workspaces. */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { isLive, newestSeq } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { accountProgress, folds, workspaceStates } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface WorkspaceProgress {
  id: string;
  number: number;
  watermark: number;
  /** The seq of the newest message; equal to the watermark when everything is folded. */
  newest: number;
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

const a = columnsOf(accountProgress);
const f = columnsOf(folds, "f");
const fold = columnsOf(folds);
const w = columnsOf(workspaceStates, "w");

const WATERMARK = `coalesce(${f.watermark}, ${w.number} << 32)`;

const selectProgress = (which: string): string => `
SELECT ${w.id} AS id, ${w.number} AS number, ${WATERMARK} AS watermark,
  max(${WATERMARK}, coalesce(${newestSeq(w.number)}, 0)) AS newest,
  ${f.rebuildDay} AS rebuildDay, ${f.rebuiltThrough} AS rebuiltThrough, ${f.historyFrom} AS historyFrom, ${f.asOf} AS asOf,
  (SELECT min(${a.dueAt}) FROM ${a.table} WHERE ${a.workspace} = ${w.number} AND ${a.dueAt} IS NOT NULL) AS dueAt
FROM ${w.table} LEFT JOIN ${f.table} ON ${f.workspace} = ${w.number}
WHERE ${w.state} = 'live' AND ${which}`;

/** Lists the live workspaces of a database. */
export async function listProgress(env: Env, database: string): Promise<WorkspaceProgress[]> {
  const [{ results }] = await runBatch(databaseOf(env, { database }), [
    statement<WorkspaceProgress>(selectProgress("TRUE")),
  ]);
  return results;
}

const CREATE = `
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}) SELECT ?1, ?1 << 32 WHERE ${mayWrite("?2", "?1")}
ON CONFLICT DO NOTHING`;

/** Reads the progress of a run's workspace. @returns `null` when the workspace doesn't live in the session's database */
export async function readProgress(session: Session, { number }: WorkspaceRef): Promise<WorkspaceProgress | null> {
  const [, { results }] = await session.batch([
    statement(CREATE, number, session.holder),
    statement<WorkspaceProgress>(selectProgress(`${w.number} = ?1`), number),
  ]);
  return results[0] ?? null;
}

/** Whether there is anything to do. */
export const hasWork = ({ dueAt, newest, watermark, rebuildDay }: WorkspaceProgress, now: number): boolean =>
  newest > watermark || rebuildDay !== null || (dueAt !== null && dueAt <= now);

const CONFIRM_IDLE = `
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}, ${fold.asOf})
SELECT value, value << 32, ?2 FROM json_each(?1) WHERE ${isLive("value")}
ON CONFLICT (${fold.workspace}) DO UPDATE SET ${fold.asOf} = max(coalesce(${fold.asOf}, 0), excluded.${fold.asOf})`;

/** Records that outcomes of workspaces without work are as good as new. */
export async function confirmIdle(
  env: Env,
  database: string,
  idle: readonly WorkspaceProgress[],
  now: number,
): Promise<void> {
  const numbers = JSON.stringify(idle.map(({ number }) => number));
  await runBatch(databaseOf(env, { database }), [statement(CONFIRM_IDLE, numbers, now)]);
}
