/** The days of a query's windows, counted on a calendar. */
import { comparesWithEntity } from "../../../src/core/ask/query/subjects.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import type { Query, Unit, WindowName } from "../../../src/core/ask/query/model.ts";

export interface Days {
  from: number;
  to: number;
}

const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12 };
const dateOf = (day: number): Date => new Date(day * DAY_MS);
const dayOf = (date: Date): number => Math.floor(date.getTime() / DAY_MS);

/** Returns the day that many units away: the same date in another month, or that month's last day. */
function addUnits(day: number, unit: Unit, count: number): number {
  const months = MONTHS[unit];
  if (months === undefined) return day + count * (unit === "week" ? 7 : 1);
  const date = dateOf(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * months);
  const month = date.getUTCMonth();
  date.setUTCDate(wanted);
  while (date.getUTCMonth() !== month) date.setUTCDate(date.getUTCDate() - 1);
  return dayOf(date);
}

/** Goes back to the first day of the calendar's unit. */
export function startOf(unit: Unit, from: number): number {
  const starts: Record<Unit, (date: Date) => boolean> = {
    day: () => true,
    week: (date) => date.getUTCDay() === 1,
    month: (date) => date.getUTCDate() === 1,
    quarter: (date) => date.getUTCDate() === 1 && date.getUTCMonth() % 3 === 0,
    year: (date) => date.getUTCDate() === 1 && date.getUTCMonth() === 0,
  };
  let day = from;
  while (!starts[unit](dateOf(day))) day -= 1;
  return day;
}

export function daysNamed(window: WindowName, today: number): Days {
  if ("from" in window) return { from: dayOf(new Date(window.from)), to: dayOf(new Date(window.to)) };
  if ("all" in window) return { from: today - 799, to: today };
  if ("this" in window) return { from: startOf(window.this, today), to: today };
  if ("last" in window) return { from: addUnits(today, window.unit, -window.last) + 1, to: today };
  if ("next" in window) return { from: today, to: addUnits(today, window.unit, window.next) };
  const to = startOf(window.previous, today) - 1;
  return { from: startOf(window.previous, to), to };
}

/** Returns the days of a window for a date: `this` goes on to the end of the unit. */
export function datesNamed(window: WindowName, today: number): Days {
  const days = daysNamed(window, today);
  if (!("this" in window)) return days;
  while (startOf(window.this, days.to + 1) === days.from) days.to += 1;
  return days;
}

/** Cuts a whole unit of the calendar to as many days as the unit that has begun. */
function asManyOf(whole: Days, begun: Days): Days {
  const isAlike = (["week", "month", "quarter", "year"] as const).some((unit) => {
    const isWhole = startOf(unit, whole.to) === whole.from && startOf(unit, whole.to + 1) === whole.to + 1;
    return isWhole && startOf(unit, begun.to) === begun.from;
  });
  return isAlike ? { from: whole.from, to: Math.min(whole.to, whole.from + begun.to - begun.from) } : whole;
}

const LONG = ["week", "month", "quarter", "year"] as const;

/** Goes back, from the day before a window: a whole unit, as much of it as this one has so far, or as many days. */
function daysBefore(name: WindowName, { from, to }: Days, isState: boolean): Days {
  const [last, length] = [from - 1, to - from + 1];
  if ("this" in name && name.this !== "day") {
    const start = startOf(name.this, last);
    return { from: start, to: isState ? last : Math.min(last, start + length - 1) };
  }
  const named = "from" in name ? daysNamed(name, last) : { from, to };
  const whole = LONG.find((unit) => startOf(unit, named.to) === from && startOf(unit, named.to + 1) === named.to + 1);
  if (whole !== undefined && !("last" in name)) {
    const start = startOf(whole, last);
    return { from: start, to: to < named.to && !isState ? Math.min(last, start + length - 1) : last };
  }
  if ("last" in name && MONTHS[name.unit] !== undefined) return daysNamed(name, last);
  // What is counted on a few days depends on the weekday.
  const distance = isState ? length : Math.max(length, 7);
  return { from: from - distance, to: to - distance };
}

/** Returns the window of a query, and the one to compare it with. Both have only complete days, if there are any. */
export function comparedDays(
  { window = { last: 28, unit: "day" }, compare, measure = "" }: Query,
  today: number,
): { window: Days; before: Days | null } {
  const complete = (name: WindowName): Days => {
    const { from, to } = daysNamed(name, today);
    if (from >= today || to < today) return { from, to };
    return "last" in name ? daysNamed(name, today - 1) : { from, to: today - 1 };
  };
  const days = daysNamed(window, today);
  if (compare === undefined || comparesWithEntity(compare.to)) return { window: days, before: null };
  const isState = ["score", "mrr", "seats"].includes(measure);
  const isNow = days.from === today && days.to === today && isState;
  const own = isNow ? { from: today - 1, to: today - 1 } : complete(window);
  if (compare.to === "before") return { window: own, before: daysBefore(window, own, isState) };
  const other = daysNamed(compare.to, today);
  const before = complete(compare.to);
  if (isState) return { window: own, before };
  if (days.to < today && other.to >= today) return { window: asManyOf(own, before), before };
  return { window: own, before: days.to >= today && other.to < today ? asManyOf(before, own) : before };
}
