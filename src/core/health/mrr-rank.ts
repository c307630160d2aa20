/**
 * Where an MRR stands among those of the workspace in the same currency. A few values of the ranked list stand for all
 * of it: they are to rank items by, not to report.
 */
import type { WorkspaceContext } from "./model.ts";

const MAX_STEPS = 20;
/** Of an MRR with nothing to compare it with. */
const MIDDLE = 0.5;

/** The values at even steps of the rank, lowest and highest included, of a list in any order. */
export function mrrSteps(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  if (last <= MAX_STEPS) return sorted;
  return Array.from({ length: MAX_STEPS + 1 }, (_, step) => sorted[Math.round((step * last) / MAX_STEPS)] ?? 0);
}

/** The share of accounts below, 0 to 1, between the steps by interpolation; 0.5 with nothing to compare with. */
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
