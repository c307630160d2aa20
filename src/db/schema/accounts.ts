/** Accounts, users, memberships and traits: what ingest keeps beside the log. Accounts and users are numbered like messages. */
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { ownRangeCheck, instant, type StoredAttributes } from "./columns.ts";

export const accounts = sqliteTable(
  "accounts",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull().unique(),
    workspace: integer("workspace").notNull(),
    /** `solo`: the personal account of a user without a company. */
    kind: text("kind", { enum: ["company", "solo"] }).notNull(),
    externalId: text("external_id").notNull(),
    /** One column holds all attributes, so that a message writes one row however many it carries. */
    attributes: text("attributes", { mode: "json" })
      .$type<StoredAttributes>()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("accounts_external_id").on(table.workspace, table.kind, table.externalId),
    ownRangeCheck("accounts_number", table.number, table.workspace),
  ],
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
  (table) => [
    uniqueIndex("users_external_id").on(table.workspace, table.externalId),
    ownRangeCheck("users_number", table.number, table.workspace),
  ],
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
