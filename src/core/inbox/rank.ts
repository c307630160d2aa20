/** Which item should be read first (docs/health.md §12.4). */
import { DAY_MS } from "../durations.ts";
import type { Confidence } from "../health/model.ts";
import type { Severity } from "./model.ts";

const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { low: 1, medium: 2, high: 3, critical: 4 };
const CONFIDENCE_WEIGHT: Readonly<Record<Confidence, number>> = { low: 0.7, medium: 0.85, high: 1 };

/** A deadline begins to press this long before it. */
const PRESSING_DAYS = 7;
/** The weight of the account with the least MRR; that of the one with the most is one more. */
const LEAST_MRR_WEIGHT = 0.5;

/**
 * @param dueAt milliseconds since the epoch; `null` without a deadline
 * @param moment the end of the day the item is of
 * @param percentile of the account's MRR among those in its currency, 0 to 1; `null` without MRR
 */
export function rankOf(
  severity: Severity,
  confidence: Confidence,
  dueAt: number | null,
  moment: number,
  percentile: number | null,
): number {
  const mrrWeight = percentile === null ? 1 : LEAST_MRR_WEIGHT + percentile;
  const rank = SEVERITY_WEIGHT[severity] * urgency(dueAt, moment) * CONFIDENCE_WEIGHT[confidence] * mrrWeight;
  return Math.round(rank * 10_000) / 10_000;
}

/** From 1, a week or more ahead, to 2 at the deadline and after it. */
function urgency(dueAt: number | null, moment: number): number {
  if (dueAt === null) return 1;
  const daysLeft = (dueAt - moment) / DAY_MS;
  return 1 + Math.min(PRESSING_DAYS, Math.max(0, PRESSING_DAYS - daysLeft)) / PRESSING_DAYS;
}
