/** What an account did lately against what it did before: docs/health.md §11.6. In user-days. */
import type { Activity, View } from "./activity.ts";
import type { AccountHistory, Day, Trend, Window } from "./model.ts";

const RECENT_DAYS = 14;
const RECENT_BUSINESS_DAYS = 10;
const MIN_WEEKS = 4;
const MAX_WEEKS = 8;
const BUSINESS_DAYS_A_WEEK = 5;
/** A week with fewer of them, since an outage took the others, tells nothing. */
const MIN_BUSINESS_DAYS = 3;

/** Before the workspace's factor comes in. */
export interface OwnTrend {
  observed: number;
  expected: number;
  window: Window;
  /** Variance / mean of the weeks expected from, at least 1: how much more than by chance they vary. */
  dispersion: number;
}

/** The first day with an event as of `day`; `null` for none. Days that were not loaded lie before all that is asked. */
export function firstEventDay({ earlierDays }: AccountHistory, all: Activity, day: Day): Day | null {
  if (earlierDays > 0) return -Infinity;
  const first = all.dates[0];
  return first === undefined || first > day ? null : first;
}

/** `null` where fewer than four whole weeks lie between the first event and the last 14 days. */
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

/** Variance / mean, at least 1, of two values or more. */
export function dispersionOf(totals: readonly number[]): number {
  const mean = meanOf(totals);
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return mean === 0 ? 1 : Math.max(1, squares / (totals.length - 1) / mean);
}

/**
 * The same by how values change from one to the next, which a level that rises or falls evenly hardly adds to. At least 1;
 * 1 of fewer than two values.
 */
export function dispersionOfChanges(totals: readonly number[]): number {
  const squares = totals.slice(1).map((total, index) => (total - (totals[index] ?? 0)) ** 2);
  const mean = meanOf(totals);
  return squares.length === 0 || mean === 0 ? 1 : Math.max(1, meanOf(squares) / 2 / mean);
}

/** Of an even number of values, the mean of the middle two. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return meanOf(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
