/** The tables that queries read, by the aliases that they have in all SQL of the compiler. */
import { columnsOf } from "../../client/columns-of.ts";
import * as schema from "../../schema/schema.ts";

export const a = columnsOf(schema.accounts, "a");
export const u = columnsOf(schema.users, "u");
export const ua = columnsOf(schema.userAccounts, "ua");
export const t = columnsOf(schema.traits, "t");
export const m = columnsOf(schema.messages, "m");
export const e = columnsOf(schema.eventNames, "e");
export const r = columnsOf(schema.rollups, "r");
/** Days of accounts whose rollups have been summed up. */
export const d = columnsOf(schema.accountDays, "d");
export const b = columnsOf(schema.activity, "b");
export const h = columnsOf(schema.health, "h");
/** What accounts had at the end of days: health and attributes. */
export const hd = columnsOf(schema.healthDays, "hd");
export const ad = columnsOf(schema.attributeDays, "ad");
export const i = columnsOf(schema.inboxItems, "i");
/** What people did with an item. */
export const k = columnsOf(schema.inboxMarks, "k");
