/** Sends a notification while somebody waits: a test, or one that was sent before. A disabled destination can be tried too. */
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Attempt, findNotification, listAttempts, type Notification } from "../../db/destinations/deliveries.ts";
import { type Destination, findDestination } from "../../db/destinations/destinations.ts";
import { attemptDelivery, newId } from "./attempt.ts";

/** @returns `null` for an unknown destination */
export async function sendTest(
  env: Env,
  workspace: WorkspaceRef,
  destinationId: string,
  now: number,
): Promise<Attempt | null> {
  const destination = await findDestination(env, workspace, destinationId);
  return destination && sendTestTo(env, workspace, destination, now);
}

export type ResendOutcome =
  | { outcome: "sent"; attempt: Attempt }
  /** The notification isn't kept any more, or what it was about is gone. */
  | { outcome: "no_destination" | "no_attempt" | "no_notification" };

/** Sends the notification of an attempt again, with the same `webhook-id`. A test is sent anew. */
export async function resend(
  env: Env,
  workspace: WorkspaceRef,
  destinationId: string,
  attemptId: string,
  now: number,
): Promise<ResendOutcome> {
  const destination = await findDestination(env, workspace, destinationId);
  const attempts = destination && (await listAttempts(env, workspace, destinationId));
  if (destination === null || attempts === null) return { outcome: "no_destination" };
  const earlier = attempts.find(({ id }) => id === attemptId);
  if (earlier === undefined) return { outcome: "no_attempt" };
  if (earlier.type === "test") return { outcome: "sent", attempt: await sendTestTo(env, workspace, destination, now) };
  const notification = await findNotification(env, workspace, destination, earlier);
  const attempt = notification && (await sendByHand(env, workspace, destination, notification, now));
  return attempt === null ? { outcome: "no_notification" } : { outcome: "sent", attempt };
}

async function sendTestTo(env: Env, workspace: WorkspaceRef, destination: Destination, now: number): Promise<Attempt> {
  const test: Notification = {
    number: 0,
    id: newId("ntf"),
    destination: destination.number,
    type: "test",
    subject: 0,
    day: 0,
    change: "",
    detail: null,
    createdAt: now,
    nextAttemptAt: null,
    failures: 0,
  };
  const attempt = await sendByHand(env, workspace, destination, test, now);
  if (attempt === null) throw new Error("a test has no subject");
  return attempt;
}

async function sendByHand(
  env: Env,
  workspace: WorkspaceRef,
  destination: Destination,
  notification: Notification,
  now: number,
): Promise<Attempt | null> {
  const sent = await attemptDelivery({ env, workspace, destination, now }, notification, { isByHand: true });
  return sent && sent.attempt;
}
