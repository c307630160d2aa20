/** Reads the earlier health of an account. Hysteresis and a frozen score start from it. */
import type { Day, HealthDay } from "./model.ts";

/** Returns an earlier row of an account; `undefined` if there is none. */
export type HealthHistory = (day: Day) => HealthDay | undefined;

/** Evaluations that confirm a change lie within this many days (docs/health.md §11.12). */
export const HISTORY_REACH_DAYS = 14;

/**
 * Returns the scores of up to `count` evaluations before `day`, the latest first. It skips frozen scores and stops at a
 * churned day.
 */
export function latestScores(history: HealthHistory, day: Day, count: number): number[] {
  const scores: number[] = [];
  for (let back = 1; back <= HISTORY_REACH_DAYS && scores.length < count; back += 1) {
    const row = history(day - back);
    if (row === undefined || row.state === "churned") break;
    if (row.score !== null && row.state !== "stale") scores.push(row.score);
  }
  return scores;
}
