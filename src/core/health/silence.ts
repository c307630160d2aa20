/**
 * Computes how long an absence must last to count as silence (docs/health.md §11.1): so long that chance explains only
 * one such absence in 200, given the habit, and at least twice as long as the longest earlier absence.
 *
 * Readers see the result of the newest day in the reasons `recency` and `silent` (texts.ts), on the console's account page
 * and in `GET /api/v1/accounts/{externalId}`, and in the inbox as an item `gone_silent`.
 */
import { countUntil } from "./activity.ts";
import type { Calendar } from "./business-days.ts";
import type { Day, Silence } from "./model.ts";

/** The habit comes from this many counted days up to the last active day. */
export const HABIT_DAYS = 90;
/** One in 200. */
const CHANCE = 0.005;

/** The smallest and the largest threshold, in business days. */
interface ThresholdBounds {
  readonly min: number;
  readonly max: number;
}

export const ACCOUNT_THRESHOLD_BOUNDS: ThresholdBounds = { min: 5, max: 45 };
/** Users take two weeks of leave. */
export const USER_THRESHOLD_BOUNDS: ThresholdBounds = { min: 11, max: 45 };
/** A workspace sends on every day on which any account is active. */
export const SENDER_THRESHOLD_BOUNDS: ThresholdBounds = { min: 1, max: 10 };

/**
 * Measures the silence as of `day`.
 *
 * @param activeDays ascending; later ones than `day` are ignored
 * @param knownFrom the first day on which there could have been activity
 * @returns `null` if there is no active day up to `day`
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

/**
 * Returns the threshold in business days.
 *
 * @param active how many of `businessDays` were active
 */
export function thresholdOf(active: number, businessDays: number, longestGap: number, bounds: ThresholdBounds): number {
  const chanceOfActiveDay = (active + 1) / (businessDays + 2);
  const unlikely = Math.ceil(Math.log(CHANCE) / Math.log(1 - chanceOfActiveDay));
  return Math.min(Math.max(unlikely, 2 * longestGap, bounds.min), bounds.max);
}
