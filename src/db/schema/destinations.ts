/** Where a workspace's news goes, and what is or was to be delivered there. See docs/decisions/0044-notifications.md. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import {
  ATTEMPT_OUTCOMES,
  DESTINATION_KINDS,
  type DigestTimes,
  DISABLED_REASONS,
  type NewsFilter,
  NOTIFICATION_TYPES,
  type SubscribedEvent,
} from "../../core/notify/model.ts";
import { instant, ownRangeCheck } from "./columns.ts";

export const destinations = sqliteTable(
  "destinations",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull().unique(),
    workspace: integer("workspace").notNull(),
    kind: text("kind", { enum: DESTINATION_KINDS }).notNull(),
    /** A webhook's URL. Those of Slack and Teams are secrets: only their origin. */
    shownUrl: text("shown_url").notNull(),
    /** The URL and the signing secret, encrypted, and which key encrypted them. */
    sealed: text("sealed").notNull(),
    sealedBy: text("sealed_by").notNull(),
    events: text("events", { mode: "json" }).$type<SubscribedEvent[]>().notNull(),
    filter: text("filter", { mode: "json" }).$type<NewsFilter>().notNull(),
    includeIdentity: integer("include_identity", { mode: "boolean" }).notNull(),
    digest: text("digest", { mode: "json" }).$type<DigestTimes>(),
    /** When the next digest is due, and the last day of outcomes that digests contain. */
    digestDueAt: instant("digest_due_at"),
    digestThrough: integer("digest_through"),
    createdAt: instant("created_at").notNull(),
    /** When deliveries began to fail; `null` after a success. */
    failingSince: instant("failing_since"),
    /** Until when a task may send to it. Others wait, so that a slow receiver occupies one consumer of the queue. */
    busyUntil: instant("busy_until"),
    /** A disabled destination gets no news. */
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: DISABLED_REASONS }),
  },
  (table) => [
    index("destinations_digest_due")
      .on(table.digestDueAt)
      .where(sql`digest_due_at IS NOT NULL`),
    ownRangeCheck("destinations_number", table.number, table.workspace),
  ],
);

/** The outbox: a row for each piece of news and destination. Codes only, because names are read on delivery. */
export const notifications = sqliteTable(
  "notifications",
  {
    number: integer("number").primaryKey(),
    /** The `webhook-id`. */
    id: text("id").notNull(),
    destination: integer("destination").notNull(),
    type: text("type", { enum: NOTIFICATION_TYPES }).notNull(),
    /** The number of the item or the account; 0 for a digest or a summary. */
    subject: integer("subject").notNull(),
    /** The day of the outcome; for a digest, the last day that it contains. */
    day: integer("day").notNull(),
    /** How an item was resolved, the account's new state, or the first day of a digest. */
    change: text("change").notNull(),
    /** The account's earlier state, or the numbers of the notifications that a summary replaces. */
    detail: text("detail", { mode: "json" }).$type<string | number[]>(),
    createdAt: instant("created_at").notNull(),
    /** `null` once it is delivered, replaced or given up. */
    nextAttemptAt: instant("next_attempt_at"),
    /** Attempts that failed. */
    failures: integer("failures").notNull().default(0),
  },
  (table) => [
    uniqueIndex("notifications_news").on(table.destination, table.type, table.subject, table.day, table.change),
    index("notifications_due")
      .on(table.destination, table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
);

/** The last attempts to deliver to a destination, by number from 1. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    destination: integer("destination").notNull(),
    number: integer("number").notNull(),
    id: text("id").notNull(),
    /** `null` for a test. */
    notification: integer("notification"),
    /** The `webhook-id`. */
    notificationId: text("notification_id").notNull(),
    type: text("type", { enum: NOTIFICATION_TYPES }).notNull(),
    at: instant("at").notNull(),
    /** The HTTP status of the response; `null` without one. */
    status: integer("status"),
    outcome: text("outcome", { enum: ATTEMPT_OUTCOMES }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.destination, table.number] })],
);
