/**
 * Detects a drop that neither chance nor one user's vacation explains (docs/health.md §11.8). In a small company, two weeks
 * of leave look like a drop. So the drop must remain if that user is assumed to be at work.
 */
import { countUntil, type View } from "./activity.ts";
import type { Day, UsageComparison } from "./model.ts";
import { USER_THRESHOLD_BOUNDS } from "./silence.ts";
import { compareUsage } from "./trend.ts";
import { userDaysOf } from "./key-users.ts";

const DROP_RATIO = 0.6;
const DROP_Z = -2.5;
/** A user's usual share comes from this many counted days before the last 14, as the expected trend does. */
const HABIT_DAYS = 56;

/** Tests for much less than expected, and less than chance explains. */
export function isDrop({ ratio, z }: UsageComparison): boolean {
  return ratio <= DROP_RATIO && z <= DROP_Z;
}

/**
 * Returns `found` if it is a drop, else `null`.
 *
 * @param found the trend as of `day`
 * @param dispersion the dispersion that `found` was computed with
 */
export function dropOf(view: View, day: Day, found: UsageComparison, dispersion: number): UsageComparison | null {
  if (!isDrop(found)) return null;
  const { observed, expected, window } = found;
  const withUserAtWork = observed + largestShortfall(view, day, found);
  return isDrop(compareUsage(withUserAtWork, expected, dispersion, window)) ? found : null;
}

/** Returns the largest shortfall in user-days of any user whose absence is short enough to be leave. */
function largestShortfall(
  { calendar, counted, datesOf }: View,
  day: Day,
  { expected, window }: UsageComparison,
): number {
  const before = calendar.window(window.from - 1, HABIT_DAYS);
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
