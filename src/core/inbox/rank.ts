/** Ranks items, so that the most urgent ones come first (docs/inbox.md §12.4). */
import { DAY_MS } from "../durations.ts";
import type { Confidence } from "../health/model.ts";
import type { Severity } from "./model.ts";

const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { low: 1, medium: 2, high: 3, critical: 4 };
const CONFIDENCE_WEIGHT: Readonly<Record<Confidence, number>> = { low: 0.7, medium: 0.85, high: 1 };

/** A deadline adds urgency from this many days before it. */
const URGENT_DAYS = 7;
/** The weight of the lowest MRR. The highest weighs 1 more. */
const LOWEST_MRR_WEIGHT = 0.5;

/**
 * @param dueAt milliseconds since the epoch; `null` without a deadline
 * @param moment the end of the scored day, in milliseconds since the epoch
 * @param percentile the rank of the account's MRR in its currency, 0 to 1; `null` without MRR
 */
export function rankOf(
  severity: Severity,
  confidence: Confidence,
  dueAt: number | null,
  moment: number,
  percentile: number | null,
): number {
  const mrrWeight = percentile === null ? 1 : LOWEST_MRR_WEIGHT + percentile;
  const rank = SEVERITY_WEIGHT[severity] * urgency(dueAt, moment) * CONFIDENCE_WEIGHT[confidence] * mrrWeight;
  return Math.round(rank * 10_000) / 10_000;
}

/** Rises from 1, a week or more before the deadline, to 2 at the deadline and after it. */
function urgency(dueAt: number | null, moment: number): number {
  if (dueAt === null) return 1;
  const daysLeft = (dueAt - moment) / DAY_MS;
  return 1 + Math.min(URGENT_DAYS, Math.max(0, URGENT_DAYS - daysLeft)) / URGENT_DAYS;
}
