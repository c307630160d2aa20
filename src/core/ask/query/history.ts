/** How far back the records of a workspace go, as answers have to say. */
import type { Day, Window } from "../../health/model.ts";
import { isSubject } from "./check.ts";
import type { Grounds } from "./figures.ts";
import { sayDay } from "./say-windows.ts";
import type { Query } from "./model.ts";
import { figuresOf, refuse, type Told } from "./telling.ts";
import { completeDays, daysOf, DEFAULT_WINDOW, isoDate, windowBefore } from "./windows.ts";

/** The days that are compared with each other: complete ones only. `null` if none of them is over. */
export function comparedDays({ window, compare }: Query, today: Day): { now: Window | null; then: Window | null } {
  const now = completeDays(daysOf(window ?? DEFAULT_WINDOW, today), today);
  if (compare === undefined || isSubject(compare.to)) return { now, then: now };
  if (compare.to === "before") return { now, then: now && windowBefore(now) };
  return { now, then: completeDays(daysOf(compare.to, today), today) };
}

/** Refuses to compare days that aren't over or from which nothing was recorded. @param firstDay of the records */
export function withoutHistory(query: Query, today: Day, firstDay: Day | null): Told | null {
  const { compare, find, measure } = query;
  if (compare === undefined || isSubject(compare.to)) return null;
  const { now, then } = comparedDays(query, today);
  if (now === null || then === null)
    return refuse("insufficient_history", "Only complete days are compared, and no day of this period is over yet.");
  const isCounted = find === "events" || figuresOf(measure ?? "");
  if (!isCounted || firstDay === null || Math.min(now.from, then.from) >= firstDay) return null;
  const began = sayDay(isoDate(firstDay));
  return refuse("insufficient_history", `Records begin on ${began}, so these periods can't be compared.`);
}
