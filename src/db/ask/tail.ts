/** The tail of the log: what the recompute has not folded yet. Answers count it beside the rollups. ?1 is the workspace's number. */
import { columnsOf } from "../client/columns-of.ts";
import { dayOf } from "../client/sql-fragments.ts";
import { folds } from "../schema/schema.ts";
import { m } from "./query/aliases.ts";

const f = columnsOf(folds, "f");

/** Answers count so many messages themselves. More of them wait only while an import is being folded. */
export const MAX_TAIL = 20_000;

/** The seq of the last folded message. */
export const WATERMARK = `coalesce((SELECT ${f.watermark} FROM ${f.table} WHERE ${f.workspace} = ?1), ?1 << 32)`;

/** Picks the tail of messages called `m`. */
export const IN_TAIL = `${m.seq} > ${WATERMARK} AND ${m.seq} <= min(${WATERMARK} + ${MAX_TAIL}, ((?1 + 1) << 32) - 1)`;

/** The events of the tail: account, user (0 for none), event, day and at. */
export const TAIL_EVENTS = `
SELECT ${m.account} AS account, coalesce(${m.user}, 0) AS user, ${m.event} AS event,
  ${dayOf(m.occurredAt)} AS day, ${m.occurredAt} AS at
FROM ${m.table}
WHERE ${IN_TAIL} AND ${m.type} = 'track' AND ${m.account} IS NOT NULL`;

/** In place of the first day that is not condensed, where all are: a day that never comes. */
export const NEVER_FRESH = 1_000_000_000;
