/**
 * The one schema: `npm run db:generate` makes the migrations from it.
 *
 * Workspaces, accounts and users have an integer for references between tables (a log row is read and written by the
 * million) and a random public id for the wire. Hot tables carry no foreign keys: each would cost a row read per
 * message, and the ingest transaction resolves every reference itself.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { BANDS, CONFIDENCES, type Health, HEALTH_STATES, type WorkspaceContext } from "../core/health/model.ts";
import { ITEM_KINDS, type ItemEvidence, RESOLUTIONS, SEVERITIES } from "../core/inbox/model.ts";
import type { AccountAttributes } from "../core/ingest/message.ts";
import type { JsonObject } from "../core/json.ts";

/** Milliseconds since the epoch. */
const instant = (name: string) => integer(name, { mode: "number" });

/** By attribute name: the value, and the message that decided it, which a later one has to beat. */
export type StoredAttributes = Record<string, [value: string | number | null, occurredAt: number, seq: number]>;

export const workspaces = sqliteTable("workspaces", {
  /** Never used again once erased: the keys of the log begin with it. */
  number: integer("number").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().unique(),
  name: text("name").notNull(),
  writeLimit: integer("write_limit").notNull(),
  createdAt: instant("created_at").notNull(),
  /** Set first when a workspace is erased: from then on nothing can be written to it. */
  erasedAt: instant("erased_at"),
});

/** Every acceptance of the data processing agreement and its withdrawal: the newest row tells what holds. */
export const agreements = sqliteTable(
  "agreements",
  {
    id: integer("id").primaryKey(),
    workspace: integer("workspace").notNull(),
    version: text("version").notNull(),
    acceptedBy: text("accepted_by").notNull(),
    acceptedAt: instant("accepted_at").notNull(),
    withdrawnAt: instant("withdrawn_at"),
  },
  (table) => [index("agreements_workspace").on(table.workspace)],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    workspace: integer("workspace").notNull(),
    name: text("name"),
    /** SHA-256 of the key, in hex: the key itself is stored nowhere. */
    hash: text("hash").notNull().unique(),
    lastFour: text("last_four").notNull(),
    /** `null`: all scopes, those to come included. */
    scopes: text("scopes", { mode: "json" }).$type<string[]>(),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("api_keys_workspace").on(table.workspace)],
);

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
    waiting: text("waiting", { mode: "json" }).$type<StoredAttributes>(),
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
export const waitingAttributeDays = sqliteTable(
  "waiting_attribute_days",
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
    condenseFrom: integer("condense_from"),
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

/** Outcome: the newest health of an account. */
export const health = sqliteTable(
  "health",
  {
    workspace: integer("workspace").notNull(),
    account: integer("account").notNull(),
    state: text("state", { enum: HEALTH_STATES }).notNull(),
    score: real("score"),
    /** Codes and numbers: reasons, changes, confidence and the like. */
    health: text("health", { mode: "json" }).$type<Health>().notNull(),
    /** Of all that it was computed from: the same again changes nothing. */
    inputsHash: text("inputs_hash").notNull(),
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

/** Outcome: the inbox, all items ever. */
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
  ],
);

/** What people did with an item. No outcome: the recompute never writes here but to drop what belongs to nothing. */
export const inboxMarks = sqliteTable("inbox_marks", {
  /** The item's number. */
  item: integer("item").primaryKey(),
  dismissedAt: instant("dismissed_at"),
  snoozedUntil: instant("snoozed_until"),
});

/** Who may fold and score: one run at a time. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  /** `null` once it was given back. */
  holder: text("holder"),
  expiresAt: instant("expires_at").notNull(),
});

export const recomputeRuns = sqliteTable(
  "recompute_runs",
  {
    id: text("id").primaryKey(),
    trigger: text("trigger", { enum: ["cron", "admin"] }).notNull(),
    /** The time it took for now; which it began and ended at by the clock. */
    asOf: instant("as_of").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    eventsFolded: integer("events_folded").notNull().default(0),
    accountsScored: integer("accounts_scored").notNull().default(0),
    itemsOpened: integer("items_opened").notNull().default(0),
    itemsResolved: integer("items_resolved").notNull().default(0),
    eventsDeleted: integer("events_deleted").notNull().default(0),
    rowsRead: integer("rows_read").notNull().default(0),
    rowsWritten: integer("rows_written").notNull().default(0),
    /** Whether everything that was due is done. */
    complete: integer("complete", { mode: "boolean" }).notNull().default(false),
    /** Why it failed, in our own words. */
    fault: text("fault"),
  },
  (table) => [index("recompute_runs_started").on(table.startedAt)],
);
