/**
 * Compares recent usage with the past: 14 days with the weeks before (docs/health.md §11.6), to detect drops; 28 days
 * with the best 28 of half a year (docs/health.md §11.8), to detect slow declines early; and 28 days with the 28 before
 * (docs/inbox.md §12.2).
 */
import { type Activity, countUntil, type ActivityView } from "./activity.ts";
import { type Calendar, WINDOW_DAYS } from "./business-days.ts";
import { userDaysOf } from "./key-users.ts";
import type { AccountHistory, Comparison, Day, UsageComparison, Window } from "./model.ts";
import { USER_THRESHOLD_BOUNDS } from "./silence.ts";

const RECENT_DAYS = 14;
const MIN_WEEKS = 4;
const MAX_WEEKS = 8;
const BUSINESS_DAYS_A_WEEK = 5;
/** Weeks with fewer business days, because of an outage or holidays, are skipped. */
const MIN_BUSINESS_DAYS = 3;

/** 26 weeks. */
const BEST_OF_DAYS = 182;
/** A best with fewer user-days is too small to compare with. */
const MIN_BEST_USER_DAYS = 20;

const WEEK_DAYS = 7;
const MIN_BEST_WEEK_USER_DAYS = 4;

const GROWTH_WEEKS = 4;
/** Fewer user-days before are too few to compare with. */
const MIN_USER_DAYS_BEFORE = 10;

/** Returns the first day with an event as of `day`; `null` without an event. Days that are not loaded count as -∞. */
export function firstEventDay({ earlierDays }: AccountHistory, all: Activity, day: Day): Day | null {
  if (earlierDays > 0) return -Infinity;
  const first = all.dates[0];
  return first === undefined || first > day ? null : first;
}

/** Compares the last 14 days with the weeks before, without the workspace factor. */
export const rawTrend = (view: ActivityView, day: Day, firstEvent: Day | null) =>
  comparisonWithWeeks(view, view.calendar.window(day, RECENT_DAYS), firstEvent);

/** Compares the last 5 business days with the weeks before, without the workspace factor. */
export function rawWeek(view: ActivityView, day: Day, firstEvent: Day | null) {
  const from = view.calendar.firstOfBusinessDays(day, BUSINESS_DAYS_A_WEEK);
  return comparisonWithWeeks(view, { from, to: day }, firstEvent);
}

/** Returns `null` with fewer than four whole weeks between the first event and the window. */
function comparisonWithWeeks({ calendar, counted }: ActivityView, window: Window, firstEvent: Day | null) {
  if (firstEvent === null) return null;
  const weeks: number[] = [];
  for (const week of weeksBack(calendar, window.from - 1)) {
    if (weeks.length === MAX_WEEKS || week.from < firstEvent) break;
    const businessDays = calendar.businessDays(week.from, week.to);
    if (businessDays >= MIN_BUSINESS_DAYS) {
      weeks.push((counted.userDays(week) * BUSINESS_DAYS_A_WEEK) / businessDays);
    }
  }
  if (weeks.length < MIN_WEEKS) return null;
  const share = calendar.businessDays(window.from, window.to) / BUSINESS_DAYS_A_WEEK;
  const expected = medianOf(weeks) * share;
  return { observed: counted.userDays(window), expected, window, dispersion: dispersionOf(weeks) };
}

const DROP_RATIO = 0.6;
const DROP_Z = -2.5;
/** A user's usual share comes from this many counted days before the last 14, as the expected trend does. */
const SHARE_DAYS = 56;

/** Tests for much less than expected, and less than chance explains. */
export function isDrop({ ratio, z }: UsageComparison): boolean {
  return ratio <= DROP_RATIO && z <= DROP_Z;
}

/**
 * Returns `found` if it is a drop that neither chance nor one user's vacation explains (docs/health.md §11.8), else `null`.
 * In a small company, two weeks of leave look like a drop. So the drop must remain if that user is assumed to be at work.
 *
 * @param found the trend as of `day`
 * @param dispersion the dispersion that `found` was computed with
 */
export function dropOf(
  view: ActivityView,
  day: Day,
  found: UsageComparison,
  dispersion: number,
): UsageComparison | null {
  if (!isDrop(found)) return null;
  const { observed, expected, window } = found;
  const withUserAtWork = observed + largestShortfall(view, day, found);
  return isDrop(compareUsage(withUserAtWork, expected, dispersion, window)) ? found : null;
}

/** Returns the largest shortfall in user-days of any user whose absence is short enough to be leave. */
function largestShortfall(
  { calendar, counted, datesOf }: ActivityView,
  day: Day,
  { expected, window }: UsageComparison,
): number {
  const before = calendar.window(window.from - 1, SHARE_DAYS);
  const total = counted.userDays(before);
  const recent = userDaysOf(counted.during(window));
  const mightBeOnLeave = (user: number): boolean => {
    const dates = datesOf(user);
    const lastDay = dates[countUntil(dates, day) - 1] ?? day;
    return calendar.businessDays(lastDay + 1, day) < USER_THRESHOLD_BOUNDS.min;
  };
  let largest = 0;
  for (const [user, days] of userDaysOf(counted.during(before))) {
    const shortfall = (days / total) * expected - (recent.get(user) ?? 0);
    if (shortfall > largest && mightBeOnLeave(user)) largest = shortfall;
  }
  return largest;
}

