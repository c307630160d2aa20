/**
 * Delivers what is due for a destination, in a queue of its own: a slow receiver must not delay the recompute or another
 * destination. A task stops early and queues the rest. The cron finds what waits for minutes, and what a lost task left.
 */
import { describeFault } from "../../core/describe-fault.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Claim, claimDue, listDue, releaseDestination } from "../../db/destinations/claims.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import { type DeliveryTask, enqueueDeliveries } from "../tasks/enqueue.ts";
import { attemptDelivery, newId } from "./attempt.ts";

const MAX_TASK_MS = 60_000;
/** A notification takes up to 13 statements of the 1,000 that an invocation may send. */
const MAX_NOTIFICATIONS = 50;
/** Slack takes a message a second. */
const PAUSE_MS = 1_000;
/** Only such waits use the queue. */
const MAX_QUEUE_DELAY_MS = 60_000;

/** Queues a task for each destination of a database for which something is due. */
export async function queueDeliveries(env: Env, database: string, now: number): Promise<void> {
  const due = await listDue(env, database, now);
  await enqueueDeliveries(
    env,
    due.map((each) => ({ task: "deliver", ...each })),
  );
}

/**
 * @param now when the task began
 * @param timeoutMs for each response; by default 15 s
 * @throws AggregateError when notifications could not be read or recorded. They stay claimed for two minutes.
 */
export async function deliver(env: Env, task: DeliveryTask, now: number, timeoutMs?: number): Promise<void> {
  const { workspace, destination: ref } = task;
  const startedAt = Date.now();
  const clock = () => now + Date.now() - startedAt;
  const total = { sent: 0, failed: 0, givenUp: 0 };
  const retries: number[] = [];
  let disabled: string | null = null;
  let fault: string | undefined;
  let claims = 0;
  let isMore = false;
  let held: number | null = null;
  do {
    const claim: Claim = await claimDue(env, workspace, ref, { summaryId: newId("ntf"), now: clock(), held });
    const { destination, claimed } = claim;
    ({ held } = claim);
    isMore = false;
    if (destination === undefined || claimed.length === 0) break;
    claims += claimed.length;
    const steps = await attemptAll(env, workspace, destination, claimed, clock(), timeoutMs);
    const failed = steps.filter(({ outcome }) => outcome !== "delivered");
    total.sent += steps.length;
    total.failed += failed.length;
    total.givenUp += failed.filter(({ nextAttemptAt }) => nextAttemptAt === null).length;
    // A receiver that was down already waits for the cron. Otherwise it would get all that is due, six every five seconds.
    if (destination.failingSince === null) retries.push(...failed.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []));
    fault = failed.find((step) => step.fault !== undefined)?.fault ?? fault;
    disabled = failed.find(({ disabledReason }) => disabledReason !== null)?.disabledReason ?? disabled;
    // If all of them failed, the receiver is down, and the rest waits for the cron.
    isMore = disabled === null && (steps.length === 0 || failed.length < steps.length);
    if (isMore && destination.kind !== "webhook") await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  } while (isMore && clock() - now < MAX_TASK_MS && claims < MAX_NOTIFICATIONS);
  if (total.sent > 0)
    console.log(
      JSON.stringify({ operation: "deliver", workspace: workspace.id, destination: ref.id, ...total, disabled, fault }),
    );
  if (held !== null) await releaseDestination(env, workspace, ref, held);
  const soon = retries.map((at) => at - clock()).filter((wait) => wait <= MAX_QUEUE_DELAY_MS);
  // One task follows, so that they never multiply.
  if (isMore) await enqueueDeliveries(env, [task]);
  else if (soon.length > 0) await enqueueDeliveries(env, [task], Math.ceil(Math.max(0, ...soon) / 1_000));
}

/** Waits for all attempts, so that a fault of one loses no record of another. */
async function attemptAll(
  env: Env,
  workspace: WorkspaceRef,
  destination: Destination,
  claimed: readonly Notification[],
  now: number,
  timeoutMs: number | undefined,
) {
  const reading = { env, workspace, destination, now };
  const settled = await Promise.allSettled(
    claimed.map((notification) => attemptDelivery(reading, notification, { isByHand: false, timeoutMs })),
  );
  const faults: unknown[] = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults, describeFault(faults[0]));
  return settled.flatMap((each) =>
    each.status === "fulfilled" && each.value !== null ? [{ ...each.value.step, fault: each.value.fault }] : [],
  );
}
