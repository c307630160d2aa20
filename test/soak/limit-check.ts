/**
 * Checks the write limit by what a sender can prove with its own clock: the limiter charges a request at a moment between
 * its sending and the end of its answer. A batch above the limit is charged ahead, over several windows.
 */
import { WRITE_WINDOW_MS } from "../../src/core/limit/policy.ts";
import { type Admitted, sumOf } from "./ledger.ts";

/** The limiter counts whole milliseconds of a clock that may be corrected. */
const SLACK_MS = 20;

/**
 * Counts windows that surely hold more than the limit: requests that were sent and answered within a window were charged
 * within it. Requests across its edge and batches above the limit are left out: an excess that hides in them is not found.
 *
 * @param admitted in the order of their answers
 */
export function overfullWindows(admitted: readonly Admitted[], limit: number): number {
  let [overfull, within]: [number, Admitted[]] = [0, []];
  for (const request of admitted.filter(({ cost }) => cost <= limit)) {
    const begin = request.answeredAt - WRITE_WINDOW_MS + SLACK_MS;
    within = [...within, request].filter(({ sentAt }) => sentAt >= begin);
    if (sumOf(within, ({ cost }) => cost) > limit) overfull += 1;
  }
  return overfull;
}

/**
 * Returns the most that a run of this length can admit: the limit for each window that it touches. A batch above the limit
 * is admitted when one place is free, so it can add itself and a window.
 */
export function mostAdmitted(admitted: readonly Admitted[], limit: number): number {
  const begin = Math.min(...admitted.map(({ sentAt }) => sentAt));
  const windows = Math.ceil(((admitted.at(-1)?.answeredAt ?? begin) - begin + 1) / WRITE_WINDOW_MS);
  const largest = Math.max(...admitted.map(({ cost }) => cost));
  return limit * windows + (largest > limit ? limit + largest : 0);
}
