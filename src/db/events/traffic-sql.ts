/** Counts messages over time. ?1 is the workspace's number. */
import { columnsOf } from "../client/columns-of.ts";
import { newestSeq, oldestSeq, ownSeq } from "../client/sql-fragments.ts";
import { messages, rejections } from "../schema/schema.ts";

const m = columnsOf(messages, "m");
const message = columnsOf(messages);
const r = columnsOf(rejections);

/**
 * Finds the first message received at or after each time. ?2 the times, as a JSON array.
 *
 * Keys grow by one in the order of arrival. So a binary search finds each message, and the difference of two keys is the
 * number of messages between them: a busy day costs as little as a quiet one.
 */
export const FIRST_MESSAGE_SINCE = `
WITH RECURSIVE
  log AS (
    SELECT ${oldestSeq("?1")} AS oldest, ${newestSeq("?1")} AS newest),
  search(time, low, high) AS (
    SELECT t.value, log.oldest, log.newest + 1 FROM log CROSS JOIN json_each(?2) t WHERE log.newest IS NOT NULL
    UNION ALL
    SELECT time, iif(${m.receivedAt} < time, ${m.seq} + 1, low), iif(${m.receivedAt} < time, high, (low + high) / 2)
    FROM search CROSS JOIN ${m.table} ON ${m.seq} = (
      SELECT ${message.seq} FROM ${message.table} WHERE ${message.seq} >= (low + high) / 2 ORDER BY ${message.seq} LIMIT 1)
    WHERE low < high)
SELECT low AS seq FROM search WHERE low = high ORDER BY time`;

/**
 * Counts the kept rejections by time; at most 1,000 are kept. ?2 the start of the first bucket, ?3 the width of a bucket.
 * D1 binds numbers as floats, so the division needs the casts.
 */
export const COUNT_REJECTIONS_BY_TIME = `
SELECT (${r.receivedAt} - CAST(?2 AS INTEGER)) / CAST(?3 AS INTEGER) AS bucket, count(*) AS count
FROM ${r.table}
WHERE ${ownSeq(r.seq, "?1")} AND ${r.receivedAt} >= ?2
GROUP BY bucket`;
