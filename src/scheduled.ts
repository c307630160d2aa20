import { eraseMarked, listMarkedErased } from "./db/erasure.ts";
import { purgeExpiredRejections } from "./db/rejection-store.ts";
import { askObject } from "./limiter/ask-object.ts";

const HOUR_MS = 3_600_000;
const CRON_INTERVAL_MS = 300_000;

/**
 * Housekeeping. The cron fires at least once and may overlap itself: all of this may run twice. Erasures that were cut
 * short are finished each time, rejected messages past their retention deleted each hour. One that fails leaves the
 * others alone, and is tried again by the next run.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when anything failed
 */
export async function housekeeping(env: Env, now: number): Promise<void> {
  const work = (await listMarkedErased(env)).map(async (workspace) => {
    await askObject(env, workspace.id, (object) => object.erase());
    await eraseMarked(env, workspace);
  });
  if (now % HOUR_MS < CRON_INTERVAL_MS) work.push(purgeExpiredRejections(env, now));
  const failures = (await Promise.allSettled(work)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${work.length} tasks failed`);
}
