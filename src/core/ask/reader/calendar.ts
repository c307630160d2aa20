/** Turns the names of months, dates and weekdays into windows. */
import type { Day } from "../../health/model.ts";
import { type Unit, UNITS, type WindowName } from "../query/model.ts";
import { dayOf, daysOf, isoDate, startOf } from "../query/windows.ts";

const SMALL = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred".split(" ");
export const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, place) => [word, place + 1] as const),
  ...TENS.map((word, place) => [word, 10 * place + 20] as const),
]);
export const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
export const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
export const ORDINALS = "first second third fourth last".split(" ");

/** A window of days. */
export type Span = Extract<WindowName, { from: string }>;

const FEW: Readonly<Record<string, number>> = { a: 1, an: 1, "couple of": 2, few: 3 };
const amountOf = (text: string): number => FEW[text] ?? NUMBERS.get(text) ?? Number(text);

export const unitOf = (word: string): Unit => UNITS.find((unit) => unit === word) ?? "day";

/** A number of units, counted in days where a fortnight is meant. */
const counted = (amount: string, word: string): { count: number; unit: Unit } =>
  word === "fortnight"
    ? { count: 14 * amountOf(amount), unit: "day" }
    : { count: amountOf(amount), unit: unitOf(word.split(" ").at(-1) ?? "") };

export function lastUnits(amount: string, word: string): WindowName {
  const { count, unit } = counted(amount, word);
  return { last: count, unit };
}

export function nextUnits(amount: string, word: string): WindowName {
  const { count, unit } = counted(amount, word);
  return { next: count, unit };
}

/** So many days, or the last day of the window of so many units. */
export const daysAgo = (amount: string, word: string, today: Day): Day =>
  daysOf(lastUnits(amount, word), today).from - 1;

export const span = (from: Day, to: Day): Span | null => (from > to ? null : { from: isoDate(from), to: isoDate(to) });
export const oneDay = (day: Day | null): Span | null => (day === null ? null : span(day, day));
export const lastDay = (window: Span | null): Span | null => window && { from: window.to, to: window.to };
export const dayBefore = (window: Span | null): Span | null => window && oneDay(dayOf(window.from) - 1);
export const dayAfter = (window: Span | null): Span | null => window && oneDay(dayOf(window.to) + 1);
export const since = (window: Span | null, today: Day): Span | null => window && span(dayOf(window.from), today);
export const joined = (a: Span | null, b: Span | null): Span | null => a && b && span(dayOf(a.from), dayOf(b.to));

export const endOf = (unit: Unit, day: Day): Day => {
  const start = startOf(unit, day);
  let next = day;
  while (startOf(unit, next) === start) next += 1;
  return next - 1;
};

/** The unit that a day is in. */
export const unitAt = (unit: Unit, day: Day): Span | null => span(startOf(unit, day), endOf(unit, day));

export const monthOf = (name: string): number => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));

const utcDay = (year: number, month: number, date: number): Day =>
  dayOf(isoDate(Date.UTC(year, month, date) / 86_400_000));

export const yearOf = (day: Day): number => Number(isoDate(day).slice(0, 4));
export const yearNamed = (word: string, today: Day): string =>
  String(yearOf(today) + (word === "next" ? 1 : word === "last" ? -1 : 0));

/** Months of a year, or else of the latest year in which they have begun; up to today, if they aren't over. */
export function months(first: number, count: number, year: string, today: Day, isAhead = false): Span | null {
  if (isAhead) {
    const isOver = utcDay(yearOf(today), first + count, 1) <= today;
    const next = year === "" ? yearOf(today) + (isOver ? 1 : 0) : Number(year);
    return span(utcDay(next, first, 1), utcDay(next, first + count, 1) - 1);
  }
  const latest = utcDay(yearOf(today), first, 1) > today ? yearOf(today) - 1 : yearOf(today);
  const chosen = year === "" ? latest : Number(year);
  const [from, to] = [utcDay(chosen, first, 1), utcDay(chosen, first + count, 1) - 1];
  return span(from, from <= today ? Math.min(to, today) : to);
}

/** Reads the groups of `DATE`. Without a year, it is the latest such day, or the next one if a day ahead is meant. */
export function dateIn(groups: readonly string[], today: Day, isAhead = false): Day | null {
  const [isoYear, isoMonth, isoDay, dateA, monthA = "", yearA, monthB = "", dateB, yearB] = groups;
  if (isoYear) return valid(Number(isoYear), Number(isoMonth) - 1, Number(isoDay));
  const [date, month, year] = [Number(dateA || dateB), monthOf(monthA || monthB), yearA || yearB];
  if (year) return valid(Number(year), month, date);
  const here = valid(yearOf(today), month, date);
  if (here === null) return null;
  if (isAhead) return here < today ? valid(yearOf(today) + 1, month, date) : here;
  return here > today ? valid(yearOf(today) - 1, month, date) : here;
}

/** Rejects dates such as 30 February. */
function valid(year: number, month: number, date: number): Day | null {
  const day = utcDay(year, month, date);
  return Number(isoDate(day).slice(8)) === date ? day : null;
}

/** The latest such day before today. */
export function weekday(name: string, today: Day): Span | null {
  const distance = (7 + ((today + 4) % 7) - WEEKDAYS.indexOf(name)) % 7;
  return oneDay(today - (distance === 0 ? 7 : distance));
}
