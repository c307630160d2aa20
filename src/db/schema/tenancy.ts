/** Who a workspace is, who may use it, and what it has agreed to. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { instant } from "./columns.ts";

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
