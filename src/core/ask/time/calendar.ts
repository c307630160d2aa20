/** Dates as days since 1970-01-01 and back, by the proleptic Gregorian calendar. Months count from 0, as in `Date`. */
import { DAY_MS } from "../../durations.ts";
import type { Day, Window } from "../../health/model.ts";

interface CivilDate {
  year: number;
  month: number;
  /** Of the month, from 1. */
  date: number;
}

export const DAYS_A_WEEK = 7;
/** 1970-01-05. */
const FIRST_MONDAY = 4;

/** Months and dates beyond their range run over into the next, as with `Date.UTC`. */
export function dayFrom(year: number, month: number, date: number): Day {
  const moment = new Date(0);
  // Date.UTC takes the years 0 to 99 for those of the last century.
  moment.setUTCFullYear(year, month, date);
  return Math.round(moment.getTime() / DAY_MS);
}

export function dateOn(day: Day): CivilDate {
  const moment = new Date(day * DAY_MS);
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth(), date: moment.getUTCDate() };
}

export const lastDateOf = (year: number, month: number): number => dateOn(dayFrom(year, month + 1, 0)).date;

/** `null` for a date that no calendar has, like 30 February. */
export function dayOnDate({ year, month, date }: CivilDate): Day | null {
  if (month < 0 || month > 11 || date < 1 || date > lastDateOf(year, month)) return null;
  return dayFrom(year, month, date);
}

/** The same date so many months away, or the last of a month that is too short for it. */
function monthsAway(day: Day, months: number): Day {
  const { year, month, date } = dateOn(day);
  const first = dateOn(dayFrom(year, month + months, 1));
  return dayFrom(first.year, first.month, Math.min(date, lastDateOf(first.year, first.month)));
}

/** From Monday, which is 0. */
export const weekdayOf = (day: Day): number => (((day - FIRST_MONDAY) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK;

export const UNITS = ["week", "month", "quarter", "year"] as const;
export type Unit = (typeof UNITS)[number];

const MONTHS_IN: Readonly<Record<Exclude<Unit, "week">, number>> = { month: 1, quarter: 3, year: 12 };

/** The calendar week (from Monday), month, quarter or year that lies so many of them from the one around a day. */
export function calendarUnit(unit: Unit, day: Day, away: number): Window {
  if (unit === "week") {
    const monday = day - weekdayOf(day) + away * DAYS_A_WEEK;
    return { from: monday, to: monday + DAYS_A_WEEK - 1 };
  }
  const length = MONTHS_IN[unit];
  const { year, month } = dateOn(day);
  const first = Math.floor(month / length) * length + away * length;
  return { from: dayFrom(year, first, 1), to: dayFrom(year, first + length, 1) - 1 };
}

/** So many days, weeks, months, quarters or years that end on a day, the day included. */
export function rollingBack(unit: Unit | "day", count: number, today: Day): Window {
  if (unit === "day" || unit === "week") {
    return { from: today - count * (unit === "week" ? DAYS_A_WEEK : 1) + 1, to: today };
  }
  return { from: monthsAway(today, -count * MONTHS_IN[unit]) + 1, to: today };
}

/** From a day to the one so many days, weeks, months, quarters or years later, both included. */
export function rollingOn(unit: Unit | "day", count: number, today: Day): Window {
  if (unit === "day" || unit === "week") {
    return { from: today, to: today + count * (unit === "week" ? DAYS_A_WEEK : 1) };
  }
  return { from: today, to: monthsAway(today, count * MONTHS_IN[unit]) };
}

/** As many days, right before. */
export const justBefore = ({ from, to }: Window): Window => ({ from: from - (to - from + 1), to: from - 1 });

/** `2026-11-21`. */
export const isoDate = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
