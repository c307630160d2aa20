/** Finds and claims what is due. A claim hides a notification from other tasks while it is being sent. */
import { and, eq, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { NotificationType } from "../../core/notify/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isLive, lastNumber } from "../client/sql-fragments.ts";
import { destinations, notifications, workspaceStates } from "../schema/schema.ts";
import { type DestinationRef, exists, isNamed, type Notification } from "./deliveries.ts";
import type { Destination } from "./destinations.ts";

/** More messages for people at once become one. */
const MAX_DUE_MESSAGES = 10;
/** An invocation may have so many connections at a time. Slack takes a message a second. */
const MAX_CONNECTIONS = 6;
/** A claim that is older belongs to a task that died. */
const CLAIM_MS = 120_000;
const CLAIM_SPREAD_MS = 1_000;

/** The types that a summary replaces. */
const NEWS: NotificationType[] = ["inbox.opened", "inbox.resolved", "health.changed"];

const due = alias(notifications, "due");
const summary = alias(notifications, "summary");

export interface Claim {
  destination: Destination | undefined;
  claimed: Notification[];
  /** Until when the task holds the destination; `null` if it doesn't. */
  held: number | null;
}

const isFree = (now: number) => or(isNull(destinations.busyUntil), lte(destinations.busyUntil, now));

/** Lists the destinations of a database for which something is due, and to which no task sends now. */
export async function listDue(env: Env, database: string, now: number) {
  const { number, id, workspace } = destinations;
  const isDue = sql`EXISTS (SELECT 1 FROM ${notifications} due WHERE ${due.destination} = ${number} AND ${due.nextAttemptAt} <= ${now})`;
  const found = await withRetry(() =>
    databaseOf(env, { database })
      .select({ workspace: { number: workspace, id: workspaceStates.id }, destination: { number, id } })
      .from(destinations)
      .innerJoin(workspaceStates, and(eq(workspaceStates.number, workspace), eq(workspaceStates.state, "live")))
      .where(and(isNull(destinations.disabledAt), isFree(now), isDue)),
  );
  return found.map(({ workspace: owner, destination }) => ({ workspace: { ...owner, database }, destination }));
}

/**
 * Claims a destination and its next notifications, so that no other task sends them for a while. If too many wait for Slack or
 * Teams, a summary replaces them first.
 * @param summaryId of such a summary
 * @param held of the task's earlier claim; `null` for the first
 * @returns no notifications if nothing is due, another task sends to the destination, or it or its workspace is gone
 */
export async function claimDue(
  env: Env,
  workspace: WorkspaceRef,
  ref: DestinationRef,
  { summaryId, now, held }: { summaryId: string; now: number; held: number | null },
): Promise<Claim> {
  const db = databaseOf(env, workspace);
  const live = sql.raw(isLive(String(workspace.number)));
  const isOpen = and(isNamed(ref), isNull(destinations.disabledAt), live);
  // Two tasks may begin in the same millisecond.
  const busyUntil = now + CLAIM_MS + Math.floor(Math.random() * CLAIM_SPREAD_MS);
  const canReceive = and(isOpen, eq(destinations.busyUntil, busyUntil));
  const isDue = and(eq(due.destination, ref.number), lte(due.nextAttemptAt, now));
  const limit = sql`SELECT iif(${destinations.kind} = 'webhook', ${MAX_CONNECTIONS}, 1) FROM ${destinations} WHERE ${canReceive}`;
  const [, , , claimed, [destination]] = await withRetry(() =>
    db.batch([
      db
        .update(destinations)
        .set({ busyUntil })
        .where(and(isOpen, or(isFree(now), eq(destinations.busyUntil, held ?? 0)))),
      db.insert(notifications).select(sql`
        SELECT ${sql.raw(lastNumber(columnsOf(notifications), String(workspace.number)))} + 1, ${summaryId}, ${ref.number},
          'summary', 0, max(${due.day}), ${summaryId}, json_group_array(${due.number}), ${now}, ${now}, 0
        FROM ${notifications} due
        WHERE ${isDue} AND ${inArray(due.type, NEWS)} AND ${exists(and(canReceive, ne(destinations.kind, "webhook")))}
        HAVING count(*) > ${MAX_DUE_MESSAGES}`),
      db
        .update(notifications)
        .set({ nextAttemptAt: null })
        .where(
          and(
            eq(notifications.destination, ref.number),
            lte(notifications.nextAttemptAt, now),
            inArray(notifications.type, NEWS),
            sql`EXISTS (SELECT 1 FROM ${notifications} summary WHERE ${summary.destination} = ${ref.number}
              AND ${summary.nextAttemptAt} = ${now} AND ${summary.id} = ${summaryId})`,
          ),
        ),
      db
        .update(notifications)
        .set({ nextAttemptAt: now + CLAIM_MS })
        .where(
          sql`${notifications.number} IN (SELECT ${due.number} FROM ${notifications} due WHERE ${isDue}
            ORDER BY ${due.nextAttemptAt}, ${due.number} LIMIT coalesce((${limit}), 0))`,
        )
        .returning(),
      db.select().from(destinations).where(isNamed(ref)),
    ]),
  );
  const isHeld = destination?.busyUntil === busyUntil;
  return { destination, claimed: claimed.toSorted((a, b) => a.number - b.number), held: isHeld ? busyUntil : null };
}

/** Lets other tasks send to a destination. @param held of the last claim */
export async function releaseDestination(
  env: Env,
  workspace: WorkspaceRef,
  ref: DestinationRef,
  held: number,
): Promise<void> {
  const own = and(isNamed(ref), eq(destinations.busyUntil, held));
  await withRetry(() => databaseOf(env, workspace).update(destinations).set({ busyUntil: null }).where(own));
}
