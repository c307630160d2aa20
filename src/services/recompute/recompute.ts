/** Finds the workspaces that have work, and recomputes one or all of them within one request. */
import { sum } from "d3-array";

import { recomputeSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { DAY_MS } from "../../core/durations.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import { confirmIdle, hasWork, listProgress } from "../../db/recompute/progress-sql.ts";
import { MAX_RUN_STATEMENTS, NO_FIGURES, type RecomputeOptions, type RecomputeOutcome } from "./model.ts";
import { newRunId, recomputeWorkspace } from "./recompute-workspace.ts";

export { requestRebuild } from "../../db/recompute/rebuild-sql.ts";

/**
 * Lists the workspaces of a database that have work.
 * @param confirming whether the others' outcomes are marked as good as new
 */
export async function listRecomputes(
  env: Env,
  database: string,
  now: number,
  confirming: boolean,
  { retentionDays }: { retentionDays: number } = recomputeSettings(env),
): Promise<WorkspaceRef[]> {
  const cutoff = now - retentionDays * DAY_MS;
  const { due = [], idle = [] } = Object.groupBy(await listProgress(env, database), (progress) =>
    hasWork(progress, { now, cutoff }) ? "due" : "idle",
  );
  if (confirming && idle.length > 0) await confirmIdle(env, database, idle, now);
  return due.map(({ workspace }) => workspace);
}

const onDemand = (env: Env, now: number) =>
  ({ now, trigger: "admin", clock: Date.now, ...recomputeSettings(env) }) as const;

/** Recomputes one workspace within one request. */
export const recomputeOne = (env: Env, workspace: WorkspaceRef, now: number): Promise<RecomputeOutcome> =>
  recomputeWorkspace(env, workspace, onDemand(env, now));

export const recomputeAll = (env: Env, now: number): Promise<RecomputeOutcome> => recompute(env, onDemand(env, now));

/** The statements that list the workspaces of a database. */
const LISTING_STATEMENTS = 2;

/**
 * Recomputes one workspace after the other until the budget is used up.
 * @throws DatabaseUnavailable when a database is down; else the failures of workspaces, after all others had their turn
 */
export async function recompute(env: Env, options: RecomputeOptions): Promise<RecomputeOutcome> {
  const { now, trigger, clock, budgetMs, maxStatements = MAX_RUN_STATEMENTS } = options;
  const startedAt = clock();
  const id = newRunId();
  const failures: unknown[] = [];
  const results: RecomputeOutcome[] = [];
  const count = { sent: 0 };
  let complete = true;
  for (const database of databaseNames(env)) {
    if (!complete) break;
    count.sent += LISTING_STATEMENTS;
    for (const workspace of await listRecomputes(env, database, now, true, options)) {
      const at = clock();
      const left = { ...options, startedAt: at, budgetMs: startedAt + budgetMs - at, count };
      if (left.budgetMs <= 0 || count.sent >= maxStatements) {
        complete = false;
        break;
      }
      try {
        results.push(await recomputeWorkspace(env, workspace, left, id));
      } catch (error) {
        if (error instanceof DatabaseUnavailable && error.kind !== "timed_out") throw error;
        console.error(JSON.stringify({ operation: "recompute", workspace: workspace.id, fault: describeFault(error) }));
        failures.push(error);
      }
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} workspaces failed to recompute`);
  if (failures.length === 1) throw failures[0];
  const runs = results.flatMap((result) => (result.outcome === "done" ? [result.run] : []));
  if (runs.length === 0 && results.length > 0) return { outcome: "skipped", reason: "running" };
  const figures = { ...NO_FIGURES };
  for (const figure of typedKeys(figures)) figures[figure] = sum(runs, (run) => run[figure]);
  complete &&= runs.every((run) => run.complete);
  return { outcome: "done", run: { id, trigger, asOf: now, startedAt, finishedAt: clock(), ...figures, complete } };
}
