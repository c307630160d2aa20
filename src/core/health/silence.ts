/**
 * When an absence is long enough to mean something: docs/health.md §11.1. It is as many business days
 * as someone of this habit passes over once in two hundred times, and never less than twice what they passed over
 * before.
 */
import { countUntil } from "./activity.ts";
import type { Calendar } from "./days.ts";
import type { Day, Silence } from "./model.ts";

/** Counted days that tell the habit, up to the last active one. */
export const HABIT_DAYS = 90;
const CHANCE = 0.005;

/** Between which business days a threshold lies. */
export interface ThresholdBounds {
  readonly least: number;
  readonly most: number;
}

/** Of accounts. */
export const THRESHOLD_BOUNDS: ThresholdBounds = { least: 5, most: 45 };
/** Of users, who take two weeks of leave. */
export const USER_THRESHOLD_BOUNDS: ThresholdBounds = { least: 11, most: 45 };
/** Of a workspace's sender, which is busy on every day that any account is. */
export const SENDER_THRESHOLD_BOUNDS: ThresholdBounds = { least: 1, most: 10 };

/**
 * The gap as of `day` after the last of `activeDays`, ascending.
 *
 * @param knownFrom the first day on which there could have been activity
 * @returns `null` without an active day up to `day`
 */
export function silenceOf(
  activeDays: readonly Day[],
  day: Day,
  knownFrom: Day,
  calendar: Calendar,
  bounds: ThresholdBounds,
): Silence | null {
  const count = countUntil(activeDays, day);
  const lastDay = activeDays[count - 1];
  if (lastDay === undefined) return null;
  const from = Math.max(calendar.window(lastDay, HABIT_DAYS).from, Math.min(knownFrom, lastDay));

  let active = 0;
  let longestGap = 0;
  let next = lastDay + 1;
  for (let index = count - 1; next > from; index -= 1) {
    const previous = Math.max(activeDays[index] ?? -Infinity, from - 1);
    longestGap = Math.max(longestGap, calendar.businessDays(previous + 1, next - 1));
    if (previous >= from) active += calendar.businessDays(previous, previous);
    next = previous;
  }
  const threshold = thresholdOf(active, calendar.businessDays(from, lastDay), longestGap, bounds);
  const gap = calendar.businessDays(lastDay + 1, day);
  return { lastDay, gap, threshold, silent: gap >= threshold };
}

/** In business days, of a habit of so many active ones of so many, and its longest gap. */
export function thresholdOf(active: number, of: number, longestGap: number, bounds: ThresholdBounds): number {
  const chanceOfADay = (active + 1) / (of + 2);
  const unlikely = Math.ceil(Math.log(CHANCE) / Math.log(1 - chanceOfADay));
  return Math.min(Math.max(unlikely, 2 * longestGap, bounds.least), bounds.most);
}
