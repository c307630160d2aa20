/**
 * The workspace's own factor: what its accounts did against what was expected of them, by the median. In a holiday week
 * every account does less, and none of them declines. An account is judged by the others' median, without its own.
 */
import type { FactorStatistics, WorkspaceContext } from "./model.ts";

/** Below it an expectation is too small to judge anybody by. User-days. */
export const MIN_EXPECTED = 10;
const MIN_OTHERS = 10;
const MIN_FACTOR = 0.25;

/** What stands for a list of ratios, in any order. */
export function factorStatistics(ratios: readonly number[]): FactorStatistics {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) >> 1;
  return { count: sorted.length, middle: sorted.slice(Math.max(0, middle - 1), middle + 2) };
}

/**
 * The factor for an account, 0.25 to 1.
 *
 * @param ownRatio the account's own observed / expected, where it is one of those the statistics are of
 */
export function factorFor({ factor }: WorkspaceContext, ownRatio: number | null): number {
  const others = ownRatio === null ? factor.count : factor.count - 1;
  if (others < MIN_OTHERS) return 1;
  return Math.min(Math.max(medianWithout(factor, ownRatio), MIN_FACTOR), 1);
}

/** Of at least three values. */
function medianWithout({ count, middle }: FactorStatistics, own: number | null): number {
  const [before = 0, center = 0, after = 0] = middle;
  const odd = count % 2 === 1;
  if (own === null) return odd ? center : (center + after) / 2;
  if (!odd) return own <= center ? after : center;
  if (own === center) return (before + after) / 2;
  return own < center ? (center + after) / 2 : (before + center) / 2;
}
