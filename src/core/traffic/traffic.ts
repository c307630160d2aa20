/**
 * What became of a workspace's messages, by minute for the last hour and by hour for the last two days.
 *
 * Only buckets that hold something are kept, and a number that comes late goes where it belongs. What is too far from now
 * is forgotten when a bucket is made, before now as after it: a clock that steps back loses nothing by it, nor does it make
 * the list grow. Buckets begin at whole minutes and hours, UTC.
 */
import { HOUR_MS } from "../durations.ts";

const MINUTE_MS = 60_000;

/** Numbers of messages of requests that were let in. */
export interface Outcomes {
  readonly stored: number;
  readonly duplicates: number;
  readonly rejected: number;
}

export interface TrafficCounts extends Outcomes {
  /** Of requests that the write limit refused. */
  readonly limited: number;
}

export interface TrafficBucket extends TrafficCounts {
  /** Milliseconds since the epoch. */
  readonly start: number;
}

type Buckets = readonly TrafficBucket[];

/** Plain data, to be kept: each list in order of time. */
export interface Traffic {
  readonly minutes: Buckets;
  readonly hours: Buckets;
}

/** A bucket for each minute and hour, the oldest first; the last ones hold now. */
export interface TrafficSeries {
  minutes: TrafficBucket[];
  hours: TrafficBucket[];
}

interface Resolution {
  widthMs: number;
  buckets: number;
}

const MINUTES: Resolution = { widthMs: MINUTE_MS, buckets: 60 };
const HOURS: Resolution = { widthMs: HOUR_MS, buckets: 48 };

export const NO_TRAFFIC: Traffic = { minutes: [], hours: [] };
export const NO_COUNTS: TrafficCounts = { stored: 0, duplicates: 0, rejected: 0, limited: 0 };

/**
 * Counts messages.
 * @param at when it became of them, milliseconds since the epoch; what is ahead of `now` is taken as now
 */
export function record({ minutes, hours }: Traffic, counts: TrafficCounts, at: number, now: number): Traffic {
  const moment = Math.min(at, now);
  return {
    minutes: recordIn(minutes, counts, moment, now, MINUTES),
    hours: recordIn(hours, counts, moment, now, HOURS),
  };
}

export function series({ minutes, hours }: Traffic, now: number): TrafficSeries {
  return { minutes: seriesOf(minutes, now, MINUTES), hours: seriesOf(hours, now, HOURS) };
}

function recordIn(buckets: Buckets, counts: TrafficCounts, at: number, now: number, resolution: Resolution): Buckets {
  const { widthMs } = resolution;
  const start = startOf(at, widthMs);
  const place = buckets.findLastIndex((bucket) => bucket.start <= start);
  const known = buckets[place];
  if (known?.start === start) return buckets.with(place, { start, ...sum(known, counts) });
  const current = startOf(now, widthMs);
  const reachMs = resolution.buckets * widthMs;
  return buckets
    .toSpliced(place + 1, 0, { start, ...sum(NO_COUNTS, counts) })
    .filter((bucket) => Math.abs(bucket.start - current) < reachMs);
}

function seriesOf(buckets: Buckets, now: number, resolution: Resolution): TrafficBucket[] {
  const known = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  const first = startOf(now, resolution.widthMs) - (resolution.buckets - 1) * resolution.widthMs;
  return Array.from({ length: resolution.buckets }, (_, place) => {
    const start = first + place * resolution.widthMs;
    return known.get(start) ?? { start, ...NO_COUNTS };
  });
}

const startOf = (at: number, widthMs: number): number => Math.floor(at / widthMs) * widthMs;

const sum = (a: TrafficCounts, b: TrafficCounts): TrafficCounts => ({
  stored: a.stored + b.stored,
  duplicates: a.duplicates + b.duplicates,
  rejected: a.rejected + b.rejected,
  limited: a.limited + b.limited,
});
