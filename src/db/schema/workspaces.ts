/**
 * The directory: databases, workspaces, their API keys, agreements and moves, and the audit log. It lives in the first database. Every database also has
 * `workspace_states` and `changed_subjects`, which its own statements check and write.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { Scope } from "../../core/api-key.ts";
import { type Actor, AUDIT_ACTIONS } from "../../core/audit.ts";
import type { Rates } from "../../core/rates.ts";
import { ROLES } from "../../core/role.ts";
import { instant } from "./columns.ts";

/** Keeps the numbers of all rows below 2^53, so that JavaScript and JSON represent them exactly. */
export const MAX_WORKSPACE_NUMBER = 2 ** 21 - 1;

export const workspaces = sqliteTable(
  "workspaces",
  {
    /** Never reused after an erasure, because the numbers of all its rows begin with it. */
    number: integer("number").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    name: text("name").notNull(),
    writeLimit: integer("write_limit").notNull(),
    /** The most bytes in the log; `null` for any number. */
    storageLimitBytes: integer("storage_limit_bytes"),
    /** The worth of a unit of each currency, to rank amounts by; `null` without rates. */
    rates: text("rates", { mode: "json" }).$type<Rates>(),
    /** The currency whose rate is 1. */
    currency: text("currency"),
    /** An IANA name. Digests are sent by this time zone. */
    timezone: text("timezone").notNull().default("UTC"),
    /** The binding of the database that holds its data. */
    database: text("database").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Set at the start of an erasure. From then on no key opens the workspace. */
    erasedAt: instant("erased_at"),
    /** The write limit of a running import, and when the import started and ends at the latest; all `null` without one. */
    importLimit: integer("import_limit"),
    importStartedAt: instant("import_started_at"),
    importExpiresAt: instant("import_expires_at"),
    /** Whether its database may still have to learn that the agreement was accepted or withdrawn. */
    agreementChanged: integer("agreement_changed", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [check("workspaces_number_limit", sql`${table.number} <= ${sql.raw(String(MAX_WORKSPACE_NUMBER))}`)],
);

/** The databases' known state. A database without a row here is open and empty. */
export const databases = sqliteTable("databases", {
  name: text("name").primaryKey(),
  /** Set by administrators. */
  draining: integer("draining", { mode: "boolean" }).notNull().default(false),
  /** Set by the cron, with the size in bytes. */
  full: integer("full", { mode: "boolean" }).notNull().default(false),
  bytes: integer("bytes").notNull().default(0),
});

/** The state of a workspace that a database's statements check in their own transaction. */
export const workspaceStates = sqliteTable("workspace_states", {
  number: integer("number").primaryKey(),
  id: text("id").notNull().unique(),
  /**
   * Only a live workspace accepts writes. `moving`: all is here, closed. `arriving`: only a part is, because it is being
   * copied here, or because a restore has replaced it: nobody reads it.
   */
  state: text("state", { enum: ["live", "arriving", "moving", "erased"] }).notNull(),
  /** The newest acceptance of the data processing agreement that this database knows: its id, negative once withdrawn. */
  agreement: integer("agreement").notNull().default(0),
});

/** All acceptances of the data processing agreement. The newest row says whether it is in force. */
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
    /** SHA-256 of the key, in hex. The key itself is never stored. */
    hash: text("hash").notNull().unique(),
    lastFour: text("last_four").notNull(),
    /** `null` for all scopes, including future ones. */
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>(),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** From then on the key is unknown; `null` for never. */
    expiresAt: instant("expires_at"),
    /** The id of the key that a rotation has put into its place; `null` without one. */
    successor: text("successor"),
    /** The last day (UTC) on which somebody used it, in days since the epoch; `null` for never. */
    lastUsedDay: integer("last_used_day"),
    /** The pages that may use a browser key; `null` for any other key. */
    origins: text("origins", { mode: "json" }).$type<string[]>(),
    /** The text of a browser key, which is public; `null` for any other key. */
    text: text("text"),
    /** The key's own write limit; `null` for the default of its kind. */
    writeLimit: integer("write_limit"),
    /** The encrypted signing secret, and the name of the key that encrypted it; `null` for senders that don't sign. */
    sealed: text("sealed"),
    sealedBy: text("sealed_by"),
    /** Whether a signature of only the first message of a batch counts. */
    segmentBatches: integer("segment_batches", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("api_keys_workspace").on(table.workspace)],
);

/** The named tokens of administrators, besides the token of the deployment. */
export const adminTokens = sqliteTable("admin_tokens", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** SHA-256 of the token, in hex. */
  hash: text("hash").notNull().unique(),
  lastFour: text("last_four").notNull(),
  readOnly: integer("read_only", { mode: "boolean" }).notNull(),
  createdAt: instant("created_at").notNull(),
  lastUsedDay: integer("last_used_day"),
});

