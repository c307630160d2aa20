/**
 * The schema. `npm run db:generate` generates migrations from it. Add `WITHOUT ROWID` by hand to a new table with a
 * composite primary key, which drizzle-kit can't express: without it every write costs two rows.
 *
 * Workspaces, accounts, users and inbox items have an integer for references between tables, because the log has
 * millions of rows, and a random public id for the API. All these integers except a workspace's number are
 * `workspace · 2^32 + n`, so that a workspace's rows are a range of each table and can be copied to another database
 * unchanged: see docs/decisions/0024-workspace-scoped-numbers.md. Hot tables have no foreign keys: each would cost a row
 * read per message, and the ingest transaction resolves every reference itself.
 */
export * from "./workspaces.ts";
export * from "./accounts.ts";
export * from "./messages.ts";
export * from "./rollups.ts";
export * from "./names.ts";
export * from "./outcomes.ts";
export * from "./destinations.ts";
export type { StoredAttributes } from "./columns.ts";
