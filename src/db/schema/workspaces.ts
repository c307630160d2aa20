/** Workspaces, their API keys and their agreements. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { instant } from "./columns.ts";

export const workspaces = sqliteTable("workspaces", {
  /** Never reused after an erasure, because the keys of the log begin with it. */
  number: integer("number").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().unique(),
  name: text("name").notNull(),
  writeLimit: integer("write_limit").notNull(),
  createdAt: instant("created_at").notNull(),
  /** Set at the start of an erasure. From then on nothing can be written to the workspace. */
  erasedAt: instant("erased_at"),
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
    scopes: text("scopes", { mode: "json" }).$type<string[]>(),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("api_keys_workspace").on(table.workspace)],
);