/**
 * Compares the last 28 days with the best 28 of half a year, scaled to the business days of the window. The workspace factor
 * does not apply, because it compares 14 days with 8 weeks. Shared holidays do, because they are not business days.
 *
 * @param firstEvent the day of the account's first event; earlier weeks are ignored
 */
export function ownBestOf(view: ActivityView, day: Day, firstEvent: Day): UsageComparison | null {
  const { calendar, counted } = view;
  const best = comparisonWithBest(view, day, WINDOW_DAYS, MIN_BEST_USER_DAYS);
  if (best === null) return null;
  const first = Math.max(calendar.window(day, BEST_OF_DAYS).from, firstEvent);
  const weeks: number[] = [];
  for (const week of weeksBack(calendar, day)) {
    if (week.from < first) break;
    weeks.push(counted.userDays(week));
  }
  return compareUsage(best.observed, best.expected, dispersionOfChanges(weeks), best.window);
}

/** Compares the last 7 days of a trial with its best 7. `null` if the best are too few to compare with. */
export function bestWeekOf(view: ActivityView, day: Day): UsageComparison | null {
  const best = comparisonWithBest(view, day, WEEK_DAYS, MIN_BEST_WEEK_USER_DAYS);
  return best && compareUsage(best.observed, best.expected, 1, best.window);
}

/** Compares the last `length` days with the best ones, scaled to their business days; `null` if those have too little. */
function comparisonWithBest(view: ActivityView, day: Day, length: number, least: number): Comparison | null {
  const { calendar, counted } = view;
  const most = mostInAnyWindow(view, day, length);
  const window = calendar.window(day, length);
  const share = calendar.businessDays(window.from, window.to) / ((length / WEEK_DAYS) * BUSINESS_DAYS_A_WEEK);
  if (most < least || share === 0) return null;
  return { observed: counted.userDays(window), expected: most * share, window };
}

/** Finds the most user-days in `length` days. It is enough to try the windows that end on an active day. */
function mostInAnyWindow({ calendar, counted }: ActivityView, day: Day, length: number): number {
  const days = counted.during(calendar.window(day, BEST_OF_DAYS));
  let most = 0;
  let sum = 0;
  let oldest = 0;
  for (const { day: last, userDays } of days) {
    const { from } = calendar.window(last, length);
    sum += userDays;
    for (let left = days[oldest]; left !== undefined && left.day < from; left = days[++oldest]) sum -= left.userDays;
    most = Math.max(most, sum);
  }
  return most;
}

/**
 * Compares the last 28 days with the 28 before. Returns `null` if the first event is within the 56 days, or the first 28 have
 * too few user-days.
 */
export function growthOf(
  { calendar, counted }: ActivityView,
  day: Day,
  firstEvent: Day | null,
): UsageComparison | null {
  const window = calendar.window(day, WINDOW_DAYS);
  const before = calendar.window(window.from - 1, WINDOW_DAYS);
  if (firstEvent === null || before.from < firstEvent) return null;
  const total = counted.userDays(before);
  const businessDaysBefore = calendar.businessDays(before.from, before.to);
  if (total < MIN_USER_DAYS_BEFORE || businessDaysBefore === 0) return null;
  const weeks: number[] = [];
  for (const week of weeksBack(calendar, before.to)) {
    if (weeks.length === GROWTH_WEEKS) break;
    weeks.push(counted.userDays(week));
  }
  const expected = (total * calendar.businessDays(window.from, window.to)) / businessDaysBefore;
  return compareUsage(counted.userDays(window), expected, dispersionOf(weeks), window);
}

/** Yields weeks of seven counted days back from `day`, the newest first, without an end. */
function* weeksBack(calendar: Calendar, day: Day): Generator<Window, never> {
  for (let week = calendar.window(day, 7); ; week = calendar.window(week.from - 1, 7)) yield week;
}

export function compareUsage(observed: number, expected: number, dispersion: number, window: Window): UsageComparison {
  const z = (observed - expected) / Math.sqrt(dispersion * expected);
  return { observed, expected, ratio: observed / expected, z, window };
}

/** Returns variance / mean, at least 1, which is chance alone. There are at least two values. */
export function dispersionOf(totals: readonly number[]): number {
  const mean = meanOf(totals);
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return mean === 0 ? 1 : Math.max(1, squares / (totals.length - 1) / mean);
}

/**
 * Returns the dispersion from the differences between consecutive values, because a steady rise or fall itself raises the
 * variance. At least 1, and 1 with fewer than two values.
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
