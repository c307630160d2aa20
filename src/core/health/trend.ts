/** Compares the user-days of the last 14 days with the weeks before (docs/health.md §11.6). */
import type { Activity, View } from "./activity.ts";
import type { AccountHistory, Day, Trend, Window } from "./model.ts";

const RECENT_DAYS = 14;
const RECENT_BUSINESS_DAYS = 10;
const MIN_WEEKS = 4;
const MAX_WEEKS = 8;
const BUSINESS_DAYS_A_WEEK = 5;
/** Weeks with fewer business days, because of an outage or holidays, are skipped. */
const MIN_BUSINESS_DAYS = 3;

/** The trend before the workspace factor is applied. */
interface OwnTrend {
  observed: number;
  expected: number;
  window: Window;
  /** Variance / mean of the earlier weeks, at least 1. 1 is chance alone. */
  dispersion: number;
}

/** Returns the first day with an event as of `day`; `null` without an event. Days that are not loaded count as -∞. */
export function firstEventDay({ earlierDays }: AccountHistory, all: Activity, day: Day): Day | null {
  if (earlierDays > 0) return -Infinity;
  const first = all.dates[0];
  return first === undefined || first > day ? null : first;
}

/** Returns `null` with fewer than four whole weeks between the first event and the last 14 days. */
export function ownTrend({ calendar, counted }: View, day: Day, firstEvent: Day | null): OwnTrend | null {
  if (firstEvent === null) return null;
  const window = calendar.window(day, RECENT_DAYS);
  const weeks: number[] = [];
  let week = calendar.window(window.from - 1, 7);
  while (weeks.length < MAX_WEEKS && week.from >= firstEvent) {
    const businessDays = calendar.businessDays(week.from, week.to);
    if (businessDays >= MIN_BUSINESS_DAYS) {
      weeks.push((counted.userDays(week) * BUSINESS_DAYS_A_WEEK) / businessDays);
    }
    week = calendar.window(week.from - 1, 7);
  }
  if (weeks.length < MIN_WEEKS) return null;
  const share = calendar.businessDays(window.from, window.to) / RECENT_BUSINESS_DAYS;
  return {
    observed: counted.userDays(window),
    expected: 2 * medianOf(weeks) * share,
    window,
    dispersion: dispersionOf(weeks),
  };
}

export function trendOf(observed: number, expected: number, dispersion: number, window: Window): Trend {
  const z = (observed - expected) / Math.sqrt(dispersion * expected);
  return { observed, expected, ratio: observed / expected, z, window };
}

/** Returns variance / mean, at least 1. There are at least two values. */
export function dispersionOf(totals: readonly number[]): number {
  const mean = meanOf(totals);
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return mean === 0 ? 1 : Math.max(1, squares / (totals.length - 1) / mean);
}

/**
 * Returns the dispersion from the differences between consecutive values, to which a steady rise or fall adds little. At
 * least 1, and 1 with fewer than two values.
 */
export function dispersionOfChanges(totals: readonly number[]): number {
  const squares = totals.slice(1).map((total, index) => (total - (totals[index] ?? 0)) ** 2);
  const mean = meanOf(totals);
  return squares.length === 0 || mean === 0 ? 1 : Math.max(1, meanOf(squares) / 2 / mean);
}

/** Returns the median. With an even number of values it is the mean of the middle two. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return meanOf(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
