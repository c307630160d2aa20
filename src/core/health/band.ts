/**
 * The band of a score, with hysteresis: docs/health.md §11.12. A score near a bound would flip its band from day to
 * day, so leaving one takes a clear score on three evaluations.
 */
import { type Band, BANDS } from "./model.ts";

/** Evaluations that have to agree. */
export const AGREEING = 3;

/** Scores at which a band begins, and at which an account in it leaves it. */
export const BAND_BOUNDS = {
  healthy: { from: 70, leftBelow: 65 },
  atRisk: { below: 40, leftAt: 45 },
} as const;

/** Where an account has none yet. */
function firstBand(score: number): Band {
  if (score >= BAND_BOUNDS.healthy.from) return "healthy";
  return score < BAND_BOUNDS.atRisk.below ? "at_risk" : "watch";
}

/** Where a score leads from a band: into the band, and out of it again, at different scores. */
function targetFrom(band: Band, score: number): Band {
  if (band === "healthy" && score >= BAND_BOUNDS.healthy.leftBelow) return "healthy";
  if (band === "at_risk" && score < BAND_BOUNDS.atRisk.leftAt) return "at_risk";
  return firstBand(score);
}

/**
 * @param present `null` where there is none yet
 * @param earlier scores of the evaluations before, the latest first
 * @param capped whether a finding caps the score: it is confirmed already, and a change for the worse waits no more
 */
export function nextBand(present: Band | null, score: number, earlier: readonly number[], capped: boolean): Band {
  if (present === null) return firstBand(score);
  const better = BANDS.slice(0, BANDS.indexOf(present));
  const worse = BANDS.slice(BANDS.indexOf(present) + 1);
  const target = targetFrom(present, score);
  if (capped && worse.includes(target)) return target;

  const targets = [target, ...earlier.slice(0, AGREEING - 1).map((before) => targetFrom(present, before))];
  const agreeOn = (bands: readonly Band[]) =>
    targets.length === AGREEING && targets.every((band) => bands.includes(band));
  // The nearest of those that they lead to.
  if (agreeOn(worse)) return worse.find((band) => targets.includes(band)) ?? present;
  if (agreeOn(better)) return better.findLast((band) => targets.includes(band)) ?? present;
  return present;
}
