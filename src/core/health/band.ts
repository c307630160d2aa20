/**
 * Chooses the band of a score, with hysteresis (docs/health.md §11.12). Without it, a score near a bound would change its
 * band from day to day.
 */
import { type Band, BANDS, type Day, type Health, type HealthRowOf } from "./model.ts";

/** A change of band needs this many evaluations that agree. */
export const AGREEING_EVALUATIONS = 3;

/** Evaluations that confirm a change lie within this many days (docs/health.md §11.12). */
const HISTORY_REACH_DAYS = 14;

/** The scores at which an account enters a band, and at which it leaves it. */
export const BAND_BOUNDS = {
  healthy: { from: 70, leftBelow: 65 },
  atRisk: { below: 40, leftAt: 45 },
} as const;

export const isWorse = (band: Band, than: Band): boolean => BANDS.indexOf(band) > BANDS.indexOf(than);

function firstBand(score: number): Band {
  if (score >= BAND_BOUNDS.healthy.from) return "healthy";
  return score < BAND_BOUNDS.atRisk.below ? "at_risk" : "watch";
}

function targetFrom(band: Band, score: number): Band {
  if (band === "healthy" && score >= BAND_BOUNDS.healthy.leftBelow) return "healthy";
  if (band === "at_risk" && score < BAND_BOUNDS.atRisk.leftAt) return "at_risk";
  return firstBand(score);
}

/**
 * Returns the band that the newest score points to while the state waits for evaluations that agree; `null` if the state
 * is that band, or has no score.
 */
export function pendingBand({ state, score }: Pick<Health, "state" | "score">): Band | null {
  const band = BANDS.find((each) => each === state);
  if (band === undefined || score === null) return null;
  const target = targetFrom(band, score);
  return target === band ? null : target;
}

/**
 * Returns the band after an evaluation.
 *
 * @param current `null` for the first score
 * @param earlier the scores of earlier evaluations, the latest first
 * @param capped whether a finding caps the score; it is confirmed already, so a change for the worse applies at once
 */
export function nextBand(current: Band | null, score: number, earlier: readonly number[], capped: boolean): Band {
  if (current === null) return firstBand(score);
  const better = BANDS.slice(0, BANDS.indexOf(current));
  const worse = BANDS.slice(BANDS.indexOf(current) + 1);
  const target = targetFrom(current, score);
  if (capped && worse.includes(target)) return target;

  const targets = [target, ...earlier.slice(0, AGREEING_EVALUATIONS - 1).map((before) => targetFrom(current, before))];
  const agreeOn = (bands: readonly Band[]) =>
    targets.length === AGREEING_EVALUATIONS && targets.every((band) => bands.includes(band));
  // If the targets differ, move to the nearest one.
  if (agreeOn(worse)) return worse.find((band) => targets.includes(band)) ?? current;
  if (agreeOn(better)) return better.findLast((band) => targets.includes(band)) ?? current;
  return current;
}

/**
 * Returns the scores of up to `count` evaluations before `day`, the latest first. It skips frozen scores and stops at a
 * churned day.
 */
export function latestScores(history: HealthRowOf, day: Day, count: number): number[] {
  const scores: number[] = [];
  for (let back = 1; back <= HISTORY_REACH_DAYS && scores.length < count; back += 1) {
    const row = history(day - back);
    if (row === undefined || row.state === "churned") break;
    if (row.score !== null && row.state !== "stale") scores.push(row.score);
  }
  return scores;
}
