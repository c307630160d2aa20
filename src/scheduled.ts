/** Runs what the Cron Trigger starts: it queues work on single workspaces, and does small housekeeping itself. */
import { describeFault } from "./core/describe-fault.ts";
import { HOUR_MS } from "./core/durations.ts";
import { purgeExpiredRejections } from "./db/events/rejections.ts";
import { finishAgreementChanges } from "./db/identity/agreement.ts";
import { measureDatabases } from "./services/database-placement.ts";
import { enqueueDue } from "./services/tasks/run-task.ts";

const CRON_INTERVAL_MS = 300_000;

/**
 * Queues a task for each workspace with work, finishes interrupted changes of agreements, and measures the databases. The
 * first run of each hour also deletes rejected messages that are past their retention. A task that fails is logged and
 * left to a later run; the others continue. The cron fires at least once and may overlap itself, so every task is safe
 * to repeat.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when a task failed
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  const isHourly = now % HOUR_MS < CRON_INTERVAL_MS;
  const tasks = [...enqueueDue(env, now, isHourly), finishAgreementChanges(env), ...measureDatabases(env)];
  if (isHourly) tasks.push(purgeExpiredRejections(env, now));
  const settled = await Promise.allSettled(tasks);
  const failures: unknown[] = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const failure of failures) {
    console.error(JSON.stringify({ operation: "scheduled", fault: describeFault(failure) }));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${tasks.length} tasks failed`);
}
