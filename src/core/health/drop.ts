/**
 * A drop that neither chance nor a holiday of one person explains: docs/health.md §11.8. In a small company the two weeks
 * off of one user look like a drop, so it is one only if it remains with that user at work.
 */
import { countUntil, type View } from "./activity.ts";
import type { Day, Trend } from "./model.ts";
import { USER_THRESHOLD_BOUNDS } from "./silence.ts";
import { trendOf } from "./trend.ts";
import { userDaysOf } from "./users.ts";

const DROP_RATIO = 0.6;
const DROP_Z = -2.5;
/** Counted days before the last 14 that tell what a user does: the weeks that the trend expects from. */
const HABIT_DAYS = 56;

/** Whether there is much less than expected, and chance does not explain it. */
export function isDrop({ ratio, z }: Trend): boolean {
  return ratio <= DROP_RATIO && z <= DROP_Z;
}

/**
 * The trend as of `day` where it is a drop; `null` where it is none.
 *
 * @param dispersion that `found` was made with
 * @param datesOf the ascending days of a user
 */
export function dropOf(
  view: View,
  day: Day,
  found: Trend,
  dispersion: number,
  datesOf: (user: number) => readonly Day[],
): Trend | null {
  if (!isDrop(found)) return null;
  const { observed, expected, window } = found;
  const withThemAtWork = observed + largestShortfall(view, day, found, datesOf);
  return isDrop(trendOf(withThemAtWork, expected, dispersion, window)) ? found : null;
}

/** The user-days that the one is short of who is missed most and not for so long yet that no leave explains it. */
function largestShortfall(
  { calendar, counted }: View,
  day: Day,
  { expected, window }: Trend,
  datesOf: (user: number) => readonly Day[],
): number {
  const before = calendar.window(window.from - 1, HABIT_DAYS);
  const total = counted.userDays(before);
  const recent = userDaysOf(counted.during(window));
  const mightBeOnLeave = (user: number): boolean => {
    const dates = datesOf(user);
    const lastDay = dates[countUntil(dates, day) - 1] ?? day;
    return calendar.businessDays(lastDay + 1, day) < USER_THRESHOLD_BOUNDS.least;
  };
  let largest = 0;
  for (const [user, days] of userDaysOf(counted.during(before))) {
    const shortfall = (days / total) * expected - (recent.get(user) ?? 0);
    if (shortfall > largest && mightBeOnLeave(user)) largest = shortfall;
  }
  return largest;
}
