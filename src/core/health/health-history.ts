/** What an account's health was on the days before: what hysteresis and a frozen score start from. */
import type { Day, HealthDay } from "./model.ts";

/** The earlier rows of an account; `undefined` where there is none. */
export type HealthHistory = (day: Day) => HealthDay | undefined;

/** Days within which evaluations have to agree: docs/health.md §11.12. What was found longer ago confirms nothing. */
export const HISTORY_REACH_DAYS = 14;

/**
 * The scores of up to `count` evaluations before `day`, the latest first. None while the sender was out, when a score
 * stands still, and none from before the account was churned.
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
