/** Inserts destinations directly, so that tests of what is told need no key, no sealed secret and no receiver. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { accountOwners, deliveryAttempts, destinations, notifications } from "../../../src/db/schema/schema.ts";

type Destination = typeof destinations.$inferSelect;
type Fields = Partial<Omit<Destination, "number" | "workspace">>;

/** Adds a destination, by default a webhook that wants all news. @returns its number */
export async function addDestination(
  { number }: WorkspaceRef,
  fields: Fields = {},
  database = env.DB,
): Promise<number> {
  const db = drizzle(database);
  const [last] = await db
    .select({ number: sql<number>`coalesce(max(${destinations.number}), ${number} << 32)` })
    .from(destinations)
    .where(sql`${destinations.workspace} = ${number}`);
  const values: Destination = {
    id: `dst_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    kind: "webhook",
    shownUrl: "https://hooks.customer.com/health",
    sealed: "sealed",
    sealedBy: "00000000",
    events: ["inbox.opened", "inbox.resolved", "health.changed"],
    filter: {},
    includeIdentity: false,
    digest: null,
    digestDueAt: null,
    digestThrough: null,
    createdAt: 1,
    failingSince: null,
    busyUntil: null,
    disabledAt: null,
    disabledReason: null,
    ...fields,
    number: Number(last?.number) + 1,
    workspace: number,
  };
  await db.insert(destinations).values(values);
  return values.number;
}

/** Reads the outbox of a workspace, by number. */
export const outboxOf = ({ number }: WorkspaceRef, database = env.DB): Promise<(typeof notifications.$inferSelect)[]> =>
  drizzle(database)
    .select()
    .from(notifications)
    .where(sql`${notifications.number} >> 32 = ${number}`)
    .orderBy(notifications.number);

export async function markOwner(account: number, owner: string): Promise<void> {
  await drizzle(env.DB).insert(accountOwners).values({ account, owner });
}

/** Adds a notification that is due, the workspace's first. */
export async function addNotification(destination: number): Promise<void> {
  const number = Math.floor(destination / 2 ** 32) * 2 ** 32 + 1;
  const news = { id: "ntf_1", type: "inbox.opened", subject: number, day: 1, change: "" } as const;
  await drizzle(env.DB)
    .insert(notifications)
    .values({ number, destination, ...news, createdAt: 1, nextAttemptAt: 1 });
}

/** Adds an attempt to deliver a test to a destination. */
export async function addAttempt(destination: number): Promise<void> {
  const attempt = { id: "att_1", notificationId: "ntf_1", type: "test", at: 1, outcome: "delivered" } as const;
  await drizzle(env.DB)
    .insert(deliveryAttempts)
    .values({ destination, number: 1, ...attempt });
}
