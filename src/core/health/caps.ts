/**
 * The findings that a mean would hide, each with the highest score it leaves: docs/health.md §11.8. An account that has
 * lost half its use is never healthy, whatever else is good about it.
 */
import { lastCountedDays } from "./days.ts";
import type { Measures } from "./measures.ts";
import type { Cap, Day, Trend, Window } from "./model.ts";
import { round2 } from "./points.ts";

const SILENT_LIMIT = 30;
const DROP_LIMIT = 60;
const STEEP_DROP_LIMIT = 39;
const STEEP_DROP_RATIO = 0.35;
/** What an account that does nothing of its best any more is short of 100: at half of it, 40. */
const OWN_BEST_POINTS = 80;
const HALF = 0.5;
/** Less than the best is what an account does nearly always: this much less is not chance. At half of it nobody asks. */
const BELOW_OWN_BEST_Z = -2;

const DROP_DAYS = 3;

export interface CapFinding {
  readonly cap: Cap;
  /** The highest score. */
  readonly limit: number;
  readonly observed: number;
  readonly expected: number;
  readonly window: Window;
}

/** The trend of `day` where it and those of the two counted days before are drops. */
export function confirmedDrop(measures: Measures, day: Day): Trend | null {
  const days = lastCountedDays(measures.context(day).outages, day, DROP_DAYS);
  return days.every((each) => measures.drop(each) !== null) ? measures.drop(day) : null;
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
  if (best !== null && (best.ratio <= HALF || best.z <= BELOW_OWN_BEST_Z)) {
    const { observed, best: expected, window, ratio } = best;
    const limit = round2(100 - OWN_BEST_POINTS * (1 - ratio));
    findings.push({ cap: "below_own_best", limit, observed, expected, window });
  }
  return findings;
}
