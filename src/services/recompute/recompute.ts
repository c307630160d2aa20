/**
 * The recompute: folds the log into rollups, scores the accounts that are due, and keeps the inbox. The cron and the
 * administration run it by this one function, and nothing else writes an outcome.
 *
 * A run does its work in steps, each a transaction of its own that says how far it came. So it may be stopped anywhere,
 * by its budget or by a crash, and the next one goes on; and it may be run twice, or overlap another, without counting
 * anything twice.
 */
import { MAX_RECOMPUTE_STALL_MS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { allDatabases } from "../../db/client/database.ts";
import { beginTurn, listProgress, type WorkspaceProgress } from "../../db/recompute/progress-sql.ts";
import { releaseLease, acquireLease } from "../../db/recompute/lease-sql.ts";
import { recordEnd, recordStart } from "../../db/recompute/runs.ts";
import { openSession, type Session } from "../../db/recompute/session.ts";
import { Failures } from "./failures.ts";
import { deleteOldMessages, foldWorkspace } from "./fold-workspace.ts";
import { type RecomputeOptions, type RecomputeOutcome, type RunFigures, type RunRecord, STEP_SIZES } from "./model.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";
import type { Run } from "./run.ts";
import { scoreTurn, type Turn } from "./score-workspace.ts";

/**
 * Runs the recompute until all that is due is done, or its budget is used up.
 * @throws AggregateError when workspaces failed, after all others were done; DatabaseUnavailable when D1 is away
 */
export async function recompute(env: Env, options: RecomputeOptions): Promise<RecomputeOutcome> {
  const startedAt = options.clock();
  const id = `run_${crypto.randomUUID().replaceAll("-", "")}`;
  const done: RunRecord[] = [];
  for (const db of allDatabases(env)) {
    const session = openSession(db, id);
    // Another's lease is waited for by nobody: whatever is due is seen by its holder, or by the next run.
    if (!(await acquireLease(session, startedAt, startedAt + options.budgetMs + MAX_RECOMPUTE_STALL_MS))) continue;
    try {
      done.push(await runOn(session, id, startedAt, options));
    } finally {
      await releaseLease(session).catch(() => undefined); // it ends by itself
    }
  }
  const [first, ...others] = done;
  if (first === undefined) return { outcome: "skipped", reason: "running" };
  return { outcome: "done", run: others.reduce((sum, run) => together(sum, run), first) };
}

async function runOn(session: Session, id: string, startedAt: number, options: RecomputeOptions): Promise<RunRecord> {
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
    complete = await work(run, failures);
  } catch (error) {
    failures.add(error);
  }
  const { rowsRead, rowsWritten } = session;
  const end = { ...run.figures, rowsRead, rowsWritten, finishedAt: clock(), complete: complete && failures.none };
  try {
    end.complete = await recordEnd(session, id, { ...end, fault: failures.text });
  } catch (error) {
    failures.add(error);
  }
  failures.throwAny();
  return { ...start, ...end };
}

/** @returns false where the budget was used up before everything was done */
async function work(run: Run, failures: Failures): Promise<boolean> {
  // Each workspace has its turn from fold to score, and the next run begins with those that had none in this one.
  const turns: Turn[] = [];
  for (const progress of await listProgress(run.session)) {
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

/** What a fold makes due is due at once. */
const hasWork = (run: Run, { dueAt, newest, watermark, rebuild, oldest }: WorkspaceProgress): boolean =>
  newest > watermark ||
  rebuild !== null ||
  (dueAt !== null && dueAt <= run.now) ||
  (oldest !== null && oldest.receivedAt < run.cutoff);

function together(a: RunRecord, b: RunRecord): RunRecord {
  const sum = (of: keyof RunFigures) => a[of] + b[of];
  return {
    ...a,
    eventsFolded: sum("eventsFolded"),
    accountsScored: sum("accountsScored"),
    itemsOpened: sum("itemsOpened"),
    itemsResolved: sum("itemsResolved"),
    eventsDeleted: sum("eventsDeleted"),
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    finishedAt: b.finishedAt,
    complete: a.complete && b.complete,
  };
}
