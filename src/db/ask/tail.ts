/** SQL of the unfolded tail of the log, which answers add to the rollups. ?1 is the workspace's number. */
import { columnsOf } from "../client/columns-of.ts";
import { dayOf, newestSeq } from "../client/sql-fragments.ts";
import { folds } from "../schema/schema.ts";
import { m } from "./query/aliases.ts";

const f = columnsOf(folds, "f");

/** Answers count at most this many unfolded messages. More wait only during an import. */
export const MAX_TAIL = 20_000;

/** The seq of the last folded message. */
export const WATERMARK = `coalesce((SELECT ${f.watermark} FROM ${f.table} WHERE ${f.workspace} = ?1), ?1 << 32)`;

/** At least the number of messages in the tail, without reading them. */
export const TAIL_SIZE = `min(${MAX_TAIL}, coalesce(${newestSeq("?1")} - ${WATERMARK}, 0))`;

/** The condition for messages `m` in the tail. */
export const IN_TAIL = `${m.seq} > ${WATERMARK} AND ${m.seq} <= min(${WATERMARK} + ${MAX_TAIL}, ((?1 + 1) << 32) - 1)`;

/** The events of the tail: account, user (0 for none), event, day and at. */
export const TAIL_EVENTS = `
SELECT ${m.account} AS account, coalesce(${m.user}, 0) AS user, ${m.event} AS event,
  ${dayOf(m.occurredAt)} AS day, ${m.occurredAt} AS at
FROM ${m.table}
WHERE ${IN_TAIL} AND ${m.type} = 'track' AND ${m.account} IS NOT NULL`;

/** Stands for the first day without a summary if all days have one: a day that never comes. */
export const AFTER_ALL_DAYS = 1_000_000_000;
