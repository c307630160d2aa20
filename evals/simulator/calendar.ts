/** Days of the simulation, which count from a Monday, and real dates. */
import { DAY_MS } from "../../src/core/durations.ts";

const START_MS = Date.UTC(2026, 0, 5);

/** Days since 1970-01-01 of day 0. */
export const START_DAY = START_MS / DAY_MS;

/** The beginning of a day, milliseconds since the epoch. */
export const startOf = (day: number): number => START_MS + day * DAY_MS;

/** From Monday, 0, to Sunday, 6. */
export const weekday = (day: number): number => ((day % 7) + 7) % 7;

/** Whether a day is among the last two or the first three working days of a month: when accounts are closed. */
export function isMonthEnd(day: number): boolean {
  return workingDaysOfMonth(day, -1) < 3 || workingDaysOfMonth(day, 1) < 2;
}

/** Working days of the same month before the day, or after it. */
function workingDaysOfMonth(day: number, step: 1 | -1): number {
  const month = new Date(startOf(day)).getUTCMonth();
  let count = 0;
  for (let other = day + step; new Date(startOf(other)).getUTCMonth() === month; other += step) {
    if (weekday(other) < 5) count += 1;
  }
  return count;
}
