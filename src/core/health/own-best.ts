/** Compares the last 28 days with the best 28 of half a year (docs/health.md §11.8). A slow decline shows here first. */
import type { View } from "./activity.ts";
import { WINDOW_DAYS } from "./business-days.ts";
import type { Day, OwnBest } from "./model.ts";
import { dispersionOfChanges } from "./trend.ts";

const WINDOW_BUSINESS_DAYS = 20;
/** 26 weeks. */
const BEST_OF_DAYS = 182;
/** A best with fewer user-days is too small to compare with. */
const MIN_BEST_USER_DAYS = 20;

/**
 * Compares with the own best. The workspace factor does not apply, because it compares 14 days with 8 weeks. Shared holidays
 * do, because they are not business days.
 *
 * @param firstEvent the day of the account's first event; earlier weeks are ignored
 */
export function ownBestOf({ calendar, counted }: View, day: Day, firstEvent: Day): OwnBest | null {
  const most = mostInAnyWindow({ calendar, counted }, day);
  const window = calendar.window(day, WINDOW_DAYS);
  const share = calendar.businessDays(window.from, window.to) / WINDOW_BUSINESS_DAYS;
  const best = most * share;
  if (most < MIN_BEST_USER_DAYS || best === 0) return null;
  const observed = counted.userDays(window);
  const z = (observed - best) / Math.sqrt(weeklyDispersion({ calendar, counted }, day, firstEvent) * best);
  return { observed, best, ratio: observed / best, z, window };
}

/** Uses the changes between weeks, because a decline itself raises the variance. */
function weeklyDispersion({ calendar, counted }: View, day: Day, firstEvent: Day): number {
  const { from } = calendar.window(day, BEST_OF_DAYS);
  const weeks: number[] = [];
  for (let week = calendar.window(day, 7); week.from >= Math.max(from, firstEvent);) {
    weeks.push(counted.userDays(week));
    week = calendar.window(week.from - 1, 7);
  }
  return dispersionOfChanges(weeks);
}

/** Finds the most user-days in 28 days. It is enough to try the windows that end on an active day. */
function mostInAnyWindow({ calendar, counted }: View, day: Day): number {
  const days = counted.during(calendar.window(day, BEST_OF_DAYS));
  let most = 0;
  let sum = 0;
  let oldest = 0;
  for (const { day: last, userDays } of days) {
    const { from } = calendar.window(last, WINDOW_DAYS);
    sum += userDays;
    for (let left = days[oldest]; left !== undefined && left.day < from; left = days[++oldest]) sum -= left.userDays;
    most = Math.max(most, sum);
  }
  return most;
}
