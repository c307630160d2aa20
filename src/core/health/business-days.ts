/**
 * Counts days. A **counted day** is any day outside outages. A **business day** is a counted day from Monday to Friday that
 * is not a shared holiday. Windows count counted days, so they reach back past an outage. Without outages and holidays,
 * which is the usual case, all of it is plain arithmetic.
 */
import type { Day, Window, WorkspaceContext } from "./model.ts";

export type Outages = WorkspaceContext["outages"];

export interface Calendar {
  /** Counts the counted days from `from` to `to`, both included; 0 if `to` is earlier. */
  countedDays(from: Day, to: Day): number;
  /** Counts the business days from `from` to `to`, both included; 0 if `to` is earlier. */
  businessDays(from: Day, to: Day): number;
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
  const calendar = outages.length === 0 ? PLAIN : calendarWithout(outages);
  return holidays.length === 0 ? calendar : calendarWithHolidays(calendar, holidays);
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

/** Counts the weekdays from the first Monday up to the day before `day`; negative for earlier days. */
function weekdaysBefore(day: Day): number {
  const weeks = Math.floor((day - FIRST_MONDAY) / 7);
  return weeks * BUSINESS_DAYS_A_WEEK + Math.min(day - FIRST_MONDAY - weeks * 7, BUSINESS_DAYS_A_WEEK);
}

const plainDays = (from: Day, to: Day): number => Math.max(0, to - from + 1);
const weekdays = (from: Day, to: Day): number => (to < from ? 0 : weekdaysBefore(to + 1) - weekdaysBefore(from));

const PLAIN: Calendar = {
  countedDays: plainDays,
  businessDays: weekdays,
  window: (day, count) => ({ from: day - count + 1, to: day }),
  firstOfBusinessDays: (day, count) => firstWith(weekdays, day, count),
};

function calendarWithout(outages: Outages): Calendar {
  const newestFirst = outages.toReversed();
  const without = (count: (from: Day, to: Day) => number) => (from: Day, to: Day) => {
    let left = count(from, to);
    for (const [first, last] of newestFirst) {
      if (last < from) break;
      left -= count(Math.max(first, from), Math.min(last, to));
    }
    return left;
  };
  const businessDays = without(weekdays);
  return {
    countedDays: without(plainDays),
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
    firstOfBusinessDays: (day, count) => firstWith(businessDays, day, count),
  };
}

function calendarWithHolidays(calendar: Calendar, holidays: readonly Day[]): Calendar {
  const businessDays = (from: Day, to: Day) =>
    calendar.businessDays(from, to) - holidays.filter((day) => from <= day && day <= to).length;
  return { ...calendar, businessDays, firstOfBusinessDays: (day, count) => firstWith(businessDays, day, count) };
}

function firstWith(businessDays: Calendar["businessDays"], day: Day, count: number): Day {
  let from = day;
  while (businessDays(from, day) < count) from -= 1;
  return from;
}
