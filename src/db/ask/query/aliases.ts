/** The tables that queries read. A table's alias in SQL is the name of its constant. */
import { columnsOf } from "../../client/columns-of.ts";
import * as schema from "../../schema/schema.ts";

export const account = columnsOf(schema.accounts, "account");
export const user = columnsOf(schema.users, "user");
/** An account of a user, present or former. */
export const membership = columnsOf(schema.userAccounts, "membership");
export const trait = columnsOf(schema.traits, "trait");
export const message = columnsOf(schema.messages, "message");
export const eventName = columnsOf(schema.eventNames, "eventName");
export const rollup = columnsOf(schema.rollups, "rollup");
/** Who looks after an account. */
export const ownership = columnsOf(schema.accountOwners, "ownership");
/** The summary of an account's day. */
export const accountDay = columnsOf(schema.accountDays, "accountDay");
export const progress = columnsOf(schema.accountProgress, "progress");
export const health = columnsOf(schema.health, "health");
/** An account's health and attributes at the end of a day. */
export const healthDay = columnsOf(schema.healthDays, "healthDay");
export const attributeDay = columnsOf(schema.attributeDays, "attributeDay");
/** The events of the workspace on a day. */
export const workspaceDay = columnsOf(schema.workspaceDays, "workspaceDay");
export const item = columnsOf(schema.inboxItems, "item");
/** The dismissal or snooze of an item. */
export const mark = columnsOf(schema.inboxMarks, "mark");
