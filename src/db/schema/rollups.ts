/** The tables that the recompute folds the log into. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { AttributeChange, WorkspaceContext } from "../../core/health/model.ts";
import { ownRangeCheck, instant, type StoredAttributes } from "./columns.ts";

/** The progress of the recompute in a workspace's log. */
export const folds = sqliteTable("folds", {
  workspace: integer("workspace").primaryKey(),
  /** The seq of the last folded message: the rollups contain everything up to it and nothing after it. */
  watermark: integer("watermark").notNull(),
  /** The latest times of receipt of the messages that left the log, and of the messages that were deleted for good. */
  archivedUntil: instant("archived_until"),
  deletedUntil: instant("deleted_until"),
  /** A running rebuild: the first day it replaces, and the seq it has reached (`null` while it still deletes). */
  rebuildDay: integer("rebuild_day"),
  rebuiltThrough: integer("rebuilt_through"),
  /** Counts and scores of earlier days are deleted. */
  historyFrom: integer("history_from"),
  /** The moment that outcomes refer to: the `now` of the last complete run. */
  asOf: instant("as_of"),
  /** Outcomes of days up to this one notify nobody: a rebuild or a restore has scored them again. */
  quietThrough: integer("quiet_through"),
  /** The time of the latest folded event. */
  lastEventAt: instant("last_event_at"),
});

/** Event names by number, which keeps them out of the rollups. Features are event names. */
export const eventNames = sqliteTable(
  "event_names",
  {
    number: integer("number").primaryKey(),
    workspace: integer("workspace").notNull(),
    name: text("name").notNull(),
    /** The first and the last day with an event. */
    firstDay: integer("first_day"),
    lastDay: integer("last_day"),
  },
  (table) => [
    uniqueIndex("event_names_name").on(table.workspace, table.name),
    ownRangeCheck("event_names_number", table.number, table.workspace),
  ],
);

/** Events by account, day, user and event name. Rollups outlive the messages that they were folded from. */
export const rollups = sqliteTable(
  "rollups",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    /** 0 for events without a user. */
    user: integer("user").notNull(),
    event: integer("event").notNull(),
    count: integer("count").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day, table.user, table.event] })],
);

/** The accounts under which a user has events, including former ones. They lead to a user's rollups. */
export const userAccounts = sqliteTable(
  "user_accounts",
  {
    user: integer("user").notNull(),
    account: integer("account").notNull(),
    /** The bounds of the user's events under the account; days since the epoch, UTC. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.account] })],
);

/** Events of a workspace by day, which distinguish an outage of the sender from a quiet customer. */
export const workspaceDays = sqliteTable(
  "workspace_days",
  {
    workspace: integer("workspace").notNull(),
    day: integer("day").notNull(),
    events: integer("events").notNull(),
    /** Accounts with an event, and their user-days. Set when the complete day is compared, and final then. */
    accounts: integer("accounts"),
    userDays: integer("user_days"),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day] })],
);

/** The latest values of each day, so that a past day is scored by its own attributes. */
export const attributeDays = sqliteTable(
  "attribute_days",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    attributes: text("attributes", { mode: "json" }).$type<StoredAttributes>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/** The same for users without an account, until they get their first. */
export const pendingAttributeDays = sqliteTable(
  "pending_attribute_days",
  {
    user: integer("user").notNull(),
    day: integer("day").notNull(),
    attributes: text("attributes", { mode: "json" }).$type<StoredAttributes>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user, table.day] })],
);

/** The recompute's state of an account: its bounds, its attributes over time, and when it is due. */
export const accountProgress = sqliteTable(
  "account_progress",
  {
    workspace: integer("workspace").notNull(),
    account: integer("account").notNull(),
    /** The times of the first message that named the account, and of its last event. */
    firstAt: instant("first_at").notNull(),
    lastEventAt: instant("last_event_at"),
    /** Changes of attributes in order: the summarized `attribute_days`. */
    timeline: text("timeline", { mode: "json" })
      .$type<AttributeChange[]>()
      .notNull()
      .default(sql`'[]'`),
    /** The first day that `account_days` and `timeline` don't contain yet; `null` for none. */
    summarizeFrom: integer("summarize_from"),
    /** The first day that is not scored yet, or has changed since. */
    scoreFrom: integer("score_from").notNull(),
    /** `null` for never. */
    dueAt: instant("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.account] }),
    index("account_progress_due").on(table.workspace, table.dueAt),
  ],
);

/** One row per complete day with all its rollups, for scoring. */
export const accountDays = sqliteTable(
  "account_days",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    events: integer("events").notNull(),
    userDays: integer("user_days").notNull(),
    /** JSON: the numbers of the users, as many as a row may hold. */
    users: text("users").notNull(),
    /** JSON: by event number, its count and a few of its users; empty if there are too many. */
    features: text("features").notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/** The sums of a comparison of accounts that its run could not finish: JSON in parts that fit into a row. */
export const comparisons = sqliteTable(
  "comparisons",
  {
    workspace: integer("workspace").notNull(),
    place: integer("place").notNull(),
    part: text("part").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.place] })],
);

/** The contexts that compare a workspace's accounts, by day. Final once written. */
export const workspaceContexts = sqliteTable(
  "workspace_contexts",
  {
    workspace: integer("workspace").notNull(),
    day: integer("day").notNull(),
    context: text("context", { mode: "json" }).$type<WorkspaceContext>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.day] })],
);
