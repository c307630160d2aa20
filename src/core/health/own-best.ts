/** The last 28 days against the best 28 of half a year: a slow decline shows here first. docs/health.md §11.8. */
import type { View } from "./activity.ts";
import { WINDOW_DAYS } from "./days.ts";
import type { Day, OwnBest } from "./model.ts";

const WINDOW_BUSINESS_DAYS = 20;
/** 26 weeks. */
const BEST_OF_DAYS = 182;
/** User-days of a best that is worth a comparison. */
const MIN_BEST = 20;

/** @param factor the workspace's, so that a holiday of all is no decline */
export function ownBestOf({ calendar, counted }: View, day: Day, factor: number): OwnBest | null {
  const most = mostOfAnyStretch({ calendar, counted }, day);
  const window = calendar.window(day, WINDOW_DAYS);
  const share = calendar.businessDays(window.from, window.to) / WINDOW_BUSINESS_DAYS;
  const best = most * factor * share;
  if (most < MIN_BEST || best === 0) return null;
  const observed = counted.userDays(window);
  return { observed, best, ratio: observed / best, window };
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
