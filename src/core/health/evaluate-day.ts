/**
 * The health of an account on a day: docs/health.md §11.7. It follows from the measures of that day and
 * from the rows of the days before, so that one run over many days and a run on each of them come to the same.
 */
import { AGREEING, nextBand } from "./band.ts";
import { capsAt } from "./caps.ts";
import { type HealthHistory, latestScores } from "./health-history.ts";
import type { AccountMeasures } from "./measures.ts";
import { missingAt } from "./missing.ts";
import { COMPONENTS, type Confidence, type Day, type HealthDay } from "./model.ts";
import { pointsAt } from "./points.ts";

export { explain } from "./explain.ts";
export { type HealthHistory, HISTORY_REACH_DAYS } from "./health-history.ts";

/** @param history rows of days before, of up to `HISTORY_REACH_DAYS` of them */
export function evaluateDay(measures: AccountMeasures, day: Day, history: HealthHistory): HealthDay {
  const before = history(day - 1);
  if (measures.stage(day).stage === "churned") {
    return { ...unscored(day), state: "churned", band: null, coverage: 0 };
  }
  const frozen = measures.context(day).silence !== null;
  if (frozen && before !== undefined && before.score !== null) return { ...before, day, state: "stale" };

  const { coverage, uncapped, losses } = pointsAt(measures, day);
  const band = before?.band ?? null;
  if (frozen || missingAt(measures, day, coverage).length > 0) {
    return { ...unscored(day), state: "insufficient_data", band, coverage };
  }
  const caps = capsAt(measures, day);
  const score = Math.min(uncapped, ...caps.map(({ limit }) => limit));
  const state = nextBand(band, score, latestScores(history, day, AGREEING - 1), caps.length > 0);
  return {
    day,
    state,
    band: state,
    score,
    uncapped,
    coverage,
    confidence: confidenceAt(measures, day, coverage),
    losses,
  };
}

function unscored(day: Day) {
  return { day, score: null, uncapped: null, confidence: null, losses: COMPONENTS.map(() => null) };
}

/** In days; its user-days tell how much stands behind a score. */
const CONFIDENCE_DAYS = 56;

function confidenceAt(measures: AccountMeasures, day: Day, coverage: number): Confidence {
  const tenure = measures.tenure(day);
  const userDays = measures.userDays(day, CONFIDENCE_DAYS);
  if (tenure < 28 || userDays < 10) return "low";
  const seatsKnown = (measures.attributes(day).seats ?? 0) > 0;
  return coverage >= 0.85 && tenure >= CONFIDENCE_DAYS && userDays >= 40 && seatsKnown ? "high" : "medium";
}
