/**
 * Finds the times of digests. A destination names a time of day in the workspace's time zone, where a change of the clocks can skip
 * that time or repeat it. The rule is that of iCalendar (RFC 5545, "DATE-TIME"): a repeated time is its first occurrence, and a skipped
 * time is read on the clock before the change, so 02:30 becomes 03:30. Every day has one digest.
 */
import { type DigestTimes, WEEKDAYS } from "./model.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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

/** Returns what a clock shows at an instant, as the milliseconds of the same date and time in UTC. */
type Clock = (instant: number) => number;

function clockOf(timezone: string): Clock {
  const numeric = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  const format = new Intl.DateTimeFormat("en", {
    ...numeric,
    timeZone: timezone,
    calendar: "gregory",
    hourCycle: "h23",
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

/** Returns the instant at which `clock` shows `time`. No offset is greater than 14 hours, so a day away is before or after a change. */
function instantOf(time: number, clock: Clock): number {
  const before = time - (clock(time - DAY_MS) - (time - DAY_MS));
  const after = time - (clock(time + DAY_MS) - (time + DAY_MS));
  return clock(before) !== time && clock(after) === time ? after : before;
}

function minutesOf(at: string): number {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  return hours * 60 + minutes;
}
