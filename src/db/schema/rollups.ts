/** What the recompute folds the log into, by day. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { WorkspaceContext } from "../../core/health/model.ts";
import type { AccountAttributes } from "../../core/ingest/message.ts";
import { instant, type StoredAttributes } from "./columns.ts";

/** How far the recompute has come with a workspace's log. */
export const folds = sqliteTable("folds", {
  workspace: integer("workspace").primaryKey(),
  /** The seq of the last message folded: all up to it are in the rollups, none after it. */
  watermark: integer("watermark").notNull(),
  /** The newest time of receipt among the messages that retention deleted; days well after it are still whole. */
  deletedUntil: instant("deleted_until"),
  /** A rebuild under way: the first day it replaces, the seq it has come to (`null`: still deleting), and where it ends. */
  rebuildDay: integer("rebuild_day"),
  rebuiltThrough: integer("rebuilt_through"),
  /** When its last turn began: whose turn comes is told by it. */
  scoredAt: instant("scored_at").notNull().default(0),
  /** Of the last event folded. */
  lastEventAt: instant("last_event_at"),
});

/** Event names by number, so that a rollup carries none. A feature is one of these. */
export const eventNames = sqliteTable(
  "event_names",
  {
    number: integer("number").primaryKey(),
    workspace: integer("workspace").notNull(),
    name: text("name").notNull(),
  },
  (table) => [uniqueIndex("event_names_name").on(table.workspace, table.name)],
);

/** What was done: one row for each user, event and day of an account. Outlives the messages it was folded from. */
export const rollups = sqliteTable(
  "rollups",
  {
    account: integer("account").notNull(),
    /** Days since the epoch, UTC. */
    day: integer("day").notNull(),
    /** 0 for events without one. */
    user: integer("user").notNull(),
    event: integer("event").notNull(),
    count: integer("count").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day, table.user, table.event] })],
);

/** The accounts under which a user has events, those it has left too: where a user's rollups are looked for. */
export const userAccounts = sqliteTable(
  "user_accounts",
  {
    user: integer("user").notNull(),
    account: integer("account").notNull(),
    /** Of the user's events under the account; days since the epoch, UTC. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.account] })],
);

/** Events of a workspace by day: what tells a sender's outage from a quiet customer. */
export const workspaceDays = sqliteTable(
  "workspace_days",
  {
    workspace: integer("workspace").notNull(),
    day: integer("day").notNull(),
    events: integer("events").notNull(),
    /** Accounts with an event, and their user-days, once the day is over and was compared; final from then on. */
    accounts: integer("accounts"),
    userDays: integer("user_days"),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day] })],
);

/** The latest values that the messages of a day brought, so that a past day is judged by the attributes of that day. */
export const attributeDays = sqliteTable(
  "attribute_days",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    attributes: text("attributes", { mode: "json" }).$type<StoredAttributes>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/** The same of users without an account, until they come by their first. */
export const pendingAttributeDays = sqliteTable(
  "pending_attribute_days",
  {
    user: integer("user").notNull(),
    day: integer("day").notNull(),
    attributes: text("attributes", { mode: "json" }).$type<StoredAttributes>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.day] })],
);

/** An account as the recompute knows it: its bounds, its attributes over time, and when it is due. */
export const activity = sqliteTable(
  "activity",
  {
    workspace: integer("workspace").notNull(),
    account: integer("account").notNull(),
    /** Of the first message that named the account, and of its last event. */
    firstAt: instant("first_at").notNull(),
    lastEventAt: instant("last_event_at"),
    /** Changes of attributes, `[day, values]` in order: what `attribute_days` comes to. */
    timeline: text("timeline", { mode: "json" })
      .$type<[day: number, values: AccountAttributes][]>()
      .notNull()
      .default(sql`'[]'`),
    /** The first day whose summary in `account_days` and `timeline` is not up to date; `null` for none. */
    rollUpFrom: integer("roll_up_from"),
    /** The first day that is not scored, or has changed since. */
    scoreFrom: integer("score_from").notNull(),
    /** `null`: never. */
    dueAt: instant("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.account] }),
    index("activity_due").on(table.workspace, table.dueAt),
  ],
);

/** The rollups of a complete day in one row: what scoring reads. */
export const accountDays = sqliteTable(
  "account_days",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    events: integer("events").notNull(),
    /** Distinct users with an event. */
    userDays: integer("user_days").notNull(),
    /** JSON: their numbers, as many as a row may hold. */
    users: text("users").notNull(),
    /** JSON: by event number, how often it came, and a few of its users. */
    features: text("features").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/** What compares the accounts of a workspace, by day; final once written. */
export const workspaceContexts = sqliteTable(
  "workspace_contexts",
  {
    workspace: integer("workspace").notNull(),
    day: integer("day").notNull(),
    context: text("context", { mode: "json" }).$type<WorkspaceContext>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day] })],
);
