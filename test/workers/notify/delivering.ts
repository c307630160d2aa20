/** Destinations at the real receiver, and notifications for them as the recompute leaves them in the outbox. */
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { Webhook } from "standardwebhooks";
import { inject, vi } from "vitest";

import type { NotificationType } from "../../../src/core/notify/model.ts";
import { listAttempts, type Notification } from "../../../src/db/destinations/deliveries.ts";
import { type Destination, findDestination, insertDestination } from "../../../src/db/destinations/destinations.ts";
import { accountOwners, notifications } from "../../../src/db/schema/schema.ts";
import { deliver } from "../../../src/services/notify/deliver.ts";
import { seal } from "../../../src/services/sealing/sealing.ts";
import { newSigningSecret } from "../../../src/services/signatures/sign.ts";
import type { DeliveryTask } from "../../../src/services/tasks/enqueue.ts";
import type { ReceivedRequest, ReceiverAnswer } from "../../harness/receiver.ts";
import { inInvocation } from "../guard/invocation.ts";
import { type Changes, envWith } from "../support/faulty-env.ts";
import { DAY, NOW } from "../support/outcomes.ts";
import type { TestWorkspace } from "../support/workspace.ts";

export const MINUTE = 60_000;
/** How long to wait for a receiver that never answers. */
export const SHORT_MS = 300;

const newName = () => crypto.randomUUID().replaceAll("-", "").slice(0, 24);

const unused = () => Promise.reject(new Error("not used"));

export async function markOwner(account: number, owner: string): Promise<void> {
  await drizzle(env.DB).insert(accountOwners).values({ account, owner });
}

/** A queue of deliveries that keeps them, with their delays. */
export function heldDeliveries() {
  const queued: { body: DeliveryTask; delaySeconds: number }[] = [];
  const sendBatch = async (given: Iterable<MessageSendRequest<DeliveryTask>>) => {
    for (const { body, delaySeconds = 0 } of given) queued.push({ body, delaySeconds });
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  return { DELIVERIES: { sendBatch, send: unused, metrics: unused }, queued };
}

export type Inbox = Awaited<ReturnType<typeof newInbox>>;

/** Adds a destination with an inbox of its own at the receiver. */
export async function newInbox(workspace: TestWorkspace, fields: Partial<Destination> = {}) {
  const ref = await workspace.ref();
  const url = `${inject("receiver")}/${newName()}`;
  const id = `dst_${newName()}`;
  const secret = newSigningSecret();
  const isWebhook = (fields.kind ?? "webhook") === "webhook";
  const inserted = await insertDestination(env, ref, {
    id,
    kind: "webhook",
    shownUrl: url,
    ...(await seal(env, id, { url, secret: isWebhook ? secret : null })),
    events: ["inbox.opened"],
    filter: {},
    includeIdentity: false,
    digest: null,
    digestDueAt: null,
    digestThrough: null,
    createdAt: NOW,
    failingSince: null,
    busyUntil: null,
    disabledAt: null,
    disabledReason: null,
    ...fields,
  });
  if (inserted === null) throw new Error("the workspace has too many destinations");
  const { number } = inserted;
  const task: DeliveryTask = { task: "deliver", workspace: ref, destination: { number, id } };
  const received = async (): Promise<ReceivedRequest[]> => (await fetch(url)).json();
  return {
    id,
    number,
    secret,
    task,
    /** Sets the receiver's next answers; then it answers 200. */
    answers: (...answers: ReceiverAnswer[]) => fetch(url, { method: "PUT", body: JSON.stringify(answers) }),
    received,
    /** Returns the ids of the verified requests, and how often each came. */
    async verified(): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      const now = Date.now();
      for (const { headers, body } of await received()) {
        // A receiver verifies on arrival.
        vi.setSystemTime(Number(headers["webhook-timestamp"]) * 1_000);
        new Webhook(secret).verify(body, { ...headers, "webhook-timestamp": headers["webhook-timestamp"] ?? "" });
        const webhookId = headers["webhook-id"] ?? "";
        counts[webhookId] = (counts[webhookId] ?? 0) + 1;
      }
      vi.setSystemTime(now);
      return counts;
    },
    /** Puts a notification into the outbox. @returns its id */
    async notify(subject: number, change: Partial<Notification> & { type?: NotificationType } = {}): Promise<string> {
      const last = await drizzle(env.DB)
        .select({ number: sql<number>`coalesce(max(${notifications.number}), ${ref.number} << 32)` })
        .from(notifications)
        .where(sql`${notifications.number} >> 32 = ${ref.number}`);
      const row = {
        number: Number(last[0]?.number) + 1,
        id: `ntf_${newName()}`,
        destination: number,
        type: "inbox.opened" as const,
        subject,
        day: DAY,
        change: "",
        createdAt: NOW,
        nextAttemptAt: NOW,
        ...change,
      };
      await drizzle(env.DB).insert(notifications).values(row);
      return row.id;
    },
    /** Deletes a notification, as the cron does after 30 days. */
    forget: (notificationId: string) =>
      drizzle(env.DB).delete(notifications).where(eq(notifications.id, notificationId)),
    outbox: (): Promise<Notification[]> =>
      drizzle(env.DB).select().from(notifications).where(eq(notifications.destination, number)),
    attempts: async () => (await listAttempts(env, ref, id)) ?? [],
    stored: () => findDestination(env, ref, id),
    /** Runs a task. @param timeoutMs by default the service's own @returns what it queued */
    async deliver(now: number, changes: Changes = {}, timeoutMs?: number) {
      const { DELIVERIES, queued } = heldDeliveries();
      await inInvocation(() => deliver(envWith({ DELIVERIES, ...changes }), task, now, timeoutMs));
      return queued;
    },
  };
}
