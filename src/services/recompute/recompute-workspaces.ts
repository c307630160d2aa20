/**
 * The recompute folds a workspace's log into rollups, scores due accounts and updates the inbox. The queue and the
 * administration both call it, and nothing else writes outcomes.
 *
 * A run works in steps. Each step is a transaction that records its progress. A run may therefore stop anywhere, by its
 * budget or a crash, and the next one continues. Runs may also overlap or repeat without counting anything twice.
 */
import { max, sum } from "d3-array";

import { MAX_RECOMPUTE_STALL_MS, recomputeSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { DAY_MS } from "../../core/durations.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import { hasImport } from "../../db/workspaces/imports.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { confirmIdle, hasWork, isDue, listProgress, readProgress } from "../../db/recompute/progress-sql.ts";
import { recordEnd, recordStart, type RunStart } from "../../db/recompute/runs.ts";
import { openSession } from "../../db/recompute/session.ts";
import { foldWorkspace, shortenHistory } from "./fold-workspace.ts";
import {
  MAX_RUN_STATEMENTS,
  NO_FIGURES,
  type RecomputeOptions,
  type RecomputeOutcome,
  type RunState,
  STEP_SIZES,
} from "./run-state.ts";
import { compareAccounts, scoreDue, summarizeAccountDays } from "./score-workspace.ts";

const newRunId = (): string => `run_${crypto.randomUUID().replaceAll("-", "")}`;

/**
 * Runs the recompute of a workspace until nothing is due or the budget is used up.
 * @throws the failure that ended the run, after recording it
 */
export async function recomputeWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  options: RecomputeOptions,
  id = newRunId(),
): Promise<RecomputeOutcome> {
  const { now, trigger, clock = Date.now, budgetMs, historyDays } = { ...recomputeSettings(env), ...options };
  const { count = { sent: 0 }, maxStatements = MAX_RUN_STATEMENTS, stepSizes } = options;
  const startedAt = clock();
  const session = openSession(env, workspace, id, count);
  // A run never waits for a lease: the lease's holder or the next run does the work.
  const lease = { now: startedAt, expiresAt: startedAt + budgetMs + MAX_RECOMPUTE_STALL_MS };
  if (!(await acquireLease(session, "recompute", lease))) {
    return { outcome: "skipped", reason: "running" };
  }
  const today = Math.floor(now / DAY_MS);
  const run: RunState = {
    env,
    workspace,
    session,
    now,
    today,
    historyFrom: today - historyDays,
    isOver: () => clock() - startedAt >= budgetMs || count.sent >= maxStatements,
    sizes: { ...STEP_SIZES, ...stepSizes },
    figures: { ...NO_FIGURES },
  };
  try {
    return await runRecorded(run, { id, trigger, asOf: now, startedAt }, clock);
  } finally {
    await releaseLease(session).catch(() => undefined); // the lease also expires
  }
}

async function runRecorded(
  run: RunState,
  record: Omit<RunStart, "workspace">,
  clock: () => number,
): Promise<RecomputeOutcome> {
  const { session } = run;
  const start = { ...record, workspace: run.workspace.number };
  await recordStart(session, start);
  const [done] = await Promise.allSettled([runSteps(run)]);
  const end = done.status === "fulfilled" ? done.value : "stopped";
  const fault = done.status === "rejected" ? describeFault(done.reason) : null;
  const figures = { ...run.figures, ...session.rows, finishedAt: clock() };
  const complete = await recordEnd(
    session,
    start,
    { ...figures, complete: end !== "stopped", fault },
    end !== "scoring_waits",
  );
  if (done.status === "rejected") throw done.reason;
  return { outcome: "done", run: { ...record, ...figures, complete } };
}

/** `stopped` before everything was done; `scoring_waits` for the end of an import */
type RunEnd = "done" | "stopped" | "scoring_waits";

async function runSteps(run: RunState): Promise<RunEnd> {
  const progress = await readProgress(run.session, run.workspace);
  // Outcomes never go back in time: clocks may differ, and an administrator may name the time.
  if (progress === null || (progress.asOf ?? 0) > run.now) return "done";
  if (!hasWork(progress, run.now)) return "done";
  if (!(await foldWorkspace(run, progress)) || !(await shortenHistory(run, progress))) return "stopped";
  // A run doesn't need the directory. If it scores too early while the directory is down, the import's end scores again.
  if (await hasImport(run.env, run.workspace).catch(() => false)) return "scoring_waits";
  if (!(await summarizeAccountDays(run))) return "stopped";
  const outageDays = await compareAccounts(run);
  return outageDays !== null && (await scoreDue(run, outageDays)) ? "done" : "stopped";
}

/**
 * Lists the workspaces of a database whose work can't wait.
 * @param all whether to list those with work that can wait, too
 * @param confirming whether to mark the outcomes of workspaces without work as up to date
 * @returns also how long the database's oldest unfolded message has waited
 * @throws RangeError when a setting is wrong, before anything changes
 */
export async function listRecomputes(
  env: Env,
  database: string,
  now: number,
  { all, confirming }: Record<"all" | "confirming", boolean>,
): Promise<{ due: WorkspaceRef[]; oldestUnfoldedMs: number }> {
  recomputeSettings(env);
  const listed = await listProgress(env, database);
  const oldestUnfoldedMs = max(listed, ({ tailSince }) => (tailSince === null ? 0 : now - tailSince)) ?? 0;
  const { working = [], idle = [] } = Object.groupBy(listed, (progress) =>
    hasWork(progress, now) ? "working" : "idle",
  );
  if (confirming && idle.length > 0) await confirmIdle(env, database, idle, now);
  const due = working.filter((progress) => all || isDue(progress, now));
  return { due: due.map(({ id, number }) => ({ id, number, database })), oldestUnfoldedMs };
}

/** The statements that list the workspaces of a database. */
const LISTING_STATEMENTS = 2;

/**
 * Recomputes one workspace after the other until the budget is used up.
 * @throws DatabaseUnavailable when a database is down; else the failures of workspaces, after all others had their turn
 */
export async function recompute(env: Env, options: RecomputeOptions): Promise<RecomputeOutcome> {
  const { now, trigger, clock = Date.now, budgetMs } = { ...recomputeSettings(env), ...options };
  const { maxStatements = MAX_RUN_STATEMENTS } = options;
  const startedAt = clock();
  const id = newRunId();
  const failures: unknown[] = [];
  const results: RecomputeOutcome[] = [];
  const count = { sent: 0 };
  let complete = true;
  for (const database of databaseNames(env)) {
    if (!complete) break;
    count.sent += LISTING_STATEMENTS;
    const { due } = await listRecomputes(env, database, now, { all: true, confirming: true });
    for (const workspace of due) {
      const left = { ...options, budgetMs: startedAt + budgetMs - clock(), count };
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