/** The people who may use the console by single sign-on. */
export const people = sqliteTable("people", {
  id: text("id").primaryKey(),
  /** In lower case. */
  email: text("email").notNull().unique(),
  role: text("role", { enum: ROLES }).notNull(),
  /** The ids of the workspaces that a member or viewer may open; `null` for all. */
  workspaces: text("workspaces", { mode: "json" }).$type<string[]>(),
  createdAt: instant("created_at").notNull(),
});

/** Who changed what by administration. It names workspaces by their id, because it outlives them. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    number: integer("number").primaryKey(),
    workspace: text("workspace"),
    at: instant("at").notNull(),
    actor: text("actor").$type<Actor>().notNull(),
    action: text("action", { enum: AUDIT_ACTIONS }).notNull(),
    details: text("details", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [index("audit_log_workspace").on(table.workspace), index("audit_log_at").on(table.at)],
);

/** Where a move's copy continues. */
export interface CopyCursor {
  /** The rows that are being copied, or the last file of a backup; `null` once only the tail is left, or nothing. */
  range: string | null;
  /** The key of the last copied row of the range. */
  after: readonly (string | number | null)[] | null;
  /** The seqs of the last message and of the last changed subject that the copy contains. */
  log: number;
  changes: number;
  /**
   * When the part that saved this and held the source's lease began; 0 until a restore has changed rows. After a long pause,
   * the copy of a move starts again.
   */
  at: number;
  /** Whether the operator of a restore has given up the rows that databases have. */
  giveUp?: boolean;
}

/** The moves that are running, one per workspace. See docs/decisions/0026-moving-a-workspace.md. */
export const moves = sqliteTable("moves", {
  workspace: integer("workspace").primaryKey(),
  from: text("from_database").notNull(),
  to: text("to_database").notNull(),
  /**
   * `copying` while the workspace is used at the source, `final` while writes are refused, `erasing` once it is used at
   * the target, `cancelling` while the copy is being deleted, `failed` when the copy differs from the source.
   */
  state: text("state", { enum: ["copying", "final", "erasing", "cancelling", "failed"] }).notNull(),
  /** The backup that is copied in place of the source, for a restore; `null` for a move. */
  backup: text("backup"),
  /** `null` before the first row of a move, and once the copy of a failed move is deleted. */
  cursor: text("cursor", { mode: "json" }).$type<CopyCursor>(),
  rowsCopied: integer("rows_copied").notNull().default(0),
  rowsTotal: integer("rows_total").notNull().default(0),
  startedAt: instant("started_at").notNull(),
  switchedAt: instant("switched_at"),
  /** Why the last part, or the whole move, failed; `null` once a later part succeeded. */
  fault: text("fault"),
  /** The part of the move that may change this row, and until when no other part takes over. */
  claim: text("claim"),
  claimedUntil: instant("claimed_until").notNull().default(0),
});

/**
 * Accounts and users that the API changed while their workspace was copied, numbered like messages. What ingest changed
 * is in the log.
 */
export const changedSubjects = sqliteTable("changed_subjects", {
  seq: integer("seq").primaryKey(),
  kind: text("kind", { enum: ["account", "user"] }).notNull(),
  subject: integer("subject").notNull(),
});
