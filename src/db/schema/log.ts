/** What messages bring: the log, whom it speaks of, and what was rejected. */
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { JsonObject } from "../../core/json.ts";
import type { StoredMapping } from "../ingest/stored-mapping.ts";
import { instant, type StoredAttributes } from "./columns.ts";

export const accounts = sqliteTable(
  "accounts",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull().unique(),
    workspace: integer("workspace").notNull(),
    /** `solo`: the account of one of a user that belongs to no company. */
    kind: text("kind", { enum: ["company", "solo"] }).notNull(),
    externalId: text("external_id").notNull(),
    /** One row to write, however many attributes a message carries. */
    attributes: text("attributes", { mode: "json" })
      .$type<StoredAttributes>()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_external_id").on(table.workspace, table.kind, table.externalId)],
);

export const users = sqliteTable(
  "users",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull().unique(),
    workspace: integer("workspace").notNull(),
    externalId: text("external_id").notNull(),
    /** The account that messages without one of their own belong to. */
    account: integer("account"),
    /** How the user came by it: most recently grouped, named by a track, an identify or a capture, or made for one. */
    accountVia: text("account_via", { enum: ["group", "implied", "solo"] }),
    /** Of the group message that decided: what a later one has to beat. */
    groupedAt: instant("grouped_at"),
    groupedSeq: integer("grouped_seq"),
    /** Account attributes, in the shape of theirs, that the user brought while without one: the first one takes them. */
    pendingAttributes: text("pending_attributes", { mode: "json" }).$type<StoredAttributes>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_external_id").on(table.workspace, table.externalId)],
);

/** The accounts that a user was ever grouped into. */
export const memberships = sqliteTable(
  "memberships",
  {
    user: integer("user").notNull(),
    account: integer("account").notNull(),
    groupedAt: instant("grouped_at").notNull(),
    groupedSeq: integer("grouped_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.account] })],
);

/** One row per trait key, so that the latest message to speak of it wins by a plain upsert. */
export const traits = sqliteTable(
  "traits",
  {
    subjectKind: text("subject_kind", { enum: ["account", "user"] }).notNull(),
    subject: integer("subject").notNull(),
    key: text("key").notNull(),
    /** JSON text. `null` marks a removed trait, which an older message must not bring back. */
    value: text("value"),
    occurredAt: instant("occurred_at").notNull(),
    seq: integer("seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subjectKind, table.subject, table.key] })],
);

/**
 * The log: every message ever stored, in the order of arrival. Its key is `workspace · 2^32 + n`, with n assigned
 * inside the transaction, so that a workspace's messages lie together and what came since a point is a range.
 */
export const messages = sqliteTable(
  "messages",
  {
    seq: integer("seq").primaryKey(),
    workspace: integer("workspace").notNull(),
    source: text("source", { enum: ["cdp", "native"] }).notNull(),
    messageId: text("message_id").notNull(),
    /** The request that stored it, so that a repeated transaction knows its own rows from a duplicate's. */
    ingestId: integer("ingest_id").notNull(),
    type: text("type", { enum: ["track", "identify", "group"] }).notNull(),
    account: integer("account"),
    user: integer("user"),
    event: text("event"),
    properties: text("properties", { mode: "json" }).$type<JsonObject>(),
    attributes: text("attributes", { mode: "json" }).$type<JsonObject>(),
    occurredAt: instant("occurred_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** How the message became what it is. `null`: not known, of those stored before this was kept, and of the erased. */
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

/** All rejected messages, those that are not kept too. */
export const rejectionCounts = sqliteTable(
  "rejection_counts",
  {
    workspace: integer("workspace").notNull(),
    /** Days since the epoch, UTC. */
    day: integer("day").notNull(),
    code: text("code").notNull(),
    count: integer("count").notNull(),
    /** The request that counted last. */
    ingestId: integer("ingest_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day, table.code] })],
);
