/** Turns the names of months, dates and weekdays into windows. */
import type { Day } from "../../../health/model.ts";
import { type Unit, UNITS, type WindowName } from "../../query/model.ts";
import { dayOf, windowDays, isoDate, addUnits, startOf, utcDay, wholeUnit } from "../../query/windows.ts";

const SMALL =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred".split(" ");
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, index) => [word, index + 1] as const),
  ...TENS.map((word, index) => [word, 10 * index + 20] as const),
]);
export const MONTH_WORDS =
  "january february march april may june july august september october november december".split(" ");
export const WEEKDAY_WORDS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
export const ORDINAL_WORDS = "first second third fourth last".split(" ");

/** Decides which of several times a phrase means. */
export interface TimeContext {
  today: Day;
  /** Whether the time belongs to a date that may be in the future, such as a contract's end. */
  isAhead: boolean;
}

/** A window of days. */
export type DateRange = Extract<WindowName, { from: string }>;

const FEW: Readonly<Record<string, number>> = { "": 1, a: 1, an: 1, "half a": 0.5, couple: 2, few: 3 };
export const parseAmount = (text: string): number => {
  const words = text.replace(/^a (?=couple|few)| of$/g, "").split(/[ -]/);
  return (
    FEW[words.join(" ")] ?? (Number(words[0]) || words.reduce((sum, word) => sum + (NUMBER_WORDS.get(word) ?? 0), 0))
  );
};

export const unitOf = (word: string): Unit => UNITS.find((unit) => unit.startsWith(word[0] ?? "")) ?? "day";

/** Returns a number of units. Fortnights become days; half a month is 14 days, and half a year 6 months. */
function amountAndUnit(amount: string, word: string): { count: number; unit: Unit } {
  const count = parseAmount(amount);
  if (word === "fortnight") return { count: 14 * count, unit: "day" };
  if (count === 0.5) return word.startsWith("y") ? { count: 6, unit: "month" } : { count: 14, unit: "day" };
  return { count, unit: WORKING.test(word) ? "day" : unitOf(word) };
}

const WORKING = /^(?:business day|working day|workday|weekday)$/;
const isWorking = (day: Day): boolean => (day + 3) % 7 < 5;

/** Working days are complete ones, without the weekends around them. */
export function lastUnits(amount: string, word: string, today: Day): WindowName {
  const { count, unit } = amountAndUnit(amount, word);
  if (!WORKING.test(word)) return { last: count, unit };
  const days = Array.from({ length: 2 * count + 5 }, (_, before) => today - 1 - before).filter(isWorking);
  return { from: isoDate(days[count - 1] ?? today), to: isoDate(days[0] ?? today) };
}

export function nextUnits(amount: string, word: string): WindowName {
  const { count: next, unit } = amountAndUnit(amount, word);
  return { next, unit };
}

/** Returns the day that lies this many units back. */
export const daysAgo = (amount: string, word: string, today: Day): Day =>
  windowDays(lastUnits(amount, word, today), today).from - (WORKING.test(word) ? 0 : 1);

export const range = (from: Day, to: Day): DateRange | null =>
  from > to ? null : { from: isoDate(from), to: isoDate(to) };
export const oneDay = (day: Day): DateRange | null => range(day, day);
/** Joins two times. "Friday to Monday" begins on the last Friday before that Monday. */
export function joinTimes(a: WindowName, b: WindowName, today: Day): DateRange | null {
  const [first, last] = [windowDays(a, today), windowDays(b, today)];
  const isDay = "from" in a && a.from === a.to && first.from - last.to < 7;
  return range(first.from > last.to && isDay ? first.from - 7 : first.from, last.to);
}
/** Joins two times; `null` if there is a gap between them. */
export const adjacent = (a: WindowName | null, b: WindowName | null): DateRange | null =>
  a && b && "from" in a && "from" in b && dayOf(a.to) + 1 === dayOf(b.from) ? { from: a.from, to: b.to } : null;

/** Returns the days from a date of the month to the end of a time. */
export const endingOn = (date: number, day: DateRange | null): DateRange | null =>
  day && range(dayOf(day.to) - Number(day.to.slice(8)) + date, dayOf(day.to));

export const endOf = (unit: Unit, day: Day): Day => addUnits(startOf(unit, day), unit, 1) - 1;

/** Returns the unit that a day is in. */
export const unitAt = (unit: Unit, day: Day): DateRange | null => range(startOf(unit, day), endOf(unit, day));

export const unitOfSpan = ({ from, to }: DateRange): Unit | undefined =>
  wholeUnit({ from: dayOf(from), to: dayOf(to) });

export const monthOf = (name: string): number => MONTH_WORDS.findIndex((month) => month.startsWith(name.slice(0, 3)));

export const yearOf = (day: Day): number => Number(isoDate(day).slice(0, 4));
/** "2026", "last year", "this year", "the year", "next year". */
const yearIn = (text: string, today: Day): number =>
  Number(text) || yearOf(today) + (text === "last year" ? -1 : text === "next year" ? 1 : 0);

