/**
 * Ranks an MRR among those of the workspace in the same currency. Every twentieth of the sorted list is enough, because the
 * rank only orders inbox items.
 */
import type { WorkspaceContext } from "./model.ts";

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
