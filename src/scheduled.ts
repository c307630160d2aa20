import { recomputeSettings } from "./config.ts";
import { describeFault } from "./core/describe-fault.ts";
import { HOUR_MS } from "./core/durations.ts";
import { finishWithdrawals } from "./services/identity.ts";
import { eraseMarked, listMarkedErased } from "./services/workspaces/workspaces.ts";
import { purgeExpiredRejections } from "./services/events.ts";
import { finishUserErasures } from "./services/users.ts";
import { callLimiter } from "./services/limiter.ts";
import { recompute } from "./services/recompute/recompute.ts";

const CRON_INTERVAL_MS = 300_000;

/**
 * What the Cron Trigger runs: the recompute, and housekeeping beside it. Erasures (of workspaces, of users, of what a
 * withdrawn agreement covered) that were cut short are finished by each run, rejected messages past their retention
 * deleted by the first of each hour. The cron fires at least once and may overlap itself: all of this may run twice. What
 * fails leaves the rest alone, is logged, and is done by a later run.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when anything failed
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  const tasks = [finishErasures(env), finishUserErasures(env), finishWithdrawals(env), recomputeAll(env, now)];
  if (now % HOUR_MS < CRON_INTERVAL_MS) tasks.push(purgeExpiredRejections(env, now));
  await settle(tasks);
}

async function recomputeAll(env: Env, now: number): Promise<void> {
  const settings = recomputeSettings(env);
  const { outcome, ...told } = await recompute(env, { now, trigger: "cron", clock: Date.now, ...settings });
  console.log(JSON.stringify({ operation: "recompute", outcome, ...told }));
}

async function finishErasures(env: Env): Promise<void> {
  const marked = await listMarkedErased(env);
  await settle(
    marked.map(async (workspace) => {
      await callLimiter(env, workspace.id, (limiter) => limiter.erase());
      await eraseMarked(env, workspace);
    }),
  );
}

async function settle(tasks: Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks);
  const failures: unknown[] = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length === 0) return;
  for (const failure of failures) {
    if (failure instanceof AggregateError) continue; // its parts were logged
    console.error(JSON.stringify({ operation: "scheduled", fault: describeFault(failure) }));
  }
  throw new AggregateError(failures, `${failures.length} of ${tasks.length} tasks failed`);
}
