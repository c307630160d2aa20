/**
 * The tail of the log: what the recompute has not folded yet, and every answer counts beside the rollups. All of it is
 * in SQL that takes ?1, the workspace's number.
 */
import { dayOf } from "../client/sql-fragments.ts";

/** So many messages an answer counts for itself: more of them wait only while an import is being folded. */
export const MAX_TAIL = 20_000;

/** The seq of the last message folded. */
export const WATERMARK = "coalesce((SELECT f.watermark FROM folds f WHERE f.workspace = ?1), ?1 << 32)";

/** Of the newest message; `NULL` without one. */
export const NEWEST = "(SELECT max(n.seq) FROM messages n WHERE n.seq > ?1 << 32 AND n.seq < (?1 + 1) << 32)";

/** Picks the tail of messages called `m`. */
export const IN_TAIL = `m.seq > ${WATERMARK} AND m.seq <= min(${WATERMARK} + ${MAX_TAIL}, ((?1 + 1) << 32) - 1)`;

/** The events of the tail, `FROM` a table of their own: account, user (0 for none), event, day and at. */
export const TAIL_EVENTS = `
SELECT m.account, coalesce(m.user, 0) AS user, m.event, ${dayOf("m.occurred_at")} AS day, m.occurred_at AS at
FROM messages m
WHERE ${IN_TAIL} AND m.type = 'track' AND m.account IS NOT NULL`;

/** In place of the first day that is not condensed, where all are: a day that never comes. */
export const NEVER_FRESH = 1_000_000_000;
