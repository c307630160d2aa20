/**
 * The findings that a mean would hide, each with the highest score it leaves: docs/health.md §11.8. An account that has
 * lost half its use is never healthy, whatever else is good about it.
 */
import type { Measures } from "./measures.ts";
import type { Cap, Day, Trend, Window } from "./model.ts";

const SILENT_LIMIT = 30;
const DROP_LIMIT = 60;
const STEEP_DROP_LIMIT = 39;
const STEEP_DROP_RATIO = 0.35;
const OWN_BEST_LIMIT = 60;
const BELOW_OWN_BEST_RATIO = 0.5;

const DROP_RATIO = 0.6;
const DROP_Z = -2.5;
const DROP_DAYS = 3;

export interface CapFinding {
  readonly cap: Cap;
  /** The highest score. */
  readonly limit: number;
  readonly observed: number;
  readonly expected: number;
  readonly window: Window;
}

/** The trend of `day` where it and those of the two days before show a drop that chance does not explain. */
export function confirmedDrop(measures: Measures, day: Day): Trend | null {
  for (let back = 0; back < DROP_DAYS; back += 1) {
    const trend = measures.trend(day - back);
    if (trend === null || trend.ratio > DROP_RATIO || trend.z > DROP_Z) return null;
  }
  return measures.trend(day);
}

/** In the order of `CAPS`. */
export function capsAt(measures: Measures, day: Day): readonly CapFinding[] {
  const findings: CapFinding[] = [];
  const silence = measures.silence(day);
  if (silence?.silent === true) {
    const { gap, threshold, lastDay } = silence;
    const window = { from: lastDay, to: day };
    findings.push({ cap: "silent", limit: SILENT_LIMIT, observed: gap, expected: threshold, window });
  }
  const drop = confirmedDrop(measures, day);
  if (drop !== null) {
    const { observed, expected, window, ratio } = drop;
    const limit = ratio <= STEEP_DROP_RATIO ? STEEP_DROP_LIMIT : DROP_LIMIT;
    findings.push({ cap: "confirmed_drop", limit, observed, expected, window });
  }
  const best = measures.ownBest(day);
  if (best !== null && best.ratio <= BELOW_OWN_BEST_RATIO) {
    const { observed, best: expected, window } = best;
    findings.push({ cap: "below_own_best", limit: OWN_BEST_LIMIT, observed, expected, window });
  }
  return findings;
}
