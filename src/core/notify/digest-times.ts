/**
 * Finds the times of digests. A destination names a time of day in the workspace's time zone, where a change of the clocks can skip
 * that time or repeat it. Every day has one digest.
 */
import { DAY_MS } from "../durations.ts";
import { clockOf, instantOf } from "../local-time.ts";
import { type DigestTimes, WEEKDAYS } from "./model.ts";

const MINUTE_MS = 60_000;
const DAYS_A_WEEK = 7;
/** The weekday of 1970-01-01, as an index of `WEEKDAYS`. */
const EPOCH_WEEKDAY = 3;

/** Returns the first time of `times` after `after`, in milliseconds. */
export function nextDigestAt(times: DigestTimes, timezone: string, after: number): number {
  const clock = clockOf(timezone);
  const timeOfDay = minutesOf(times.at) * MINUTE_MS;
  const weekday = times.every === "week" ? WEEKDAYS.indexOf(times.weekday ?? "monday") : undefined;
  // A time that is skipped belongs to the day before the one that the clock shows, so the search begins there.
  for (let day = Math.floor(clock(after) / DAY_MS) - 1; ; day += 1) {
    if (weekday !== undefined && (day + EPOCH_WEEKDAY) % DAYS_A_WEEK !== weekday) continue;
    const instant = instantOf(day * DAY_MS + timeOfDay, clock);
    if (instant > after) return instant;
  }
}

function minutesOf(at: string): number {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  return hours * 60 + minutes;
}
