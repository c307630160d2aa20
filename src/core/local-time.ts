/**
 * Converts between instants and the clocks of time zones. Where a change of the clocks skips a time or repeats it, the rule is that of
 * iCalendar (RFC 5545, "DATE-TIME"): a repeated time is its first occurrence, and a skipped time is read on the clock before the
 * change, so 02:30 becomes 03:30.
 */
import { DAY_MS } from "./durations.ts";

/** Returns what a clock shows at an instant, as the milliseconds of the same date and time in UTC. */
type Clock = (instant: number) => number;

export function clockOf(timezone: string): Clock {
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
export function instantOf(time: number, clock: Clock): number {
  const before = time - (clock(time - DAY_MS) - (time - DAY_MS));
  const after = time - (clock(time + DAY_MS) - (time + DAY_MS));
  return clock(before) !== time && clock(after) === time ? after : before;
}

/** Writes a moment by the clock of a time zone: `Mon 8 Jan 2030, 09:00`. */
export const clockTime = (instant: number, timezone: string): string =>
  new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: timezone,
  })
    .format(instant)
    .replace(/,(?= \d+ )/, "");
