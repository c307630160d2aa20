import { eraseMarked, listMarkedErased } from "./db/erasure.ts";
import { askObject } from "./limiter/ask-object.ts";
import { purgeExpiredRejections } from "./db/rejection-store.ts";

const DAY_MS = 86_400_000;
const CRON_INTERVAL_MS = 300_000;

/**
 * Housekeeping. The cron fires at least once and may overlap itself: all of this may run twice.
 * @param now when the run was due, milliseconds since the epoch
 */
export async function housekeeping(env: Env, now: number): Promise<void> {
  for (const workspace of await listMarkedErased(env)) {
    await askObject(env, workspace.id, (object) => object.erase());
    await eraseMarked(env, workspace);
  }
  if (now % DAY_MS < CRON_INTERVAL_MS) await purgeExpiredRejections(env, now);
}
