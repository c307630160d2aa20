/** Finds when a snooze ends: at nine in the morning, in the workspace's time zone. */
import { DAY_MS } from "../durations.ts";
import { clockOf, instantOf } from "../local-time.ts";

const NINE_MS = 9 * 3_600_000;
const MAX_DAYS = 366;
const DAYS_A_WEEK = 7;
/** The first Monday after 1970-01-01, in days. */
const FIRST_MONDAY = 4;

/**
 * @param choice `tomorrow`, `monday` (the next one) or a date such as `2026-12-24`
 * @returns milliseconds since the epoch; `null` for a date that isn't in the year after today
 */
export function snoozedUntil(choice: string, timezone: string, now: number): number | null {
  const clock = clockOf(timezone);
  const today = Math.floor(clock(now) / DAY_MS);
  const day = dayOf(choice, today);
  if (!(day > today && day <= today + MAX_DAYS)) return null;
  return instantOf(day * DAY_MS + NINE_MS, clock);
}

function dayOf(choice: string, today: number): number {
  if (choice === "tomorrow") return today + 1;
  if (choice === "monday") return today + DAYS_A_WEEK - ((today - FIRST_MONDAY) % DAYS_A_WEEK);
  return /^\d{4}-\d{2}-\d{2}$/.test(choice) ? Date.parse(choice) / DAY_MS : Number.NaN;
}