/** Picks the latest of several times that has begun, or the next that isn't over. */
const nearest = ({ today, isAhead }: TimeContext, at: (step: number) => DateRange | null): DateRange | null =>
  [1, 0, -1, -2]
    .map((step) => at(isAhead ? -step : step))
    .find((time) => time && (isAhead ? dayOf(time.to) >= today : dayOf(time.from) <= today)) ?? null;
/** Returns a time of a year, or of the nearest year if none is given. */
const ofYear = (year: string, when: TimeContext, at: (year: number) => DateRange | null): DateRange | null =>
  year === "" ? nearest(when, (step) => at(yearOf(when.today) + step)) : at(yearIn(year, when.today));

export const months = (first: number, count: number, year: string, when: TimeContext): DateRange | null =>
  ofYear(year, when, (each) => range(utcDay(each, first, 1), utcDay(each, first + count, 1) - 1));

/** Reads the groups of `DATE`. */
export function dateIn(groups: readonly string[], when: TimeContext): DateRange | null {
  const [isoYear, isoMonth, isoDay, dateA, monthA = "", yearA, monthB = "", dateB, yearB] = groups;
  if (isoYear) return valid(Number(isoYear), Number(isoMonth) - 1, Number(isoDay));
  const date = Number((dateA || dateB)?.replace("first", "1"));
  return dateOfYear(monthOf(monthA || monthB), date, yearA || yearB || "", when);
}

const dateOfYear = (month: number, date: number, year: string, when: TimeContext): DateRange | null =>
  ofYear(year, when, (each) => valid(each, month, date));

/** "25/11" and "11/25" have one meaning, "10/11" has two. With dots and a year, the day comes first. */
export function numericDate(
  a: string,
  b: string,
  year: string,
  isDotted: boolean,
  when: TimeContext,
): DateRange | null {
  const [first, second] = [Number(a), Number(b)];
  const isDayFirst = isDotted || first > 12;
  if (isDotted ? year === "" : first > 12 === second > 12 && first !== second) return null;
  const [date, month] = isDayFirst ? [first, second] : [second, first];
  return dateOfYear(month - 1, date, year, when);
}

/** Returns New Year, Christmas, or the eve of one. */
export function holiday(name: string, when: TimeContext): DateRange | null {
  const isEve = name.endsWith("eve");
  if (name.startsWith("new")) return isEve ? dateOfYear(11, 31, "", when) : dateOfYear(0, 1, "", when);
  return dateOfYear(11, isEve ? 24 : 25, "", when);
}

/** "the 15th". */
export const dateOfMonth = (date: number, when: TimeContext): DateRange | null =>
  nearest(when, (step) => {
    const first = addUnits(startOf("month", when.today), "month", step);
    const day = first + date - 1;
    return startOf("month", day) === first ? oneDay(day) : null;
  });

/** Rejects dates such as 30 February. */
function valid(year: number, month: number, date: number): DateRange | null {
  const day = utcDay(year, month, date);
  return month >= 0 && month < 12 && Number(isoDate(day).slice(8)) === date ? oneDay(day) : null;
}

/** Returns the week of a year by its number: week 1 contains 4 January. */
export const weekOf = (week: number, year: string, when: TimeContext): DateRange | null =>
  ofYear(year, when, (each) => {
    const from = startOf("week", utcDay(each, 0, 4)) + 7 * (week - 1);
    return week < 1 || yearOf(from + 3) !== each ? null : range(from, from + 6);
  });

const dayOfWeek = (name: string): number => WEEKDAY_WORDS.findIndex((day) => day.startsWith(name.slice(0, 3)));

/** Returns the latest such day before today, or the next one from today on. */
export function weekday(name: string, { today, isAhead }: TimeContext): DateRange | null {
  const distance = (7 + ((today + 4) % 7) - dayOfWeek(name)) % 7;
  return oneDay(isAhead ? today + ((7 - distance) % 7) : today - (distance === 0 ? 7 : distance));
}

/** "Monday last week". */
export function weekdayOf(name: string, which: string, today: Day): DateRange | null {
  const week = startOf("week", today) + (which === "last" ? -7 : which === "next" ? 7 : 0);
  return oneDay(week + ((dayOfWeek(name) + 6) % 7));
}

/** Returns the weekend of this week, or else the latest one that has begun. */
export function weekend(which: string, { today, isAhead }: TimeContext): DateRange | null {
  const saturday = startOf("week", today) + 5;
  const isComing = which === "next" || which === "coming";
  const isEarlier = which === "last" || which === "past" || (!isAhead && !isComing && saturday > today);
  const from = saturday + (isComing && saturday <= today ? 7 : isEarlier ? -7 : 0);
  return range(from, from + 1);
}

/** Returns the unit that is `count` units after this one, or before it. */
export const unitAfter = (unit: Unit, count: number, today: Day): DateRange | null =>
  unitAt(unit, addUnits(startOf(unit, today), unit, count));

/** Returns the last whole units, without this one. */
export const fullUnits = (count: number, unit: Unit, today: Day): DateRange | null =>
  range(addUnits(startOf(unit, today), unit, -count), startOf(unit, today) - 1);
