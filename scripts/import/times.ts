import { instantOf } from "../../src/core/local-time.ts";
import { FIRST_TIME_MS, LAST_MS, readIsoTime } from "../../src/core/ingest/iso-time.ts";

type Clock = Parameters<typeof instantOf>[1];

const NUMBER = /^\d{9,19}(?:\.\d+)?$/;
const HAS_OFFSET = /:.*(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;
/** Numbers from here on count thousandths of what smaller ones count: seconds, milli-, micro- and nanoseconds. */
const FIRST_OF_MILLIS = 1e11;

function epochMs(value: number): number {
  let ms = value * 1_000;
  for (let first = FIRST_OF_MILLIS; value >= first; first *= 1_000) ms /= 1_000;
  return Math.floor(ms);
}

/**
 * Reads an ISO 8601 time, or a number since the epoch.
 * @param clock reads times without an offset; by default UTC
 * @param isLocal whether numbers since the epoch are times of this clock, too
 * @returns the time in ISO 8601; `null` for anything else, and for times before 2000, which mean "unknown"
 */
export function readTime(value: unknown, clock: Clock | null, isLocal = false): string | null {
  const text = String(value).trim().replace(/ UTC$/, "Z");
  const isNumber = NUMBER.test(text);
  const read = isNumber ? epochMs(Number(text)) : readIsoTime(text, true);
  if (read === null) return null;
  const isOfClock = clock !== null && (isNumber ? isLocal : !HAS_OFFSET.test(text));
  const ms = isOfClock ? instantOf(read, clock) : read;
  return ms >= FIRST_TIME_MS && ms <= LAST_MS ? new Date(ms).toISOString() : null;
}
