/** Expressions that many SQL statements share. */
import { DAY_MS } from "../../core/durations.ts";
import { accounts, messages, users, workspaceDays, workspaceStates } from "../schema/schema.ts";
import { columnsOf } from "./columns-of.ts";

/** Makes every time from year 0 on positive, because integer division rounds toward zero. */
const DAYS_BEFORE_EPOCH = 719_528;

/** The UTC day of a time in milliseconds, counted from 1970-01-01. */
export const dayOf = (time: string): string =>
  `((${time} + ${DAYS_BEFORE_EPOCH * DAY_MS}) / ${DAY_MS} - ${DAYS_BEFORE_EPOCH})`;

const message = columnsOf(messages);
const moved = columnsOf(users, "moved");
const state = columnsOf(workspaceStates);
const workspaceDay = columnsOf(workspaceDays);

/** Whether a number is in the workspace's own range, as `ownRange` defines it. */
export const inOwnRange = (number: string, workspace: string): string =>
  `${number} > ${workspace} << 32 AND ${number} < (${workspace} + 1) << 32`;

/** A row's number within its workspace, for lists of numbers: it takes a few digits instead of sixteen. */
export const withinWorkspace = (number: string): string => `(${number} & 0xffffffff)`;
/** Restores a row's number from its number within the workspace and from any number of the same workspace. */
export const beside = (other: string, part: string): string => `((${other} >> 32 << 32) + ${part})`;

/**
 * The last number in a workspace's range of a table, in one seek. Accounts, users, event names and items live as long
 * as their workspace, so the next number was never used before. A rejection's number may repeat: nothing refers to it.
 */
export const lastNumber = ({ table, number }: { table: string; number: string }, workspace: string): string =>
  `coalesce((SELECT max(${number}) FROM ${table} WHERE ${inOwnRange(number, workspace)}), ${workspace} << 32)`;

/** The key of a workspace's newest or oldest message; NULL without one. */
export const newestSeq = (workspace: string): string =>
  `(SELECT max(${message.seq}) FROM ${message.table} WHERE ${inOwnRange(message.seq, workspace)})`;
export const oldestSeq = (workspace: string): string =>
  `(SELECT min(${message.seq}) FROM ${message.table} WHERE ${inOwnRange(message.seq, workspace)})`;

/**
 * Whether a workspace lives in this database, and is neither being moved nor erased.
 * @param id is left out only where the number comes from this database, or its lease is held: an entry of the directory that
 *   was put back by hand may have the number of another workspace
 */
export const isLive = (workspace: string, id?: string): string => {
  const own = id === undefined ? "" : ` AND ${state.id} = ${id}`;
  return `EXISTS (SELECT 1 FROM ${state.table} WHERE ${state.number} = ${workspace} AND ${state.state} = 'live'${own})`;
};

const RATE_DAYS = 7;
/** A workspace's average number of events a day over the last complete days. */
export const eventsADay = (workspace: string, today: string): string => `
(SELECT coalesce(sum(${workspaceDay.events}), 0) / ${RATE_DAYS}.0 FROM ${workspaceDay.table}
WHERE ${workspaceDay.workspace} = ${workspace}
  AND ${workspaceDay.day} >= ${today} - ${RATE_DAYS} AND ${workspaceDay.day} < ${today})`;

/** Replaces these columns of a stored row. An equal row is not written. */
export const replaceChanged = (columns: readonly string[]): string => `
DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${columns.join(", ")}) IS NOT (${columns.map((column) => `excluded.${column}`).join(", ")})`;

/**
 * Whether a personal account's user has moved to another account, in SQL. Such accounts are kept and never scored.
 * @param alias of `accounts`
 */
export function isSuperseded(alias: string): string {
  const account = columnsOf(accounts, alias);
  return `(${account.kind} = 'solo' AND EXISTS (
    SELECT 1 FROM ${moved.table} WHERE ${moved.workspace} = ${account.workspace}
      AND ${moved.externalId} = ${account.externalId} AND ${moved.account} <> ${account.number}))`;
}
