/** Outcomes, the marks that people put on them, and the runs of the recompute. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { BANDS, CONFIDENCES, type Health, HEALTH_STATES } from "../../core/health/model.ts";
import { ACTIVITIES, DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { ITEM_KINDS, type ItemEvidence, RESOLUTIONS, SEVERITIES } from "../../core/inbox/model.ts";
import { ownRangeCheck, instant } from "./columns.ts";

/** Outcome: the current health of an account. */
export const health = sqliteTable(
  "health",
  {
    workspace: integer("workspace").notNull(),
    account: integer("account").notNull(),
    state: text("state", { enum: HEALTH_STATES }).notNull(),
    score: real("score"),
    /** Codes and numbers: reasons, changes, confidence and more. */
    health: text("health", { mode: "json" }).$type<Health>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.account] })],
);

/** Outcome: an account's health by day. */
export const healthDays = sqliteTable(
  "health_days",
  {
    account: integer("account").notNull(),
    day: integer("day").notNull(),
    state: text("state", { enum: HEALTH_STATES }).notNull(),
    band: text("band", { enum: BANDS }),
    score: real("score"),
    uncapped: real("uncapped"),
    coverage: real("coverage").notNull(),
    confidence: text("confidence", { enum: CONFIDENCES }),
    losses: text("losses", { mode: "json" }).$type<(number | null)[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.day] })],
);

/** Outcome: all inbox items ever. */
export const inboxItems = sqliteTable(
  "inbox_items",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull().unique(),
    workspace: integer("workspace").notNull(),
    /** 0 for an item about the workspace as a whole. */
    account: integer("account").notNull(),
    kind: text("kind", { enum: ITEM_KINDS }).notNull(),
    subject: text("subject").notNull(),
    occurrence: integer("occurrence").notNull(),
    openedDay: integer("opened_day").notNull(),
    confirmedDay: integer("confirmed_day").notNull(),
    resolvedDay: integer("resolved_day"),
    resolution: text("resolution", { enum: RESOLUTIONS }),
    severity: text("severity", { enum: SEVERITIES }).notNull(),
    confidence: text("confidence", { enum: CONFIDENCES }).notNull(),
    rank: real("rank").notNull(),
    dueAt: instant("due_at"),
    evidence: text("evidence", { mode: "json" }).$type<ItemEvidence[]>().notNull(),
  },
  (table) => [
    uniqueIndex("inbox_items_identity").on(table.workspace, table.account, table.kind, table.subject, table.occurrence),
    index("inbox_items_open")
      .on(table.workspace, table.rank)
      .where(sql`resolved_day IS NULL`),
    index("inbox_items_resolved")
      .on(table.workspace, table.resolvedDay)
      .where(sql`resolved_day IS NOT NULL`),
    ownRangeCheck("inbox_items_number", table.number, table.workspace),
  ],
);

/** What people did with an item. Not an outcome: the recompute never writes here. */
export const inboxMarks = sqliteTable("inbox_marks", {
  item: integer("item").primaryKey(),
  dismissedAt: instant("dismissed_at"),
  dismissReason: text("dismiss_reason", { enum: DISMISS_REASONS }),
  snoozedUntil: instant("snoozed_until"),
  contactedAt: instant("contacted_at"),
  /** Who, as `actorNameOf` writes it. */
  contactedBy: text("contacted_by"),
  note: text("note"),
  noteBy: text("note_by"),
  noteAt: instant("note_at"),
});

/** What people did about an account, latest last: the log of marks and owners. */
export const activities = sqliteTable(
  "activities",
  {
    account: integer("account").notNull(),
    at: instant("at").notNull(),
    action: text("action", { enum: ACTIVITIES }).notNull(),
    /** The item that was marked; 0 for the account itself. */
    item: integer("item").notNull(),
    by: text("by").notNull(),
    /** The owner, why an item was dismissed, or the note: empty if it was removed, and `null` once its text is gone. */
    detail: text("detail"),
  },
  (table) => [primaryKey({ columns: [table.account, table.at, table.action, table.item] })],
);

/** Views of the list of accounts that people have saved: a name for the filters in an address. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    workspace: integer("workspace").notNull(),
    name: text("name").notNull(),
    /** The query of the address, such as `state=at_risk&owner=Ada`. */
    query: text("query").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.name] })],
);

/** Who looks after an account. Not an outcome either. */
export const accountOwners = sqliteTable("account_owners", {
  account: integer("account").primaryKey(),
  owner: text("owner").notNull(),
});

/** Lets one run at a time fold and score a workspace, and remembers which of its tasks wait in the queue. */
export const leases = sqliteTable("leases", {
  workspace: integer("workspace").primaryKey(),
  /** `null` after its release. */
  holder: text("holder"),
  expiresAt: instant("expires_at").notNull(),
  /** When the task was queued; `null` once it has begun. */
  recomputeQueuedAt: instant("recompute_queued_at"),
  archiveQueuedAt: instant("archive_queued_at"),
  userErasureQueuedAt: instant("user_erasure_queued_at"),
  backupQueuedAt: instant("backup_queued_at"),
  /** When the last complete backup began, or found nothing new; `null` for never in this database. */
  backedUpAt: instant("backed_up_at"),
});

export const recomputeRuns = sqliteTable(
  "recompute_runs",
  {
    /** Runs on demand share it: one for each workspace. */
    id: text("id").notNull(),
    workspace: integer("workspace").notNull(),
    trigger: text("trigger", { enum: ["cron", "admin"] }).notNull(),
    /** The `now` of the run; then its start and end by the wall clock. */
    asOf: instant("as_of").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    eventsFolded: integer("events_folded").notNull().default(0),
    accountsScored: integer("accounts_scored").notNull().default(0),
    itemsOpened: integer("items_opened").notNull().default(0),
    itemsResolved: integer("items_resolved").notNull().default(0),
    rowsRead: integer("rows_read").notNull().default(0),
    rowsWritten: integer("rows_written").notNull().default(0),
    complete: integer("complete", { mode: "boolean" }).notNull().default(false),
    fault: text("fault"),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index("recompute_runs_started").on(table.workspace, table.startedAt),
  ],
);
