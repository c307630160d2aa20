/** Reads what the attempts of a destination were about, and what still waits, for the console. */
import { asc, and, eq, isNotNull, sql } from "drizzle-orm";

import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { deliveryAttempts as attempts, notifications } from "../schema/schema.ts";
import type { DestinationRef } from "./deliveries.ts";
import { readSubjects } from "./subjects.ts";

/** Counts more waiting notifications than this as one more. */
export const MAX_WAITING = 100;

export type Attempted = Awaited<ReturnType<typeof readAttempted>>;

/** @param withIdentity whether the reader may see identity traits */
export async function readAttempted(
  env: Env,
  workspace: WorkspaceRef,
  { number }: DestinationRef,
  withIdentity: boolean,
) {
  const tried = sql`SELECT ${attempts.notification} FROM ${attempts} WHERE ${attempts.destination} = ${number}`;
  const [kept, waiting] = await readQueries(env, workspace, (db) => [
    db
      .select()
      .from(notifications)
      .where(sql`${notifications.number} IN (${tried})`),
    db
      .select({ nextAttemptAt: notifications.nextAttemptAt })
      .from(notifications)
      .where(and(eq(notifications.destination, number), isNotNull(notifications.nextAttemptAt)))
      .orderBy(asc(notifications.nextAttemptAt))
      .limit(MAX_WAITING + 1),
  ]);
  return {
    /** By `notificationId`. */
    notifications: new Map(kept.map((notification) => [notification.id, notification])),
    subjects: await readSubjects(env, workspace, kept, withIdentity),
    waiting: waiting.length,
    nextAttemptAt: waiting[0]?.nextAttemptAt ?? null,
  };
}
