/** What people say of time, and which days they mean by it. */
import { dateOf, dayNumber, dayOf, monthName, monthSpan, quarterSpan, type Span, weekdayOf } from "./calendar.ts";
import { heldWindows } from "./holdout/windows.ts";
import { openWindows } from "./phrasings/windows.ts";
import { ALL_KINDS, type WindowKind } from "./window-kinds.ts";

/** Those of most questions. */
export const WINDOW_KINDS: readonly WindowKind[] = ALL_KINDS.filter((kind) => kind !== "default_of_silence");

/** Not more than nine weeks back. */
export const SHORT_KINDS: readonly WindowKind[] = WINDOW_KINDS.filter(
  (kind) => kind !== "quarter_of_year" && kind !== "month_of_year" && kind !== "this_quarter",
);
/** Those with a length that is as easily meant of the time before. */
export const EVEN_KINDS: readonly WindowKind[] = [
  "default",
  "last_7_days",
  "last_14_days",
  "last_30_days",
  "last_week",
];
/** The same of what stopped. */
export const EVEN_KINDS_OF_SILENCE: readonly WindowKind[] = EVEN_KINDS.map((kind) =>
  kind === "default" ? "default_of_silence" : kind,
);

export interface AskedWindow {
  kind: WindowKind;
  span: Span;
  /** As it stands at the end of a sentence. */
  open: readonly string[];
  held: readonly string[];
}

export function windowOf(kind: WindowKind, now: number): AskedWindow {
  const span = spanOf(kind, dayOf(now));
  return { kind, span, open: openWindows(kind, span), held: heldWindows(kind, span) };
}

const WORDS_BEFORE: Partial<Readonly<Record<WindowKind, string>>> = {
  last_week: "the week before",
  last_7_days: "the 7 days before",
  last_14_days: "the 14 days before",
  last_30_days: "the 30 days before",
};

/** How the time just before such a window is called: `the week before`. */
export const wordsBefore = (kind: WindowKind): string => WORDS_BEFORE[kind] ?? "the period before";

function spanOf(kind: WindowKind, today: number): Span {
  const { year, month, date } = dateOf(today);
  const monday = today - weekdayOf(today);
  const quarter = Math.floor(month / 3);
  const last = (days: number): Span => ({ from: today - days + 1, to: today });
  switch (kind) {
    case "default":
      return last(28);
    case "today":
      return last(1);
    case "yesterday":
      return { from: today - 1, to: today - 1 };
    case "last_7_days":
      return last(7);
    case "default_of_silence":
    case "last_14_days":
    case "last_2_weeks":
      return last(14);
    case "last_30_days":
      return last(30);
    case "last_2_months":
      return { from: dayNumber(year, month - 2, date) + 1, to: today };
    case "this_week":
      return { from: monday, to: today };
    case "last_week":
      return { from: monday - 7, to: monday - 1 };
    case "this_month":
      return { from: today - date + 1, to: today };
    case "last_month":
    case "named_month":
      return monthSpan(year, month - 1);
    case "this_quarter":
      return { from: quarterSpan(year, quarter).from, to: today };
    case "since_date":
      return last(38);
    case "since_spoken_date":
      return last(46);
    case "month_of_year":
      return monthSpan(year, month - 2);
    case "quarter_of_year":
      return quarterSpan(year, quarter - 1);
    case "between_dates":
      return { from: today - 40, to: today - 12 };
    case "between_spoken_dates":
      return { from: today - 33, to: today - 20 };
    case "one_day":
      return { from: today - 9, to: today - 9 };
  }
}

/** A calendar month against the one before: `in October` and `September`. */
export function monthsCompared(now: number): { span: Span; before: Span; words: string; wordsBefore: string } {
  const { year, month } = dateOf(dayOf(now));
  const span = monthSpan(year, month - 1);
  return {
    span,
    before: monthSpan(year, month - 2),
    words: `in ${monthName(month - 1)}`,
    wordsBefore: monthName(month - 2),
  };
}
