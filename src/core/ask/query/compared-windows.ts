/** Decides which days a query counts and compares, and refuses comparisons without a complete or a recorded day. */
import type { Day, Window } from "../../health/model.ts";
import { refuse, type WrittenAnswer } from "./answer-context.ts";
import { ACTIVITY, HISTORY } from "./dimensions.ts";
import type { Query, WindowName } from "./model.ts";
import { comparesWithEntity } from "./subjects.ts";
import { dayText } from "./window-texts.ts";
import { completeDays, DEFAULT_WINDOW, isoDate, samePart, windowBefore, windowDays } from "./windows.ts";

/** Returns the window to count, and the one to compare it with: `null` if there is none, or one has no complete day. */
export function comparedWindows(
  { window = DEFAULT_WINDOW, compare, measure = "" }: Query,
  today: Day,
): { window: Window; before: Window | null } {
  const days = windowDays(window, today);
  if (compare === undefined || comparesWithEntity(compare.to)) return { window: days, before: null };
  // What has a value at the end of each day is compared as of yesterday, since today isn't over.
  const isState = HISTORY.has(measure);
  const isNow = isState && days.from === today && days.to === today;
  const now = isNow ? { from: today - 1, to: today - 1 } : completeDays(window, today);
  if (now === null) return { window: days, before: null };
  if (compare.to === "before") return { window: now, before: windowBefore(window, now, isState) };
  const other = windowDays(compare.to, today);
  const before = completeDays(compare.to, today);
  const [isOver, isOtherOver] = [days.to < today, other.to < today];
  // Last month's MRR is that of its last day.
  if (before === null || isState || isOver === isOtherOver) return { window: now, before };
  // October is compared with November so far: as many days of both.
  return isOver ? { window: samePart(now, before), before } : { window: now, before: samePart(before, now) };
}

/** Tests whether a window of the query or of its comparison ended before the first day with records. */
export function isBeforeRecords({ window, where, compare }: Query, today: Day, firstDay: Day): boolean {
  const isOver = (each: WindowName | undefined): boolean => each !== undefined && windowDays(each, today).to < firstDay;
  const to = compare?.to;
  const compared = to === undefined || to === "before" || comparesWithEntity(to) ? undefined : to;
  return isOver(window) || isOver(compared) || where.some((filter) => isOver(filter.window));
}

/** @param firstDay the first day that anything was recorded */
export function refuseWithoutHistory(query: Query, today: Day, firstDay: Day | null): WrittenAnswer | null {
  const { compare, find, measure } = query;
  if (compare === undefined || comparesWithEntity(compare.to)) return null;
  const { window, before } = comparedWindows(query, today);
  if (before === null) {
    const unit = query.window !== undefined && "this" in query.window ? query.window.this : "period";
    const instead = unit === "period" ? "" : ` Ask for the last ${unit} and the one before.`;
    return refuse("insufficient_history", `Only complete days are compared, and this ${unit} has none yet.${instead}`);
  }
  const isCounted = find === "events" || ACTIVITY.has(measure ?? "");
  if (!isCounted || firstDay === null || Math.min(window.from, before.from) >= firstDay) return null;
  return refuse(
    "insufficient_history",
    `There is no data before ${dayText(isoDate(firstDay))}, so this comparison is impossible.`,
  );
}

/** Months differ by a tenth, and halves of months by less. */
const MAX_DIFFERENCE = 0.1;

/**
 * Finds what is wrong with a window to compare with: counts of other numbers of days, or of the same days, and values of
 * the same day, say nothing.
 * @returns the end of a sentence that begins with the field; `null` if both can be compared
 */
export function unlikeWindows(query: Query, today: Day): string | null {
  const { compare, measure = "" } = query;
  if (compare === undefined || compare.to === "before") return null;
  const { window, before } = comparedWindows(query, today);
  if (before === null) return null;
  const instead = `use "before", or ${JSON.stringify({ from: isoDate(2 * window.from - window.to - 1), to: isoDate(window.from - 1) })}`;
  if (HISTORY.has(measure))
    return before.to === window.to ? `ends on the same day as the compared window: ${instead}` : null;
  if (before.from <= window.to && window.from <= before.to) return `overlaps the compared window: ${instead}`;
  const [length, other] = [window.to - window.from + 1, before.to - before.from + 1];
  const isAlike = Math.abs(length - other) <= MAX_DIFFERENCE * Math.max(length, other);
  return isAlike ? null : `has ${other} days, and the compared window ${length}: ${instead}`;
}
