/**
 * Records attempts to deliver notifications, and reads them. What is recorded also checks the destination's id, because the number of
 * a deleted one is used again.
 */
import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import type { RetryStep } from "../../core/notify/retry.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { readQueries } from "../client/read.ts";
import { isLive } from "../client/sql-fragments.ts";
import { deliveryAttempts as attempts, destinations, notifications } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";
import type { Destination } from "./destinations.ts";

export type Notification = typeof notifications.$inferSelect;
/** An attempt as it is shown. */
export type Attempt = Omit<typeof attempts.$inferSelect, "destination" | "number">;
export type DestinationRef = Pick<Destination, "number" | "id">;

/** Attempts of a destination that are kept, and how long notifications are after their end. */
const MAX_ATTEMPTS = 100;
const KEPT_MS = 30 * DAY_MS;
const MAX_PURGED = 1_000;

const earlier = alias(attempts, "earlier");

export const isNamed = ({ number, id }: DestinationRef) =>
  and(eq(destinations.number, number), eq(destinations.id, id));
export const exists = (condition: SQL | undefined) => sql`EXISTS (SELECT 1 FROM ${destinations} WHERE ${condition})`;

/** Ends a notification whose subject is gone. */
export async function endNotification(env: Env, workspace: WorkspaceRef, { number, id }: Notification): Promise<void> {
  const db = databaseOf(env, workspace);
  const isSame = and(eq(notifications.number, number), eq(notifications.id, id));
  await withRetry(() =>
    db.batch([requireLiveQuery(db, workspace), db.update(notifications).set({ nextAttemptAt: null }).where(isSame)]),
  );
}

/**
 * Records an attempt and what follows from it, in one transaction.
 * @param step is `null` for an attempt by hand that failed, which changes no schedule
 */
export async function recordAttempt(
  env: Env,
  workspace: WorkspaceRef,
  destination: Destination,
  attempt: Attempt,
  { failures, step }: { failures: number; step: RetryStep | null },
): Promise<void> {
  const db = databaseOf(env, workspace);
  await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      ...attemptQueries(db, destination, attempt),
      ...(step === null ? [] : stepQueries(db, destination, attempt, failures, step)),
    ]),
  );
}

/** A repeated attempt to write changes nothing. */
function attemptQueries(db: Database, { number, id }: Destination, attempt: Attempt) {
  const isOwn = eq(earlier.destination, number);
  const last = sql`coalesce((SELECT max(${earlier.number}) FROM ${attempts} earlier WHERE ${isOwn}), 0)`;
  return [
    db.insert(attempts).select(sql`
      SELECT ${number}, ${last} + 1, ${attempt.id}, ${attempt.notification}, ${attempt.notificationId}, ${attempt.type},
        ${attempt.at}, ${attempt.status}, ${attempt.outcome}
      WHERE ${exists(isNamed({ number, id }))}
        AND NOT EXISTS (SELECT 1 FROM ${attempts} earlier WHERE ${isOwn} AND ${earlier.id} = ${attempt.id})`),
    db
      .delete(attempts)
      .where(and(eq(attempts.destination, number), lte(attempts.number, sql`${last} - ${MAX_ATTEMPTS}`))),
  ] as const;
}

function stepQueries(
  db: Database,
  destination: Destination,
  { notification, notificationId, at }: Attempt,
  failures: number,
  { outcome, nextAttemptAt, disabledReason }: RetryStep,
) {
  const isSame = isNamed(destination);
  const isDelivered = outcome === "delivered";
  const change = isDelivered
    ? { failingSince: null }
    : { failingSince: sql`coalesce(${destinations.failingSince}, ${at})` };
  const disable = { disabledAt: at, disabledReason };
  return [
    db
      .update(notifications)
      .set({ nextAttemptAt, failures })
      .where(
        and(
          eq(notifications.number, notification ?? 0),
          eq(notifications.id, notificationId),
          // Another task may have delivered it, or it was given up meanwhile.
          isNotNull(notifications.nextAttemptAt),
        ),
      ),
    db
      .update(destinations)
      .set({ ...change, ...(disabledReason !== null && disable) })
      // A success of another task ends what this one knows of failures.
      .where(
        and(isSame, isDelivered || disabledReason === "failing" ? isNotNull(destinations.failingSince) : undefined),
      ),
    db
      .update(notifications)
      .set({ nextAttemptAt: null })
      .where(
        and(
          eq(notifications.destination, destination.number),
          isNotNull(notifications.nextAttemptAt),
          exists(and(isSame, isNotNull(destinations.disabledAt))),
        ),
      ),
  ] as const;
}

const { destination: _destination, number: _number, ...shownColumns } = getTableColumns(attempts);

/** Lists the last attempts, newest first. @returns `null` for an unknown destination */
export async function listAttempts(
  env: Env,
  workspace: WorkspaceRef,
  destinationId: string,
): Promise<Attempt[] | null> {
  const own = and(eq(destinations.workspace, workspace.number), eq(destinations.id, destinationId));
  const [[found], listed] = await readQueries(env, workspace, (db) => [
    db.select({ number: destinations.number }).from(destinations).where(own),
    db
      .select(shownColumns)
      .from(attempts)
      .where(sql`${attempts.destination} = (SELECT ${destinations.number} FROM ${destinations} WHERE ${own})`)
      .orderBy(desc(attempts.number)),
  ]);
  return found === undefined ? null : listed;
}

/** Finds the notification of an attempt. @returns `null` if it isn't kept any more */
export async function findNotification(
  env: Env,
  workspace: WorkspaceRef,
  destination: Destination,
  { notification, notificationId }: Attempt,
): Promise<Notification | null> {
  const isSame = and(eq(notifications.number, notification ?? 0), eq(notifications.id, notificationId));
  const [[found]] = await readQueries(env, workspace, (db) => [
    db
      .select()
      .from(notifications)
      .where(and(isSame, eq(notifications.destination, destination.number))),
  ]);
  return found ?? null;
}

/** Deletes notifications that ended long ago, a part at a time. News is of the last days, so none of them comes again. */
export async function purgeNotifications(env: Env, database: string, now: number): Promise<void> {
  const db = databaseOf(env, { database });
  const expired = db
    .select({ number: notifications.number })
    .from(notifications)
    .where(
      and(
        isNull(notifications.nextAttemptAt),
        lt(notifications.createdAt, now - KEPT_MS),
        sql.raw(isLive("notifications.number >> 32")),
      ),
    )
    .limit(MAX_PURGED);
  await withRetry(() => db.delete(notifications).where(inArray(notifications.number, expired)));
}
