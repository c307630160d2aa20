/** The tables that queries read, with their aliases in the compiler's SQL. */
import { columnsOf } from "../../client/columns-of.ts";
import * as schema from "../../schema/schema.ts";

export const a = columnsOf(schema.accounts, "a");
export const u = columnsOf(schema.users, "u");
export const ua = columnsOf(schema.userAccounts, "ua");
export const t = columnsOf(schema.traits, "t");
export const m = columnsOf(schema.messages, "m");
export const e = columnsOf(schema.eventNames, "e");
export const r = columnsOf(schema.rollups, "r");
/** Daily summaries of accounts. */
export const d = columnsOf(schema.accountDays, "d");
export const b = columnsOf(schema.accountProgress, "b");
export const h = columnsOf(schema.health, "h");
/** Health and attributes of accounts at the end of each day. */
export const hd = columnsOf(schema.healthDays, "hd");
export const ad = columnsOf(schema.attributeDays, "ad");
/** Events of the workspace by day. */
export const w = columnsOf(schema.workspaceDays, "w");
export const i = columnsOf(schema.inboxItems, "i");
/** Dismissals and snoozes of items. */
export const k = columnsOf(schema.inboxMarks, "k");

/** @param columns SQL by column name */
export const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");
