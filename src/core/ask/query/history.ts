/** Refuses comparisons of windows without a complete or without a recorded day. */
import type { Day, Window } from "../../health/model.ts";
import { isSubject } from "./check.ts";
import { ACTIVITY } from "./dimensions.ts";
import type { Query } from "./model.ts";
import { refuse, type Told } from "./telling.ts";
import { sayDay } from "./times.ts";
import { comparedWith, completeDays, daysOf, DEFAULT_WINDOW, isoDate } from "./windows.ts";

/** The windows that are compared, without incomplete days; empty if one of them has no complete day. */
export function comparedDays(
  { window = DEFAULT_WINDOW, compare }: Query,
  today: Day,
): readonly [] | readonly [now: Window, earlier: Window] {
  const now = completeDays(daysOf(window, today), today);
  const to = compare?.to;
  if (now === null || to === undefined || isSubject(to)) return [];
  const earlier = completeDays(comparedWith(to, window, now, today), today);
  return earlier === null ? [] : [now, earlier];
}

/** @param firstDay the first day that anything was recorded */
export function refuseWithoutHistory(query: Query, today: Day, firstDay: Day | null): Told | null {
  const { compare, find, measure } = query;
  if (compare === undefined || isSubject(compare.to)) return null;
  const days = comparedDays(query, today);
  if (days.length === 0)
    return refuse("insufficient_history", "Only complete days are compared, and no day of this period is over yet.");
  const isCounted = find === "events" || ACTIVITY.has(measure ?? "");
  if (!isCounted || firstDay === null || days.every(({ from }) => from >= firstDay)) return null;
  return refuse("insufficient_history", `Records begin on ${sayDay(isoDate(firstDay))}: too late for this comparison.`);
}
