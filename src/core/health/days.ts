/**
 * Counting days. Every window, gap and expectation leaves out the days on which the sender was out, so that a window
 * stretches back past an outage: a **counted day** is any other day, a **business day** a counted day from Monday to
 * Friday that is no holiday of all. Without either, which is nearly always, all of it is plain arithmetic.
 */
import type { Day, Window, WorkspaceContext } from "./model.ts";

export type Outages = WorkspaceContext["outages"];

export interface Calendar {
  /** Counted days from `from` to `to`, both included; 0 where `to` lies before. */
  countedDays(from: Day, to: Day): number;
  /** Business days, likewise. */
  businessDays(from: Day, to: Day): number;
  /** The last `count` counted days up to `day`, from the first to the last of them. */
  window(day: Day, count: number): Window;
  /** The first of the last `count` business days up to `day`. */
  firstOfBusinessDays(day: Day, count: number): Day;
}

/** Counted days that most is judged by. */
export const WINDOW_DAYS = 28;

const BUSINESS_DAYS_A_WEEK = 5;
/** 1970-01-05. */
const FIRST_MONDAY = 4;

/**
 * The calendar of days that leave out `outages`, which are ascending and apart.
 *
 * @param holidays days from Monday to Friday, none of them in an outage, that are no business days
 */
export function calendarOf(outages: Outages, holidays: readonly Day[] = []): Calendar {
  const calendar = outages.length === 0 ? PLAIN : calendarWithout(outages);
  return holidays.length === 0 ? calendar : calendarWithHolidays(calendar, holidays);
}

/**
 * The last `count` counted days up to `day`, the newest first. What must hold for days in a row is asked of these: as of
 * the days of an outage, nobody knew of it.
 */
export function lastCountedDays(outages: Outages, day: Day, count: number): readonly Day[] {
  const days: Day[] = [];
  for (let each = day; days.length < count; each -= 1) {
    if (!outages.some(([first, last]) => first <= each && each <= last)) days.push(each);
  }
  return days;
}

/** Days from Monday to Friday since the first Monday and before `day`; negative before it. */
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
