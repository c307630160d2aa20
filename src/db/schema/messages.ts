/** The log of messages, and the rejections. */
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { JsonObject } from "../../core/json.ts";
import type { StoredMapping } from "../ingest/stored-mapping.ts";
import { instant } from "./columns.ts";

/**
 * The log: every stored message in the order of arrival. Its key is `workspace · 2^32 + n`, with n assigned inside the
 * transaction, so that a workspace's messages are contiguous and everything since a point is a range.
 */
export const messages = sqliteTable(
  "messages",
  {
    seq: integer("seq").primaryKey(),
    workspace: integer("workspace").notNull(),
    source: text("source", { enum: ["cdp", "native"] }).notNull(),
    messageId: text("message_id").notNull(),
    /** The request that stored it, so that a retried transaction recognizes its own rows. */
    ingestId: integer("ingest_id").notNull(),
    type: text("type", { enum: ["track", "identify", "group"] }).notNull(),
    account: integer("account"),
    user: integer("user"),
    event: text("event"),
    properties: text("properties", { mode: "json" }).$type<JsonObject>(),
    attributes: text("attributes", { mode: "json" }).$type<JsonObject>(),
    occurredAt: instant("occurred_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** How the message was mapped. `null` after an erasure. */
    mapping: text("mapping", { mode: "json" }).$type<StoredMapping>(),
  },
  (table) => [uniqueIndex("messages_message_id").on(table.workspace, table.source, table.messageId)],
);

/** The newest rejected messages of a workspace, keyed like the log. */
export const rejections = sqliteTable("rejections", {
  seq: integer("seq").primaryKey(),
  receivedAt: instant("received_at").notNull(),
  keyId: text("key_id").notNull(),
  code: text("code").notNull(),
  reason: text("reason").notNull(),
  path: text("path"),
  type: text("type"),
  messageId: text("message_id"),
  userId: text("user_id"),
  accountId: text("account_id"),
  event: text("event"),
  properties: text("properties", { mode: "json" }).$type<JsonObject>(),
  traits: text("traits", { mode: "json" }).$type<JsonObject>(),
});

/** Counts all rejected messages, including those not kept. Day 0 has those of days before the history. */
export const rejectionCounts = sqliteTable(
  "rejection_counts",
  {
    workspace: integer("workspace").notNull(),
    day: integer("day").notNull(),
    code: text("code").notNull(),
    count: integer("count").notNull(),
    ingestId: integer("ingest_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day, table.code] })],
);
