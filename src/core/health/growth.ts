/** Compares the user-days of the last 28 days with the 28 before. */
import type { View } from "./activity.ts";
import { WINDOW_DAYS } from "./business-days.ts";
import type { Day, Window } from "./model.ts";
import { dispersionOf, trendOf } from "./trend.ts";

const WEEKS = 4;
/** Fewer user-days before are too few to compare with. */
const MIN_USER_DAYS_BEFORE = 10;

/** Returns `null` if the first event is within the 56 days, or the first 28 have too few user-days. */
export function growthOf({ calendar, counted }: View, day: Day, firstEvent: Day | null) {
  const window = calendar.window(day, WINDOW_DAYS);
  const before = calendar.window(window.from - 1, WINDOW_DAYS);
  if (firstEvent === null || before.from < firstEvent) return null;
  const total = counted.userDays(before);
  const businessDaysBefore = businessDaysOf(before);
  if (total < MIN_USER_DAYS_BEFORE || businessDaysBefore === 0) return null;

  const weeks: number[] = [];
  for (let to = before.to; weeks.length < WEEKS;) {
    const week = calendar.window(to, 7);
    weeks.push(counted.userDays(week));
    to = week.from - 1;
  }
  const expected = (total * businessDaysOf(window)) / businessDaysBefore;
  return trendOf(counted.userDays(window), expected, dispersionOf(weeks), window);

  function businessDaysOf({ from, to }: Window): number {
    return calendar.businessDays(from, to);
  }
}
