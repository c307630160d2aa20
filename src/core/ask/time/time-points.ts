/**
 * Dates as people write them: ISO dates, days of months, months, quarters and years. Where the year is left out, it is
 * that of the latest such time that has begun, or, of what lies ahead, of the first that has not ended.
 *
 * Dates like 3/5/2026 are not read: half of the world would read them otherwise. With dots ("3.5.2026") the day is first.
 */
import type { Window } from "../../health/model.ts";
import { dateOn, dayFrom, lastDateOf } from "./calendar.ts";
import { MONTHS, SHORT_MONTHS } from "../lexicon/calendar-words.ts";
import { dottedAt, isoAt } from "./numeric-dates.ts";
import { begun, monthOf, ofUnit, oneDay, type Point } from "./point.ts";
import { type TimeContext, untilToday, wordAt } from "./time-context.ts";
import type { TimePhrase } from "./time-phrase.ts";

const ORDINALS = "first second third fourth".split(" ");
const QUARTER_WORDS: readonly string[] = ["1st", "2nd", "3rd", "4th"];
const MONTHS_A_QUARTER = 3;
/** Words before a bare year, or before "may", that make them times. */
const BEFORE_TIMES: ReadonlySet<string> = new Set(
  "in during since of for throughout from between and to year until till through on versus vs with than".split(" "),
);

/** A date, month, quarter or year that begins at a token. */
export function pointAt(context: TimeContext, at: number): Point | null {
  return (
    isoAt(context, at) ??
    dottedAt(context, at) ??
    dateAt(context, at) ??
    monthAt(context, at) ??
    quarterAt(context, at) ??
    yearAt(context, at)
  );
}

/** Such a date as a phrase of time, beside those that are told from today. */
export function pointPhrase(context: TimeContext, at: number): TimePhrase | null {
  const point = pointAt(context, at);
  return point === null ? null : { kind: "window", ...point };
}

/** "5 March", "5th of March 2026", "March 5", "March 5th, 2026". */
function dateAt(context: TimeContext, at: number): Point | null {
  const leading = dateNumber(wordAt(context, at));
  if (leading !== null) {
    const gap = wordAt(context, at + 1) === "of" ? 2 : 1;
    const month = monthNamed(wordAt(context, at + gap));
    return month === null ? null : withYear(context, at, gap + 1, (year) => dayWindow(year, month, leading));
  }
  const month = monthNamed(wordAt(context, at));
  if (month === null) return null;
  const gap = wordAt(context, at + 1) === "the" ? 2 : 1;
  const date = dateNumber(wordAt(context, at + gap));
  // "in October 26" is of that year, if of anything.
  const isYear = wordAt(context, at - 1) === "in" && /^\d+$/.test(wordAt(context, at + gap));
  return date === null || isYear ? null : withYear(context, at, gap + 1, (year) => dayWindow(year, month, date));
}

function dayWindow(year: number, month: number, date: number): Window | null {
  return date > lastDateOf(year, month) ? null : oneDay(dayFrom(year, month, date));
}

function monthAt(context: TimeContext, at: number): Point | null {
  const word = wordAt(context, at);
  const month = monthNamed(word);
  if (month === null) return null;
  if (word === "may" && yearNumber(wordAt(context, at + 1)) === null && !BEFORE_TIMES.has(wordAt(context, at - 1)))
    return null;
  return ofUnit(
    "month",
    withYear(context, at, 1, (year) => monthOf(year, month)),
  );
}

/** "Q3 2026", "2026 Q3", "third quarter of 2026". */
function quarterAt(context: TimeContext, at: number): Point | null {
  const year = yearNumber(wordAt(context, at));
  const after = year === null ? null : quarterNamed(context, at + 1);
  if (year !== null && after !== null) {
    return ofUnit("quarter", begun(quarterOf(year, after.quarter), 1 + after.length, context));
  }
  const named = quarterNamed(context, at);
  if (named === null) return null;
  return ofUnit(
    "quarter",
    withYear(context, at, named.length, (of) => quarterOf(of, named.quarter)),
  );
}

function quarterNamed(context: TimeContext, at: number): { quarter: number; length: number } | null {
  const word = wordAt(context, at);
  const short = /^q([1-4])$/.exec(word);
  if (short !== null) return { quarter: Number(short[1]), length: 1 };
  const spelt = Math.max(QUARTER_WORDS.indexOf(word), ORDINALS.indexOf(word)) + 1;
  return spelt > 0 && wordAt(context, at + 1) === "quarter" ? { quarter: spelt, length: 2 } : null;
}

const quarterOf = (year: number, quarter: number): Window => ({
  from: dayFrom(year, (quarter - 1) * MONTHS_A_QUARTER, 1),
  to: dayFrom(year, quarter * MONTHS_A_QUARTER, 0),
});

function yearAt(context: TimeContext, at: number): Point | null {
  const year = yearNumber(wordAt(context, at));
  if (year === null || !BEFORE_TIMES.has(wordAt(context, at - 1))) return null;
  return ofUnit("year", begun({ from: dayFrom(year, 0, 1), to: dayFrom(year, 11, 31) }, 1, context));
}

/** With the year that follows, or else the one that is meant. */
function withYear(
  context: TimeContext,
  at: number,
  length: number,
  inYear: (year: number) => Window | null,
): Point | null {
  const gap = wordAt(context, at + length) === "of" ? 1 : 0;
  const said = yearNumber(wordAt(context, at + length + gap));
  if (said !== null) {
    const window = inYear(said);
    return window === null ? null : begun(window, length + gap + 1, context);
  }
  const { year } = dateOn(context.today);
  const back = firstMeant(
    [year, year - 1, year - 2, year - 3, year - 4],
    inYear,
    (window) => window.from <= context.today,
  );
  const ahead = firstMeant(
    [year, year + 1, year + 2, year + 3, year + 4],
    inYear,
    (window) => window.to >= context.today,
  );
  return back === null || ahead === null ? null : { back: untilToday(back, context), ahead, length };
}

function firstMeant(
  years: readonly number[],
  inYear: (year: number) => Window | null,
  isMeant: (window: Window) => boolean,
) {
  for (const year of years) {
    const window = inYear(year);
    if (window !== null && isMeant(window)) return window;
  }
  return null;
}

function monthNamed(word: string): number | null {
  const month = Math.max(MONTHS.indexOf(word), SHORT_MONTHS.indexOf(word));
  if (month < 0) return null;
  return word === "sept" ? MONTHS.indexOf("september") : month;
}

function dateNumber(word: string): number | null {
  const date = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1]);
  return date >= 1 && date <= 31 ? date : null;
}

const yearNumber = (word: string): number | null => (/^(?:19|20|21)\d{2}$/.test(word) ? Number(word) : null);
