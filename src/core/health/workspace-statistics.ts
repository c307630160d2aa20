/**
 * Reduces what the accounts of a workspace have to the statistics that one of them is compared with.
 *
 * The workspace factor is the median of observed / expected usage over the accounts. In a holiday week every account
 * does less, and none of them declines. An account is compared with the median of the others.
 *
 * An MRR is ranked among those in the same currency. Every twentieth of the sorted list is enough, because the rank only
 * orders inbox items.
 */
import type { FactorStatistics, WorkspaceContext } from "./model.ts";

/** With fewer expected user-days, an account's ratio is mostly chance. */
export const MIN_EXPECTED_USER_DAYS = 10;
const MIN_OTHER_ACCOUNTS = 10;
const MIN_FACTOR = 0.25;

/** Reduces a list of ratios to the statistics that `factorFor` needs. */
export function factorStatistics(ratios: readonly number[]): FactorStatistics {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) >> 1;
  return { count: sorted.length, middle: sorted.slice(Math.max(0, middle - 1), middle + 2) };
}

/**
 * Returns the factor for an account, 0.25 to 1.
 *
 * @param ownRatio the account's own observed / expected; `null` if the statistics do not include it
 */
export function factorFor({ factor }: WorkspaceContext, ownRatio: number | null): number {
  const others = ownRatio === null ? factor.count : factor.count - 1;
  if (others < MIN_OTHER_ACCOUNTS) return 1;
  return Math.min(Math.max(medianWithout(factor, ownRatio), MIN_FACTOR), 1);
}

/** Computes the median without one value. There are at least three values. */
function medianWithout({ count, middle }: FactorStatistics, own: number | null): number {
  const [before = 0, center = 0, after = 0] = middle;
  const odd = count % 2 === 1;
  if (own === null) return odd ? center : (center + after) / 2;
  if (!odd) return own <= center ? after : center;
  if (own === center) return (before + after) / 2;
  return own < center ? (center + after) / 2 : (before + center) / 2;
}

const MAX_STEPS = 20;
/** The percentile of an MRR without others to compare with. */
const MIDDLE = 0.5;

/** Returns the values at even steps of the rank, from the lowest to the highest. */
export function mrrSteps(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  if (last <= MAX_STEPS) return sorted;
  return Array.from({ length: MAX_STEPS + 1 }, (_, step) => sorted[Math.round((step * last) / MAX_STEPS)] ?? 0);
}

/** Returns the share of accounts with a lower MRR, 0 to 1, interpolated between the steps. */
export function mrrPercentile({ mrr }: WorkspaceContext, currency: string | undefined, value: number): number {
  const steps = mrr[currency ?? ""] ?? [];
  const last = steps.length - 1;
  if (last < 1) return MIDDLE;
  const above = steps.findIndex((step) => step >= value);
  if (above === -1) return 1;
  const upper = steps[above] ?? value;
  if (upper === value) return (above + steps.findLastIndex((step) => step === value)) / 2 / last;
  const lower = steps[above - 1];
  return lower === undefined ? 0 : (above - 1 + (value - lower) / (upper - lower)) / last;
}
