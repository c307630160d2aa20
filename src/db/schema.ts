/**
 * The one schema: `npm run db:generate` makes the migrations from it.
 *
 * Workspaces, accounts and users have an integer for references between tables (a log row is read and written by the
 * million) and a random public id for the wire. Hot tables carry no foreign keys: each would cost a row read per
 * message, and the ingest transaction resolves every reference itself.
 */
export * from "./schema/tenancy.ts";
export * from "./schema/log.ts";
export * from "./schema/rollups.ts";
export * from "./schema/names.ts";
export * from "./schema/identity.ts";
export * from "./schema/outcomes.ts";
export type { StoredAttributes } from "./schema/columns.ts";
