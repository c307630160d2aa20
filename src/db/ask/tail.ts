/**
 * The unfolded tail of the log: one rule for questions and pages, which add it to the rollups, so that an event counts as
 * soon as it is stored. SQL text, because each reader joins the tail to tables of its own.
 * @param workspace the SQL of the workspace's number
 */
import { columnsOf } from "../client/columns-of.ts";
import { dayOf, newestSeq } from "../client/sql-fragments.ts";
import { folds } from "../schema/schema.ts";
import { message } from "./query/aliases.ts";

const fold = columnsOf(folds, "fold");

/** Answers and pages count at most this many unfolded messages. More wait only during an import. */
export const MAX_TAIL = 20_000;

/** The seq of the last folded message. */
export const watermark = (workspace: string): string =>
  `coalesce((SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = ${workspace}), ${workspace} << 32)`;

/** At least the number of messages in the tail, without reading them. */
export const tailSize = (workspace: string): string =>
  `min(${MAX_TAIL}, coalesce(${newestSeq(workspace)} - ${watermark(workspace)}, 0))`;

/** The condition for messages in the tail. */
export const inTail = (workspace: string): string => `${message.seq} > ${watermark(workspace)}
  AND ${message.seq} <= min(${watermark(workspace)} + ${MAX_TAIL}, ((${workspace} + 1) << 32) - 1)`;

/** Selects the events of the tail: account, user (0 for none), event, day and at. */
export const tailEvents = (workspace: string): string => `
SELECT ${message.account} AS account, coalesce(${message.user}, 0) AS user, ${message.event} AS event,
  ${dayOf(message.occurredAt)} AS day, ${message.occurredAt} AS at
FROM ${message.table}
WHERE ${inTail(workspace)} AND ${message.type} = 'track' AND ${message.account} IS NOT NULL`;

/** A day that never comes: the first day without a summary when all days have one. */
export const AFTER_ALL_DAYS = 1_000_000_000;
