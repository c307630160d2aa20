/**
 * Finds problems that an average would hide, and the highest score that each one allows (docs/health.md §11.8). An
 * account that has lost half its usage is never healthy, however good the rest is.
 */
import { lastCountedDays } from "./business-days.ts";
import type { Measures } from "./measures.ts";
import type { Cap, Comparison, Day, UsageComparison } from "./model.ts";
import { round2 } from "./components.ts";

const SILENT_LIMIT = 30;
const DROP_LIMIT = 60;
const STEEP_DROP_LIMIT = 39;
const STEEP_DROP_RATIO = 0.35;
/** The points taken off an account without any of its best usage. At half of its best, 40. */
const OWN_BEST_POINTS = 80;
/** At this share of the best, the cap applies without a test for chance. */
const HALF = 0.5;
/** Nearly every account is below its best. At this z, chance is unlikely to explain it. */
const BELOW_OWN_BEST_Z = -2;

/** A drop is confirmed on this many counted days in a row. */
const CONFIRMED_DROP_DAYS = 3;

interface CapFinding extends Comparison {
  readonly cap: Cap;
  readonly limit: number;
}

/** Returns the trend of `day` if it and the trends of the two counted days before are drops. */
export function confirmedDrop(measures: Measures, day: Day): UsageComparison | null {
  const days = lastCountedDays(measures.context(day).outages, day, CONFIRMED_DROP_DAYS);
  return days.every((each) => measures.drop(each) !== null) ? measures.drop(day) : null;
}

/** Returns the caps of a day, in the order of `CAPS`. */
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
  if (best !== null && (best.ratio <= HALF || best.z <= BELOW_OWN_BEST_Z)) {
    const { observed, expected, window, ratio } = best;
    const limit = round2(100 - OWN_BEST_POINTS * (1 - ratio));
    findings.push({ cap: "below_own_best", limit, observed, expected, window });
  }
  return findings;
}
