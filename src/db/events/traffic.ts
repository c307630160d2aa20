/** Counts messages over time. SQL text, because a recursive search finds the messages. */
import { HOUR_MS } from "../../core/durations.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { newestSeq, oldestSeq, inOwnRange } from "../client/sql-fragments.ts";
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

const message = columnsOf(messages, "message");
const next = columnsOf(messages, "next");
const rejection = columnsOf(rejections, "rejection");

/**
 * Finds the first message received at or after each time. `:times` lists them.
 *
 * Keys grow by one in the order of arrival. So a binary search finds each message, and the difference of two keys is the
 * number of messages between them: a busy day costs as little as a quiet one.
 */
const FIRST_MESSAGE_SINCE = prepareQuery(
  { seq: expression<number>("low") },
  (columns) => `
WITH RECURSIVE
  log AS (
    SELECT ${oldestSeq(":workspace")} AS oldest, ${newestSeq(":workspace")} AS newest),
  search(time, low, high) AS (
    SELECT since.value, log.oldest, log.newest + 1 FROM log CROSS JOIN json_each(:times) since
    WHERE log.newest IS NOT NULL
    UNION ALL
    SELECT time, iif(${message.receivedAt} < time, ${message.seq} + 1, low),
      iif(${message.receivedAt} < time, high, (low + high) / 2)
    FROM search CROSS JOIN ${message.table} ON ${message.seq} = (
      SELECT ${next.seq} FROM ${next.table} WHERE ${next.seq} >= (low + high) / 2 ORDER BY ${next.seq} LIMIT 1)
    WHERE low < high)
SELECT ${columns} FROM search WHERE low = high ORDER BY time`,
);

/**
 * Counts the kept rejections by time; at most 1,000 are kept. `:since` is the start of the first bucket, `:width` the width
 * of a bucket. D1 binds numbers as floats, so the division needs the casts.
 */
const COUNT_REJECTIONS_BY_TIME = prepareQuery(
  {
    bucket: expression<number>(`(${rejection.receivedAt} - CAST(:since AS INTEGER)) / CAST(:width AS INTEGER)`),
    count: expression<number>("count(*)"),
  },
  (columns) => `
SELECT ${columns} FROM ${rejection.table}
WHERE ${inOwnRange(rejection.seq, ":workspace")} AND ${rejection.receivedAt} >= :since GROUP BY bucket`,
);

/** Adds the queries that count a workspace's messages by time, oldest bucket first. The last bucket contains `now`. */
export function selectTraffic(batch: Batch, span: TrafficSpan, now: number): () => TrafficBucket[] {
  const { widthMs, buckets } = SPANS[span];
  const since = (Math.floor(now / widthMs) + 1 - buckets) * widthMs;
  const times = Array.from({ length: buckets + 1 }, (_, index) => since + index * widthMs);
  const readSeqs = batch.add(FIRST_MESSAGE_SINCE, { times: JSON.stringify(times) });
  const readRejected = batch.add(COUNT_REJECTIONS_BY_TIME, { since, width: widthMs });
  return () => {
    const seqs = readSeqs().map(({ seq }) => seq);
    const rejected = new Map(readRejected().map(({ bucket, count }) => [bucket, count]));
    return times.slice(0, buckets).map((start, index) => ({
      start,
      stored: (seqs[index + 1] ?? 0) - (seqs[index] ?? 0),
      rejected: rejected.get(index) ?? 0,
    }));
  };
}
