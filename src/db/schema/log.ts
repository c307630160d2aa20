/** What messages store: the log, its accounts and users, and rejections. */
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
    /** `solo`: the personal account of a user without a company. */
    kind: text("kind", { enum: ["company", "solo"] }).notNull(),
    externalId: text("external_id").notNull(),
    /** One column for all, so that a message writes one row however many attributes it carries. */
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
    /** The account of the user's messages that name no account. */
    account: integer("account"),
    /** How the user got it: by a group, by another message that named it, or as a personal account. */
    accountVia: text("account_via", { enum: ["group", "implied", "solo"] }),
    /** The group message that set the account, which only a later one overrides. */
    groupedAt: instant("grouped_at"),
    groupedSeq: integer("grouped_seq"),
    /** Account attributes that arrived while the user had no account. The first account receives them. */
    pendingAttributes: text("pending_attributes", { mode: "json" }).$type<StoredAttributes>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_external_id").on(table.workspace, table.externalId)],
);

/** All accounts that a user was ever grouped into. */
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

/** One row per trait key, so that an upsert keeps the latest value. */
export const traits = sqliteTable(
  "traits",
  {
    subjectKind: text("subject_kind", { enum: ["account", "user"] }).notNull(),
    subject: integer("subject").notNull(),
    key: text("key").notNull(),
    /** JSON text. `null` marks a removed trait, so that an older message can't bring it back. */
    value: text("value"),
    occurredAt: instant("occurred_at").notNull(),
    seq: integer("seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subjectKind, table.subject, table.key] })],
);

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
    /** Days since the epoch, UTC. */
    day: integer("day").notNull(),
    code: text("code").notNull(),
    count: integer("count").notNull(),
    /** The last request that counted. */
    ingestId: integer("ingest_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day, table.code] })],
);
