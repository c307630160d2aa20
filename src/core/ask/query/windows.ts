/** Turns the windows of a query into days. Days are UTC; both ends are included. */
import { DAY_MS } from "../../durations.ts";
import type { Day, Window } from "../../health/model.ts";
import { MAX_WINDOW_DAYS, type Unit, UNITS, type WindowName } from "./model.ts";

/** The window for activity, if the query has none. */
export const DEFAULT_WINDOW: WindowName = { last: 28, unit: "day" };

/** `last` days and weeks end today; `last` months and longer begin after the same date that many months before. */
export function windowDays(window: WindowName, today: Day): Window {
  if ("from" in window) return { from: dayOf(window.from), to: dayOf(window.to) };
  if ("all" in window) return { from: today - MAX_WINDOW_DAYS + 1, to: today };
  if ("this" in window) return { from: startOf(window.this, today), to: today };
  if ("previous" in window) {
    const to = startOf(window.previous, today) - 1;
    return { from: startOf(window.previous, to), to };
  }
  if ("last" in window) return { from: addUnits(today, window.unit, -window.last) + 1, to: today };
  return { from: today, to: addUnits(today, window.unit, window.next) };
}

/** Returns the days of a window for dates, which may be ahead: `this` is the whole calendar unit. */
export function calendarWindowDays(window: WindowName, today: Day): Window {
  const days = windowDays(window, today);
  return "this" in window ? { from: days.from, to: addUnits(days.from, window.this, 1) - 1 } : days;
}

/**
 * Returns the complete days of a window, which it is compared over: today is left out. The last 7 days are the 7 that
 * end yesterday. `null` if the window has no complete day.
 */
export function completeDays(window: WindowName, today: Day): Window | null {
  const days = windowDays(window, today);
  if ("last" in window && days.from < today) return windowDays(window, today - 1);
  const to = Math.min(days.to, today - 1);
  return to < days.from ? null : { from: days.from, to };
}

/** Returns the unit of the calendar whose days are exactly these. */
export const wholeUnit = ({ from, to }: Window): Unit | undefined =>
  UNITS.find((unit) => startOf(unit, from) === from && addUnits(from, unit, 1) - 1 === to);

/** Returns the week, month, quarter or year that a window names; `undefined` for other windows. */
export function unitIn(window: WindowName): Unit | undefined {
  const unit =
    "this" in window
      ? window.this
      : "previous" in window
        ? window.previous
        : "from" in window
          ? wholeUnit({ from: dayOf(window.from), to: dayOf(window.to) })
          : undefined;
  return unit === "day" ? undefined : unit;
}

/**
 * Returns the window before the complete days of a window, without an overlap: the unit before, as many of its first
 * days as this one has so far, as many months, or days.
 * @param isState whether the values at the ends are compared: those of now, and of the day before the window. Counts of
 * a few days depend on weekdays, so they are compared with the same ones a week earlier
 */
export function windowBefore(window: WindowName, now: Window, isState: boolean): Window {
  const [last, length] = [now.from - 1, now.to - now.from + 1];
  const unit = unitIn(window);
  if (unit !== undefined) {
    const from = startOf(unit, last);
    return { from, to: isState || wholeUnit(now) === unit ? last : Math.min(last, from + length - 1) };
  }
  if ("last" in window && IN_SMALLER[window.unit][1] === "month") return windowDays(window, last);
  const distance = isState || length > 7 ? length : 7;
  return { from: now.from - distance, to: now.to - distance };
}

/**
 * Shortens a whole week, month, quarter or year to as many days as the unfinished unit has so far.
 * @param current the days so far of the unfinished unit
 */
export function samePart(whole: Window, current: Window): Window {
  const unit = wholeUnit(whole);
  const isPart = unit !== undefined && unit !== "day" && startOf(unit, current.to) === current.from;
  return isPart ? { from: whole.from, to: Math.min(whole.to, whole.from + current.to - current.from) } : whole;
}

/** Returns the first day of the unit that contains a day. Weeks begin on Monday. */
export function startOf(unit: Unit, day: Day): Day {
  if (unit === "day") return day;
  if (unit === "week") return day - ((day + 3) % 7);
  const [months] = IN_SMALLER[unit];
  const month = dateOf(day).getUTCMonth();
  return utcDay(dateOf(day).getUTCFullYear(), month - (month % months), 1);
}

/** Units in days or months. */
export const IN_SMALLER = {
  day: [1, "day"],
  week: [7, "day"],
  month: [1, "month"],
  quarter: [3, "month"],
  year: [12, "month"],
} as const;

/** Moves a day by a number of units. A month without that date has its last day instead. */
export function addUnits(day: Day, unit: Unit, count: number): Day {
  const [factor, smaller] = IN_SMALLER[unit];
  if (smaller === "day") return day + count * factor;
  const date = dateOf(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count * factor];
  const lastDate = dateOf(utcDay(year, month + 1, 1) - 1).getUTCDate();
  return utcDay(year, month, Math.min(date.getUTCDate(), lastDate));
}

export const dayOf = (date: string): Day => Date.parse(date) / DAY_MS;
export const isoDate = (day: Day): string => dateOf(day).toISOString().slice(0, 10);
const dateOf = (day: Day): Date => new Date(day * DAY_MS);
export const utcDay = (year: number, month: number, date: number): Day => Date.UTC(year, month, date) / DAY_MS;

/**
 * Returns which part of a period was counted: from a day on, which is later than its start, or only so far. `null` for all.
 * @param start the period's first day
 * @param firstDay the first day that anything was recorded
 */
export function countedPart(
  unit: Unit,
  start: Day,
  window: Window | null,
  { firstDay, today }: { firstDay: Day | null; today: Day },
): Day | "no data" | "so far" | null {
  if (window === null) return null;
  const first = Math.max(window.from, firstDay ?? window.from);
  if (startOf(unit, first) > start) return "no data";
  if (start < first) return first;
  return startOf(unit, today) > start ? null : "so far";
}
