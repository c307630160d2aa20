/** Words for time that are held apart: see the README of this folder. */
import { dateOf, isoOf, monthName, ordinal, type Span, weekdayOf } from "../calendar.ts";
import type { WindowKind } from "../window-kinds.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** @returns none where nothing else is said than in the open part */
export function heldWindows(kind: WindowKind, { from, to }: Span): readonly string[] {
  const { date, month, year } = dateOf(from);
  const name = monthName(month);
  const end = dateOf(to);
  const endName = monthName(end.month);
  const ofYear = String(month + 1).padStart(2, "0");
  switch (kind) {
    case "default":
    case "default_of_silence":
      return [];
    case "today":
      return ["just today", "since midnight"];
    case "yesterday":
      return ["yday", "during yesterday"];
    case "last_7_days":
      return ["over the last week", "in the past week", "across the last 7 days", "within the last week"];
    case "last_14_days":
      return ["over the past fortnight", "across the last 14 days", "in the 14 days up to today"];
    case "last_30_days":
      return ["over the last thirty days", "for the past 30d", "throughout the last 30 days"];
    case "last_2_weeks":
      return ["within the past two weeks", "for the last 2 weeks", "in the last two wks"];
    case "last_2_months":
      return ["over the last 2 months", "within the past two months", "for the last two months"];
    case "this_week":
      return ["week to date", "since the start of this week", "in the current week"];
    case "last_week":
      return ["over the course of last week", "for last week", "in the last calendar week"];
    case "this_month":
      return ["in the current month", "since the 1st of this month", "month-to-date"];
    case "last_month":
      return ["over the course of last month", "for last month", "in the month before this one"];
    case "this_quarter":
      return ["in the current quarter", "since the start of this quarter", "quarter-to-date"];
    case "since_date":
      return [`since ${date}.${ofYear}.${year}`, `starting ${isoOf(from)}`, `from ${date} ${name} ${year} to today`];
    case "since_spoken_date":
      return [
        `from ${name} ${ordinal(date)} until today`,
        `since the ${ordinal(date)} ${name}`,
        `from ${date} ${name} on`,
      ];
    case "named_month":
      return [`throughout ${name}`, `in all of ${name}`, `back in ${name}`];
    case "month_of_year":
      return [`throughout ${name} ${year}`, `in ${ofYear}/${year}`, `in the month of ${name} ${year}`];
    case "quarter_of_year": {
      const quarter = Math.floor(month / 3) + 1;
      return [`in ${year} Q${quarter}`, `throughout Q${quarter} ${year}`, `in Q${quarter}/${year}`];
    }
    case "between_dates":
      return [
        `between ${date} ${name} ${year} and ${end.date} ${endName} ${end.year}`,
        `from ${isoOf(from)} through ${isoOf(to)}`,
        `${isoOf(from)} until ${isoOf(to)}`,
      ];
    case "between_spoken_dates":
      return [
        `between the ${ordinal(date)} of ${name} and the ${ordinal(end.date)} of ${endName}`,
        `from ${name} ${ordinal(date)} through ${endName} ${ordinal(end.date)}`,
      ];
    case "one_day":
      return [
        `on ${name} ${date}, ${year}`,
        `on ${WEEKDAYS[weekdayOf(from)] ?? ""}, ${date} ${name}`,
        `on the ${ordinal(date)} of ${name} ${year}`,
      ];
  }
}
