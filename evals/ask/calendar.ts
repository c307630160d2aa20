/**
 * Day arithmetic of the evaluation's own: what the service makes of a phrase is held against this, so none of it comes
 * from there. A day is counted since 1970-01-01, UTC.
 */
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Days, both included. */
export interface Span {
  from: number;
  to: number;
}

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
export const startOf = (day: number): number => day * DAY_MS;
export const atHour = (day: number, hour: number): number => startOf(day) + hour * HOUR_MS;
export const isoOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10);

/** 0 for a Monday; 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 3) % 7;

export interface CalendarDate {
  year: number;
  /** From 0. */
  month: number;
  date: number;
}

export function dateOf(day: number): CalendarDate {
  const date = new Date(startOf(day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

/** Months before the first or after the twelfth are those of other years. */
export const dayNumber = (year: number, month: number, date: number): number => dayOf(Date.UTC(year, month, date));

export const monthSpan = (year: number, month: number): Span => ({
  from: dayNumber(year, month, 1),
  to: dayNumber(year, month + 1, 1) - 1,
});

/** @param quarter from 0 */
export const quarterSpan = (year: number, quarter: number): Span => ({
  from: dayNumber(year, quarter * 3, 1),
  to: dayNumber(year, quarter * 3 + 3, 1) - 1,
});

export const monthName = (month: number): string => MONTHS[((month % 12) + 12) % 12] ?? "";

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

/** `3rd` */
export const ordinal = (count: number): string => `${count}${ENDINGS[ORDINALS.select(count)] ?? "th"}`;

/** `October 15` */
export function spokenDate(day: number): string {
  const { month, date } = dateOf(day);
  return `${monthName(month)} ${date}`;
}

/** The span of the same length just before. */
export function spanBefore({ from, to }: Span): Span {
  return { from: from - (to - from + 1), to: from - 1 };
}
