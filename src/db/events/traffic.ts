/** Counts messages over time. */
import { HOUR_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { readableDatabaseOf, type WorkspaceRef } from "../client/database.ts";
import { newestSeq, oldestSeq, inOwnRange } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { messages, rejections } from "../schema/schema.ts";

const MINUTE_MS = 60_000;

const SPANS = {
  hour: { widthMs: MINUTE_MS, buckets: 60 },
  days: { widthMs: HOUR_MS, buckets: 48 },
} as const;

export type TrafficSpan = keyof typeof SPANS;

export interface TrafficBucket {
  /** Milliseconds since the epoch. */
  start: number;
  stored: number;
  /** Rejected messages that are kept: the newest 1,000 of a workspace. */
  rejected: number;
}

const m = columnsOf(messages, "m");
const message = columnsOf(messages);
const r = columnsOf(rejections);

/**
 * Finds the first message received at or after each time. ?1 the workspace's number, ?2 the times as a JSON array.
 *
 * Keys grow by one in the order of arrival. So a binary search finds each message, and the difference of two keys is the
 * number of messages between them: a busy day costs as little as a quiet one.
 */
const FIRST_MESSAGE_SINCE = `
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
 * Counts the kept rejections by time; at most 1,000 are kept. ?1 the workspace's number, ?2 the start of the first bucket,
 * ?3 the width of a bucket.
 * D1 binds numbers as floats, so the division needs the casts.
 */
const COUNT_REJECTIONS_BY_TIME = `
SELECT (${r.receivedAt} - CAST(?2 AS INTEGER)) / CAST(?3 AS INTEGER) AS bucket, count(*) AS count
FROM ${r.table}
WHERE ${inOwnRange(r.seq, "?1")} AND ${r.receivedAt} >= ?2
GROUP BY bucket`;

/** Counts a workspace's messages by time, oldest bucket first. The last bucket contains `now`. */
export async function readTraffic(
  env: Env,
  workspace: WorkspaceRef,
  span: TrafficSpan,
  now: number,
): Promise<TrafficBucket[]> {
  const { widthMs, buckets } = SPANS[span];
  const since = (Math.floor(now / widthMs) + 1 - buckets) * widthMs;
  const times = Array.from({ length: buckets + 1 }, (_, index) => since + index * widthMs);

  const { number } = workspace;
  const [found, counted] = await runBatch(readableDatabaseOf(env, workspace), [
    statement<{ seq: number }>(FIRST_MESSAGE_SINCE, number, JSON.stringify(times)),
    statement<{ bucket: number; count: number }>(COUNT_REJECTIONS_BY_TIME, number, since, widthMs),
  ]);
  const seqs = found.results.map(({ seq }) => seq);
  const rejected = new Map(counted.results.map(({ bucket, count }) => [bucket, count]));
  return times.slice(0, buckets).map((start, index) => ({
    start,
    stored: (seqs[index + 1] ?? 0) - (seqs[index] ?? 0),
    rejected: rejected.get(index) ?? 0,
  }));
}
