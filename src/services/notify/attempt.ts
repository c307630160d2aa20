/** Makes one attempt to deliver a notification, and records it with what follows. */
import { describeFault } from "../../core/describe-fault.ts";
import { type RetryStep, retryStep } from "../../core/notify/retry.ts";
import { type Attempt, endNotification, type Notification, recordAttempt } from "../../db/destinations/deliveries.ts";
import { readBody } from "./body.ts";
import type { Reading } from "./content.ts";
import { unseal } from "../sealing/sealing.ts";
import type { Secrets } from "./destinations.ts";
import { send } from "./send.ts";
import { signatureHeaders } from "../signatures/sign.ts";

export interface AttemptOptions {
  /** Whether somebody asked for it: a failure then changes no schedule and disables nothing. */
  isByHand: boolean;
  /** For the response; by default 15 s. */
  timeoutMs?: number | undefined;
}

/** Makes an id such as `ntf_0123456789abcdef01234567`. */
export const newId = (prefix: "ntf" | "att"): string =>
  `${prefix}_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;

/**
 * @returns `null` if what the notification is about is gone, which ends it without an attempt; with a `fault` if the
 *   destination's secrets can't be opened
 */
export async function attemptDelivery(
  reading: Reading,
  notification: Notification,
  { isByHand, timeoutMs }: AttemptOptions,
): Promise<{ attempt: Attempt; step: RetryStep; fault?: string } | null> {
  const { env, workspace, destination, now } = reading;
  const { id, number, type } = notification;
  const opened = await unseal<Secrets>(env, destination).catch((error: unknown) => ({ fault: describeFault(error) }));
  const body = await readBody(reading, notification);
  if (body === null) {
    await endNotification(env, workspace, notification);
    return null;
  }
  const result =
    "fault" in opened
      ? ({ status: null, fault: "unreadable" } as const)
      : await send(opened.url, await headersOf(opened, id, body, now), body, timeoutMs);
  const step = retryStep(destination, notification.failures, result, { now, jitter: Math.random() });
  const attempt: Attempt = {
    id: newId("att"),
    notification: type === "test" ? null : number,
    notificationId: id,
    type,
    at: now,
    status: result.status,
    outcome: step.outcome,
  };
  const isFailure = step.outcome !== "delivered";
  const failures = notification.failures + (isFailure ? 1 : 0);
  await recordAttempt(env, workspace, destination, attempt, { failures, step: isByHand && isFailure ? null : step });
  return { attempt, step, ...("fault" in opened && opened) };
}

const headersOf = async ({ secret }: Secrets, id: string, body: string, now: number) =>
  secret === null ? {} : signatureHeaders(secret, id, body, now);
