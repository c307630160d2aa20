/**
 * Counts days. A **counted day** is any day outside outages. A **business day** is a counted day from Monday to Friday that
 * is not a shared holiday. Windows count counted days, so they reach back past an outage.
 */
import type { Day, Window, WorkspaceContext } from "./model.ts";

export type Outages = WorkspaceContext["outages"];

/** Counts the days from `from` to `to`, both included; 0 if `to` is earlier. */
type CountDays = (from: Day, to: Day) => number;

export interface Calendar {
  countedDays: CountDays;
  businessDays: CountDays;
  /** Returns the range of the last `count` counted days up to `day`. */
  window(day: Day, count: number): Window;
  /** Returns the first of the last `count` business days up to `day`. */
  firstOfBusinessDays(day: Day, count: number): Day;
}

/** The window of most measures, in counted days. */
export const WINDOW_DAYS = 28;

const BUSINESS_DAYS_A_WEEK = 5;
/** 1970-01-05, in days since 1970-01-01. */
const FIRST_MONDAY = 4;

/**
 * Returns the calendar without `outages`, which are ascending and do not touch.
 *
 * @param holidays shared holidays: weekdays outside outages
 */
export function calendarOf(outages: Outages, holidays: readonly Day[] = []): Calendar {
  const newestFirst = outages.toReversed();
  const outsideOutages = (count: CountDays, from: Day, to: Day): number => {
    let left = count(from, to);
    for (const [first, last] of newestFirst) {
      if (last < from) break;
      left -= count(Math.max(first, from), Math.min(last, to));
    }
    return left;
  };
  const businessDays: CountDays = (from, to) => {
    const count = outsideOutages(weekdays, from, to);
    return holidays.length === 0 ? count : count - holidays.filter((day) => from <= day && day <= to).length;
  };
  return {
    countedDays: (from, to) => outsideOutages(allDays, from, to),
    businessDays,
    window(day, count) {
      let to = day;
      let end = day;
      let left = count;
      for (const [first, last] of newestFirst) {
        if (first > end) continue;
        if (last >= to) to = first - 1;
        const room = Math.max(0, end - last);
        if (left <= room) break;
        left -= room;
        end = first - 1;
      }
      return { from: end - left + 1, to };
    },
    firstOfBusinessDays(day, count) {
      let from = day;
      while (businessDays(from, day) < count) from -= 1;
      return from;
    },
  };
}

/**
 * Lists the last `count` counted days up to `day`, the newest first. Rules that need several days in a row use these,
 * because an outage was not yet known on its own days.
 */
export function lastCountedDays(outages: Outages, day: Day, count: number): readonly Day[] {
  const days: Day[] = [];
  for (let each = day; days.length < count; each -= 1) {
    if (!outages.some(([first, last]) => first <= each && each <= last)) days.push(each);
  }
  return days;
}

const allDays: CountDays = (from, to) => Math.max(0, to - from + 1);
const weekdays: CountDays = (from, to) => (to < from ? 0 : weekdaysBefore(to + 1) - weekdaysBefore(from));

/** Counts the weekdays from the first Monday up to the day before `day`; negative for earlier days. */
function weekdaysBefore(day: Day): number {
  const weeks = Math.floor((day - FIRST_MONDAY) / 7);
  return weeks * BUSINESS_DAYS_A_WEEK + Math.min(day - FIRST_MONDAY - weeks * 7, BUSINESS_DAYS_A_WEEK);
}
