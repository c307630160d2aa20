/**
 * The directory: databases, workspaces, their API keys and their agreements. It lives in the first database. Every database also has
 * `workspace_states`, which its own statements check.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { Scope } from "../../core/api-key.ts";
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
    /** The binding of the database that holds its data. */
    database: text("database").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Set at the start of an erasure. From then on no key opens the workspace. */
    erasedAt: instant("erased_at"),
    /** Whether its database may not have learned yet that the agreement was accepted or withdrawn. */
    agreementChanged: integer("agreement_changed", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [check("workspaces_number_limit", sql`${table.number} <= ${sql.raw(String(MAX_WORKSPACE_NUMBER))}`)],
);

/** What is known of the databases. One without a row here is open and empty. */
export const databases = sqliteTable("databases", {
  name: text("name").primaryKey(),
  /** Set by administrators. */
  draining: integer("draining", { mode: "boolean" }).notNull().default(false),
  /** Set by the cron, with the size in bytes. */
  full: integer("full", { mode: "boolean" }).notNull().default(false),
  bytes: integer("bytes").notNull().default(0),
});

/** What a database's statements check of a workspace, in their own transaction. */
export const workspaceStates = sqliteTable("workspace_states", {
  number: integer("number").primaryKey(),
  id: text("id").notNull().unique(),
  /** Only a live workspace can be written to. `moving`: it is being copied to here, or has been copied from here. */
  state: text("state", { enum: ["live", "moving", "erased"] }).notNull(),
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
  },
  (table) => [index("api_keys_workspace").on(table.workspace)],
);
