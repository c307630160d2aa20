/** Runs what the Cron Trigger starts: the recompute and housekeeping. */
import { HOUR_MS } from "./core/durations.ts";
import { purgeExpiredRejections } from "./services/events.ts";
import { finishAgreementChanges } from "./services/identity.ts";
import { recomputeAll } from "./services/recompute/recompute-all.ts";
import { settleAll } from "./services/settle-all.ts";
import { finishUserErasures } from "./services/users.ts";
import { finishWorkspaceErasures } from "./services/workspaces/erase-workspace.ts";

const CRON_INTERVAL_MS = 300_000;

/**
 * Recomputes all workspaces and finishes interrupted erasures. The first run of each hour also deletes rejected
 * messages that are past their retention. A task that fails is logged and left to a later run; the others go on. The
 * cron fires at least once and may overlap itself. Only the recompute has a lease; the other tasks are safe to repeat.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when a task failed
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  const tasks = [
    finishWorkspaceErasures(env, now),
    finishUserErasures(env),
    finishAgreementChanges(env),
    logRecompute(env, now),
  ];
  if (now % HOUR_MS < CRON_INTERVAL_MS) tasks.push(purgeExpiredRejections(env, now));
  await settleAll(tasks);
}

async function logRecompute(env: Env, now: number): Promise<void> {
  const { outcome, ...details } = await recomputeAll(env, "cron", now);
  console.log(JSON.stringify({ operation: "recompute", outcome, ...details }));
}
