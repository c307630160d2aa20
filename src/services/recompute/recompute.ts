/**
 * The recompute folds the log into rollups, scores due accounts and updates the inbox. The cron and the administration
 * both call this function, and nothing else writes outcomes.
 *
 * A run works in steps. Each step is a transaction that records its progress. A run may therefore stop anywhere, by its
 * budget or a crash, and the next one continues. Runs may also overlap or repeat without counting anything twice.
 */
import { MAX_RECOMPUTE_STALL_MS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { databaseNames, databaseOf } from "../../db/client/database.ts";
import { beginTurn, listProgress, type WorkspaceProgress } from "../../db/recompute/progress-sql.ts";
import { releaseLease, acquireLease } from "../../db/recompute/lease-sql.ts";
import { recordEnd, recordStart } from "../../db/recompute/runs.ts";
import { openSession, type Session } from "../../db/recompute/session.ts";
import { Failures } from "./failures.ts";
import { deleteOldMessages, foldWorkspace } from "./fold-workspace.ts";
import {
  FIGURES,
  type RecomputeOptions,
  type RecomputeOutcome,
  type Run,
  type RunRecord,
  STEP_SIZES,
} from "./model.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { scoreTurn, type Turn } from "./score-workspace.ts";

/**
 * Runs the recompute until nothing is due or the budget is used up.
 * @throws the failures of workspaces, after all others had their turn; DatabaseUnavailable when D1 is down
 */
export async function recompute(env: Env, options: RecomputeOptions): Promise<RecomputeOutcome> {
  const startedAt = options.clock();
  const id = `run_${crypto.randomUUID().replaceAll("-", "")}`;
  const done: RunRecord[] = [];
  for (const database of databaseNames(env)) {
    const session = openSession(databaseOf(env, { database }), id);
    // A run never waits for a lease: the lease's holder or the next run does the work.
    if (!(await acquireLease(session, startedAt, startedAt + options.budgetMs + MAX_RECOMPUTE_STALL_MS))) continue;
    try {
      done.push(await recomputeDatabase(session, database, { id, startedAt }, options));
    } finally {
      await releaseLease(session).catch(() => undefined); // the lease also expires
    }
  }
  const [first, ...others] = done;
  if (first === undefined) return { outcome: "skipped", reason: "running" };
  return { outcome: "done", run: others.reduce(addRuns, first) };
}

async function recomputeDatabase(
  session: Session,
  database: string,
  { id, startedAt }: { id: string; startedAt: number },
  options: RecomputeOptions,
): Promise<RunRecord> {
  const { now, trigger, clock, budgetMs, retentionDays, stepSizes = STEP_SIZES } = options;
  const start = { id, trigger, asOf: now, startedAt };
  await recordStart(session, start);
  const run: Run = {
    session,
    now,
    today: Math.floor(now / DAY_MS),
    cutoff: now - retentionDays * DAY_MS,
    isOver: () => clock() - startedAt >= budgetMs,
    sizes: stepSizes,
    figures: { eventsFolded: 0, accountsScored: 0, itemsOpened: 0, itemsResolved: 0, eventsDeleted: 0 },
  };
  const failures = new Failures();
  let complete = false;
  try {
    complete = await recomputeWorkspaces(run, await listProgress(session, database), failures);
  } catch (error) {
    failures.add(error);
  }
  const end = { ...run.figures, ...session.rows, finishedAt: clock(), complete: complete && failures.none };
  try {
    end.complete = await recordEnd(session, id, { ...end, fault: failures.text });
  } catch (error) {
    failures.add(error);
  }
  failures.throwAny();
  return { ...start, ...end };
}

/** Gives every workspace its turn. @returns false when the budget was used up before everything was done */
async function recomputeWorkspaces(
  run: Run,
  listed: readonly WorkspaceProgress[],
  failures: Failures,
): Promise<boolean> {
  // A turn goes from fold to score. The next run begins with the workspaces that had no turn in this one.
  const turns: Turn[] = [];
  for (const progress of listed) {
    if (run.isOver()) return false;
    await failures.collect(progress.workspace, async () => {
      if (!hasWork(run, progress)) return;
      await beginTurn(run.session, progress.workspace, run.now);
      if (!(await foldWorkspace(run, progress)) || !(await deleteOldMessages(run, progress))) return;
      const outageDays = await prepareWorkspace(run, progress.workspace);
      if (outageDays === null) return;
      const turn = { workspace: progress.workspace, outageDays };
      if (await scoreTurn(run, turn)) turns.push(turn);
    });
  }
  for (const turn of turns) {
    if (run.isOver()) return false;
    await failures.collect(turn.workspace, async () => {
      if (await scoreTurn(run, turn)) turns.push(turn);
    });
  }
  return !run.isOver();
}

const hasWork = (run: Run, { dueAt, newest, watermark, rebuild, oldest }: WorkspaceProgress): boolean =>
  newest > watermark ||
  rebuild !== null ||
  (dueAt !== null && dueAt <= run.now) ||
  (oldest !== null && oldest.receivedAt < run.cutoff);

function addRuns(a: RunRecord, b: RunRecord): RunRecord {
  const sums = FIGURES.map((figure) => [figure, a[figure] + b[figure]]);
  return { ...a, ...Object.fromEntries(sums), finishedAt: b.finishedAt, complete: a.complete && b.complete };
}
