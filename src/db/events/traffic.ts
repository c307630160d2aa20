import { HOUR_MS } from "../../core/durations.ts";
import { newBatch } from "../client/batch.ts";
import { statement } from "../client/statements.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { COUNT_REJECTIONS_BY_TIME, FIRST_MESSAGE_SINCE } from "./traffic-sql.ts";

const MINUTE_MS = 60_000;

const SPANS = {
  /** The last hour by minute. */
  hour: { widthMs: MINUTE_MS, buckets: 60 },
  /** The last two days by hour. */
  days: { widthMs: HOUR_MS, buckets: 48 },
} as const;

export type TrafficSpan = keyof typeof SPANS;

/** Messages received in one minute or one hour. */
export interface TrafficBucket {
  /** Milliseconds since the epoch. */
  start: number;
  stored: number;
  /** Rejected messages that are kept: the newest 1,000 of a workspace. */
  rejected: number;
}

/** Counts a workspace's messages by time, oldest bucket first. The last bucket contains `now`. */
export async function readTraffic(
  env: Env,
  workspace: WorkspaceRef,
  span: TrafficSpan,
  now: number,
): Promise<TrafficBucket[]> {
  const { widthMs, buckets } = SPANS[span];
  const since = (Math.floor(now / widthMs) + 1 - buckets) * widthMs;
  const times = Array.from({ length: buckets + 1 }, (_, place) => since + place * widthMs);

  const batch = newBatch(env, workspace);
  const firstMessages = batch.addStatement(statement<{ seq: number }>(FIRST_MESSAGE_SINCE, JSON.stringify(times)));
  const rejectedCounts = batch.addStatement(
    statement<{ bucket: number; count: number }>(COUNT_REJECTIONS_BY_TIME, since, widthMs),
  );
  await batch.run();

  const seqs = firstMessages().map(({ seq }) => seq);
  const rejected = new Map(rejectedCounts().map(({ bucket, count }) => [bucket, count]));
  return times.slice(0, buckets).map((start, place) => ({
    start,
    stored: (seqs[place + 1] ?? 0) - (seqs[place] ?? 0),
    rejected: rejected.get(place) ?? 0,
  }));
}
