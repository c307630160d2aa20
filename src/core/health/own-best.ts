/** The last 28 days against the best 28 of half a year: a slow decline shows here first. docs/health.md §11.8. */
import type { View } from "./activity.ts";
import { WINDOW_DAYS } from "./days.ts";
import type { Day, OwnBest } from "./model.ts";
import { dispersionOfChanges } from "./trend.ts";

const WINDOW_BUSINESS_DAYS = 20;
/** 26 weeks. */
const BEST_OF_DAYS = 182;
/** User-days of a best that is worth a comparison. */
const MIN_BEST = 20;

/**
 * The workspace's factor has no part in it: it is of 14 days against 8 weeks. Holidays of all are no business days.
 *
 * @param firstEvent the account's; weeks before it tell nothing
 */
export function ownBestOf({ calendar, counted }: View, day: Day, firstEvent: Day): OwnBest | null {
  const most = mostOfAnyStretch({ calendar, counted }, day);
  const window = calendar.window(day, WINDOW_DAYS);
  const share = calendar.businessDays(window.from, window.to) / WINDOW_BUSINESS_DAYS;
  const best = most * share;
  if (most < MIN_BEST || best === 0) return null;
  const observed = counted.userDays(window);
  const z = (observed - best) / Math.sqrt(weeklyDispersion({ calendar, counted }, day, firstEvent) * best);
  return { observed, best, ratio: observed / best, z, window };
}

/** By the changes, since a decline itself makes the weeks differ. */
function weeklyDispersion({ calendar, counted }: View, day: Day, firstEvent: Day): number {
  const { from } = calendar.window(day, BEST_OF_DAYS);
  const weeks: number[] = [];
  for (let week = calendar.window(day, 7); week.from >= Math.max(from, firstEvent);) {
    weeks.push(counted.userDays(week));
    week = calendar.window(week.from - 1, 7);
  }
  return dispersionOfChanges(weeks);
}

/** Whichever stretch has most, it has no less when it is moved back to end on an active day. */
function mostOfAnyStretch({ calendar, counted }: View, day: Day): number {
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
