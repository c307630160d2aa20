/** The names by which questions find accounts, users, features and plans. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const NAME_KINDS = ["account", "user", "feature", "plan"] as const;
/** `spoken`: an event name by its spoken form. `company`, `name` and `email` are identity traits. */
export const NAME_SOURCES = ["external_id", "event", "spoken", "plan", "company", "name", "email"] as const;

/** Names by their normalized form, which questions look up. */
export const names = sqliteTable(
  "names",
  {
    workspace: integer("workspace").notNull(),
    key: text("key").notNull(),
    kind: text("kind", { enum: NAME_KINDS }).notNull(),
    /** The number of the account, user or event name; 0 for a plan. */
    subject: integer("subject").notNull(),
    source: text("source", { enum: NAME_SOURCES }).notNull(),
    /** As it was sent. Part of the key, because different plans may have the same normalized form. */
    text: text("text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.key, table.kind, table.subject, table.source, table.text] }),
    index("names_subject").on(table.workspace, table.kind, table.subject, table.source),
  ],
);

/** The trigrams of names, which find misspelled names. */
export const nameGrams = sqliteTable(
  "name_grams",
  {
    workspace: integer("workspace").notNull(),
    gram: text("gram").notNull(),
    kind: text("kind", { enum: NAME_KINDS }).notNull(),
    subject: integer("subject").notNull(),
    key: text("key").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.gram, table.kind, table.subject, table.key] })],
);
