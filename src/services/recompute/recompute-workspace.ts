/**
 * The recompute folds a workspace's log into rollups, scores due accounts and updates the inbox. The queue and the
 * administration both call this function, and nothing else writes outcomes.
 *
 * A run works in steps. Each step is a transaction that records its progress. A run may therefore stop anywhere, by its
 * budget or a crash, and the next one continues. Runs may also overlap or repeat without counting anything twice.
 */
import { MAX_RECOMPUTE_STALL_MS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { databaseOf, type WorkspaceRef } from "../../db/client/database.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { hasWork, readProgress } from "../../db/recompute/progress-sql.ts";
import { recordEnd, recordStart, type RunStart } from "../../db/recompute/runs.ts";
import { openSession } from "../../db/recompute/session.ts";
import { foldWorkspace, shortenHistory } from "./fold-workspace.ts";
import {
  MAX_RUN_STATEMENTS,
  NO_FIGURES,
  type RecomputeOptions,
  type RecomputeOutcome,
  type Run,
  STEP_SIZES,
} from "./model.ts";
import { compareAccounts, summarizeAccountDays } from "./prepare-workspace.ts";
import { scoreDue } from "./score-workspace.ts";

export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll("-", "")}`;

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
  const { now, trigger, clock, startedAt = clock(), budgetMs, maxStatements = MAX_RUN_STATEMENTS } = options;
  const { count = { sent: 0 }, historyDays = Infinity, stepSizes } = options;
  const session = openSession(databaseOf(env, workspace), id, count);
  // A run never waits for a lease: the lease's holder or the next run does the work.
  if (!(await acquireLease(session, workspace, startedAt, startedAt + budgetMs + MAX_RECOMPUTE_STALL_MS))) {
    return { outcome: "skipped", reason: "running" };
  }
  const today = Math.floor(now / DAY_MS);
  const run: Run = {
    env,
    session,
    now,
    today,
    historyFrom: today - historyDays,
    isOver: () => clock() - startedAt >= budgetMs || count.sent >= maxStatements,
    sizes: { ...STEP_SIZES, ...stepSizes },
    figures: { ...NO_FIGURES },
  };
  try {
    return await runRecorded(run, workspace, { id, trigger, asOf: now, startedAt }, clock);
  } finally {
    await releaseLease(session, workspace).catch(() => undefined); // the lease also expires
  }
}

async function runRecorded(
  run: Run,
  workspace: WorkspaceRef,
  record: Omit<RunStart, "workspace">,
  clock: () => number,
): Promise<RecomputeOutcome> {
  const { session } = run;
  const start = { ...record, workspace: workspace.number };
  await recordStart(session, start);
  const [done] = await Promise.allSettled([recompute(run, workspace)]);
  const complete = done.status === "fulfilled" && done.value;
  const fault = done.status === "rejected" ? describeFault(done.reason) : null;
  const end = { ...run.figures, ...session.rows, finishedAt: clock(), complete };
  const recorded = await recordEnd(session, start, { ...end, fault });
  if (done.status === "rejected") throw done.reason;
  return { outcome: "done", run: { ...record, ...end, complete: recorded } };
}

/** @returns false when the run must stop before everything is done */
async function recompute(run: Run, workspace: WorkspaceRef): Promise<boolean> {
  const progress = await readProgress(run.session, workspace);
  // A task that comes late must not score again as of an earlier time.
  if (progress === null || (progress.asOf ?? 0) > run.now) return true;
  if (!hasWork(progress, run.now)) return true;
  if (!(await foldWorkspace(run, progress)) || !(await shortenHistory(run, progress))) return false;
  if (!(await summarizeAccountDays(run, workspace))) return false;
  const outageDays = await compareAccounts(run, workspace);
  return outageDays !== null && (await scoreDue(run, workspace, outageDays));
}
