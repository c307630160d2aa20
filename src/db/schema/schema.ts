/**
 * The one schema: `npm run db:generate` makes the migrations from it.
 *
 * Workspaces, accounts and users have an integer for references between tables (a log row is read and written by the
 * million) and a random public id for the wire. Hot tables carry no foreign keys: each would cost a row read per
 * message, and the ingest transaction resolves every reference itself.
 */
export * from "./tenancy.ts";
export * from "./log.ts";
export * from "./rollups.ts";
export * from "./names.ts";
export * from "./identity.ts";
export * from "./outcomes.ts";
export type { StoredAttributes } from "./columns.ts";
