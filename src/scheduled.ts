/**
 * Runs what the Cron Trigger starts. It queues tasks (services/tasks/enqueue-due-tasks.ts), each for one workspace:
 *
 * | task | due when | does |
 * | --- | --- | --- |
 * | recompute | messages are unfolded, an account is due for a score, a rebuild was requested | folds and scores |
 * | archive | messages or files are old, a file has erased people, a database fills up | moves, deletes, rewrites |
 * | archive, hourly | the workspace has a storage limit | also measures how much room is left |
 * | move | the directory has an unfinished move | copies a part, or completes the move |
 * | erase_workspace | an erasure or a creation was interrupted a minute ago | erases the rest |
 * | erase_users | an erasure of a user is unfinished | clears the log further |
 *
 * It finishes changes of agreements, measures the databases, and deletes old rejected messages and rows of the audit log itself.
 */
import { describeFault } from "./core/describe-fault.ts";
import { HOUR_MS } from "./core/durations.ts";
import { purgeAudit } from "./db/audit/audit-log.ts";
import { purgeExpiredRejections } from "./db/events/rejections.ts";
import { finishAgreementChanges } from "./db/identity/agreement.ts";
import { measureDatabases } from "./services/database-placement.ts";
import { enqueueDue } from "./services/tasks/enqueue-due-tasks.ts";

/** As `crons` in wrangler.toml. */
const CRON_INTERVAL_MS = 300_000;

/**
 * Queues a task for each workspace with work, finishes interrupted changes of agreements, and measures the databases. The
 * first run of each hour also deletes rejected messages and rows of the audit log that are past their retention. A task that fails is logged and
 * left to a later run; the others continue. The cron fires at least once and may overlap itself, so every task is safe
 * to repeat.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when a task failed
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  const isHourly = now % HOUR_MS < CRON_INTERVAL_MS;
  const tasks = [...enqueueDue(env, now, isHourly), finishAgreementChanges(env), ...measureDatabases(env)];
  if (isHourly) tasks.push(purgeExpiredRejections(env, now), purgeAudit(env, now));
  const settled = await Promise.allSettled(tasks);
  const failures: unknown[] = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const failure of failures) {
    console.error(JSON.stringify({ operation: "scheduled", fault: describeFault(failure) }));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${tasks.length} tasks failed`);
}
