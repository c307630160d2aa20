/** Identity traits, the names and values by which questions find accounts and users, and the erasure of people. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { IDENTITY_KEYS } from "../../core/identity/identity-request.ts";
import { instant } from "./columns.ts";

/**
 * Names of companies, and names and e-mail addresses of people. Only the identity operation writes them, while the
 * agreement is in force. Questions find them in `names`, which has copies.
 */
export const identityTraits = sqliteTable(
  "identity_traits",
  {
    workspace: integer("workspace").notNull(),
    subjectKind: text("subject_kind", { enum: ["account", "user"] }).notNull(),
    subject: integer("subject").notNull(),
    key: text("key", { enum: IDENTITY_KEYS }).notNull(),
    value: text("value").notNull(),
    attachedAt: instant("attached_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.subjectKind, table.subject, table.key] })],
);

/** Users whose erasure is running, and how far it has cleared the log. */
export const userErasures = sqliteTable(
  "user_erasures",
  {
    workspace: integer("workspace").notNull(),
    user: integer("user").notNull(),
    /** The seq to continue from, and the last that may be the user's. */
    nextSeq: integer("next_seq").notNull(),
    lastSeq: integer("last_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.user] })],
);

export const NAME_SOURCES = ["external_id", "company", "name", "email"] as const;

/** Names of accounts and users, and the words of longer names, in the normalized form by which questions find them. */
export const names = sqliteTable(
  "names",
  {
    workspace: integer("workspace").notNull(),
    key: text("key").notNull(),
    kind: text("kind", { enum: ["account", "user"] }).notNull(),
    subject: integer("subject").notNull(),
    /** `company`, `name` and `email` are identity traits. */
    source: text("source", { enum: NAME_SOURCES }).notNull(),
    /** Whether the key is one word of the name. */
    isPart: integer("is_part", { mode: "boolean" }).notNull(),
  },
  (table) => [
    // Whole names come before parts of names.
    primaryKey({ columns: [table.workspace, table.key, table.isPart, table.kind, table.subject, table.source] }),
    index("names_subject").on(table.workspace, table.kind, table.subject, table.source),
  ],
);

/**
 * The distinct values that senders have stored, of plans, currencies and free-form traits: questions and queries describe
 * accounts and users by them.
 */
export const dimensionValues = sqliteTable(
  "dimension_values",
  {
    workspace: integer("workspace").notNull(),
    /** `plan`, `currency`, or a trait as `account.industry` or `user.role`. */
    dimension: text("dimension").notNull(),
    /** JSON text of a string, a number or a boolean. */
    value: text("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.dimension, table.value] })],
);
