/** The log of messages, the rejections, and the manifest of the archive. See docs/decisions/0027-the-archive.md. */
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

/** Counts all rejected messages, including those not kept. */
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

/**
 * The files of the archive. A message is in the log or in one of these files, because one transaction adds the file and
 * deletes the messages. Keyed by the seq of the first message, like the log.
 */
export const archiveFiles = sqliteTable("archive_files", {
  first: integer("first").primaryKey(),
  last: integer("last").notNull(),
  /** The day on which the messages were received. */
  day: integer("day").notNull(),
  bytes: integer("bytes").notNull(),
  sha256: text("sha256").notNull(),
  /** The users in the file who are not erased, as `packUsers` lists them. */
  users: text("users").notNull(),
});

/** The messages that are being archived. They keep the file's name until it is recorded, so that no crash leaves another file. */
export const archiveSteps = sqliteTable("archive_steps", {
  workspace: integer("workspace").primaryKey(),
  first: integer("first").notNull(),
  last: integer("last").notNull(),
  day: integer("day").notNull(),
  /** Changes when a person is erased: a file with older messages is not recorded. */
  revision: integer("revision").notNull().default(0),
});

/** Erased users who may still be in files. */
export const archiveErasures = sqliteTable("archive_erasures", { user: integer("user").primaryKey() });
