/** Converts days of the simulation, which count from a Monday, to dates. */
import { DAY_MS } from "../../src/core/durations.ts";

const START_MS = Date.UTC(2026, 0, 5);

/** Days since 1970-01-01 of day 0. */
export const START_DAY = START_MS / DAY_MS;

/** Returns the beginning of a day, in milliseconds since the epoch. */
export const startOf = (day: number): number => START_MS + day * DAY_MS;

/** Returns 0 for Monday to 6 for Sunday. */
export const weekday = (day: number): number => ((day % 7) + 7) % 7;

export const isWorkingDay = (day: number): boolean => weekday(day) < 5;

/** Returns the last working day with `count` working days between it and `day`: "eight working days ago", also on a Sunday. */
export function workingDaysBefore(day: number, count: number): number {
  let before = day - 1;
  for (let left = count; left > 0 || !isWorkingDay(before); before -= 1) {
    if (isWorkingDay(before)) left -= 1;
  }
  return before;
}

/** Returns whether a day is one of the last two or first three working days of a month, when accountants work. */
export function isMonthEnd(day: number): boolean {
  return workingDaysOfMonth(day, -1) < 3 || workingDaysOfMonth(day, 1) < 2;
}

/** Counts working days of the same month before the day, or after it. */
function workingDaysOfMonth(day: number, step: 1 | -1): number {
  const month = new Date(startOf(day)).getUTCMonth();
  let count = 0;
  for (let other = day + step; new Date(startOf(other)).getUTCMonth() === month; other += step) {
    if (isWorkingDay(other)) count += 1;
  }
  return count;
}
