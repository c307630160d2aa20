/** The last 28 days against the 28 before, for accounts that have done something in both. In user-days. */
import type { View } from "./activity.ts";
import { WINDOW_DAYS } from "./days.ts";
import type { Day, Window } from "./model.ts";
import { dispersionOf, trendOf } from "./trend.ts";

const WEEKS = 4;
/** User-days before that are worth a comparison. */
const MIN_BEFORE = 10;

/** `null` where the first event lies inside the 56 days, or the first 28 of them hold too little. */
export function growthOf({ calendar, counted }: View, day: Day, firstEvent: Day | null) {
  const window = calendar.window(day, WINDOW_DAYS);
  const before = calendar.window(window.from - 1, WINDOW_DAYS);
  if (firstEvent === null || before.from < firstEvent) return null;
  const total = counted.userDays(before);
  const businessDaysBefore = businessDaysOf(before);
  if (total < MIN_BEFORE || businessDaysBefore === 0) return null;

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
