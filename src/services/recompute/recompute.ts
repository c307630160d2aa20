/** Finds the workspaces that have work, and recomputes one or all of them within one request. */
import { recomputeSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { DAY_MS } from "../../core/durations.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import { confirmIdle, hasWork, listProgress, type WorkspaceProgress } from "../../db/recompute/progress-sql.ts";
import { MAX_RUN_STATEMENTS, NO_FIGURES, type RecomputeOptions, type RecomputeOutcome } from "./model.ts";
import { newRunId, recomputeWorkspace } from "./recompute-workspace.ts";

export { requestRebuild } from "../../db/recompute/request-rebuild.ts";

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
  if (confirming && idle.length > 0) await confirmIdle(env, database, refsOf(idle), now);
  return refsOf(due);
}

const refsOf = (listed: readonly WorkspaceProgress[]): WorkspaceRef[] => listed.map(({ workspace }) => workspace);

const onDemand = (env: Env, now: number) =>
  ({ now, trigger: "admin", clock: Date.now, ...recomputeSettings(env) }) as const;

/** Recomputes one workspace within one request. */
export const recomputeOne = (env: Env, workspace: WorkspaceRef, now: number): Promise<RecomputeOutcome> =>
  recomputeWorkspace(env, workspace, onDemand(env, now));

export const recomputeAll = (env: Env, now: number): Promise<RecomputeOutcome> => recompute(env, onDemand(env, now));

/**
 * Recomputes one workspace after the other until the budget is used up.
 * @throws DatabaseUnavailable when a database is down; else the failures of workspaces, after all others had their turn
 */
export async function recompute(env: Env, options: RecomputeOptions): Promise<RecomputeOutcome> {
  const { now, trigger, clock, budgetMs, maxStatements = MAX_RUN_STATEMENTS } = options;
  const startedAt = clock();
  const id = newRunId();
  const failures: unknown[] = [];
  const figures = { ...NO_FIGURES };
  let complete = true;
  const count = { sent: 0 };
  let [runs, skipped] = [0, 0];
  for (const database of databaseNames(env)) {
    for (const workspace of await listRecomputes(env, database, now, true, options)) {
      const at = clock();
      const leftMs = startedAt + budgetMs - at;
      if (leftMs <= 0 || count.sent >= maxStatements) {
        complete = false;
        break;
      }
      try {
        const result = await recomputeWorkspace(
          env,
          workspace,
          { ...options, startedAt: at, budgetMs: leftMs, count },
          id,
        );
        if (result.outcome === "skipped") {
          skipped += 1;
          continue;
        }
        runs += 1;
        complete &&= result.run.complete;
        for (const figure of typedKeys(NO_FIGURES)) figures[figure] += result.run[figure];
      } catch (error) {
        if (error instanceof DatabaseUnavailable && error.kind !== "timed_out") throw error;
        console.error(JSON.stringify({ operation: "recompute", workspace: workspace.id, fault: describeFault(error) }));
        failures.push(error);
      }
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} workspaces failed to recompute`);
  if (failures.length === 1) throw failures[0];
  if (runs === 0 && skipped > 0) return { outcome: "skipped", reason: "running" };
  const times = { asOf: now, startedAt, finishedAt: clock() };
  return { outcome: "done", run: { id, trigger, ...times, ...figures, complete } };
}
