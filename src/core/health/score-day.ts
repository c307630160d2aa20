/**
 * Scores an account on a day (docs/health.md §11.7). The result depends only on the measures of that day and the rows of
 * the days before, so one run over many days gives the same as a run on each day.
 */
import { AGREEING_EVALUATIONS, isWorse, latestScores, nextBand } from "./band.ts";
import { capsAt, isConfirmed } from "./caps.ts";
import { round2, WEIGHTS } from "./components.ts";
import type { AccountMeasures } from "./measures.ts";
import {
  COMPONENTS,
  type ComponentValue,
  type Confidence,
  type Day,
  type HealthDay,
  type HealthRowOf,
  type Missing,
  type Stage,
} from "./model.ts";

const SCORE_COVERAGE = 0.6;
const SCORE_TENURE_DAYS: Readonly<Record<Stage, number>> = { trial: 3, active: 14, churned: 14 };
const SCORE_ACTIVE_DAYS: Readonly<Record<Stage, number>> = { trial: 2, active: 5, churned: 5 };

const CONFIDENCE_DAYS = 56;
const MIN_TENURE_DAYS = 28;
const MIN_USER_DAYS = 10;
const HIGH_USER_DAYS = 40;
const HIGH_COVERAGE = 0.85;

/** @param history the rows of at least the last 14 days */
export function scoreDay(measures: AccountMeasures, day: Day, history: HealthRowOf): HealthDay {
  const before = history(day - 1);
  if (measures.stage(day).stage === "churned") {
    return { ...unscored(day), state: "churned", band: null, coverage: 0 };
  }
  const { silence, senderDoubtful } = measures.context(day);
  const frozen = silence !== null;
  if (frozen && before !== undefined && before.score !== null) return { ...before, day, state: "stale" };

  const { coverage, uncapped, losses } = pointsAt(measures, day);
  const band = before?.band ?? null;
  // On what may be the first day of an outage, absence and outage look the same: no first state, and none that is worse.
  const isFirst = senderDoubtful && band === null;
  if (frozen || isFirst || missingAt(measures, day, coverage).length > 0) {
    return { ...unscored(day), state: "insufficient_data", band, coverage };
  }
  const caps = capsAt(measures, day);
  const score = Math.min(uncapped, ...caps.map(({ limit }) => limit));
  const next = nextBand(band, score, latestScores(history, day, AGREEING_EVALUATIONS - 1), caps.some(isConfirmed));
  const state = senderDoubtful && band !== null && isWorse(next, band) ? band : next;
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

/** Lists the data that an account needs for a score on a day and doesn't have (docs/health.md §11.10). */
export function missingAt(measures: AccountMeasures, day: Day, coverage: number): Missing[] {
  const { stage } = measures.stage(day);
  const needs: Missing[] = [
    { code: "coverage", observed: coverage, required: SCORE_COVERAGE },
    { code: "tenure", observed: measures.tenure(day), required: SCORE_TENURE_DAYS[stage] },
    { code: "active_days", observed: measures.activeDaysEver(day), required: SCORE_ACTIVE_DAYS[stage] },
  ];
  return needs.filter(({ observed, required }) => observed < required);
}

/** Rates how much data a score rests on (docs/health.md §11.14). */
function confidenceAt(measures: AccountMeasures, day: Day, coverage: number): Confidence {
  const tenure = measures.tenure(day);
  const userDays = measures.userDays(day, CONFIDENCE_DAYS);
  if (tenure < MIN_TENURE_DAYS || userDays < MIN_USER_DAYS) return "low";
  const areSeatsKnown = (measures.attributes(day).seats ?? 0) > 0;
  const isHigh = coverage >= HIGH_COVERAGE && tenure >= CONFIDENCE_DAYS && userDays >= HIGH_USER_DAYS && areSeatsKnown;
  return isHigh ? "high" : "medium";
}

/**
 * Computes the points of a day, in hundredths. The loss of each component is rounded first and the score is 100 minus the
 * losses, so the explanation adds up to the score exactly. Lists are in the order of `COMPONENTS`, with `null` for a
 * component without a value.
 */
export function pointsAt(measures: AccountMeasures, day: Day) {
  const { stage } = measures.stage(day);
  const weights = WEIGHTS[stage === "trial" ? "trial" : "active"];
  const values = COMPONENTS.map((component) => measures.component(day, component));
  const present = values.filter((value) => value !== null);
  const weight = present.reduce((sum, { component }) => sum + weights[component], 0);
  const pointsOf = (value: ComponentValue | null, percent: (score: number) => number) =>
    value === null ? null : round2((weights[value.component] * percent(value.score)) / Math.max(1, weight));
  const losses = values.map((value) => pointsOf(value, (score) => 100 - score));
  return {
    values,
    losses,
    gains: values.map((value) => pointsOf(value, (score) => score)),
    /** The share of the weights whose components have a value, 0 to 1. */
    coverage: weight / 100,
    /** The score before caps. */
    uncapped: round2(100 - losses.reduce<number>((sum, loss) => sum + (loss ?? 0), 0)),
  };
}
