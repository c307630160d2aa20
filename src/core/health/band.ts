/**
 * The band of a score, with hysteresis: docs/health.md, States. A score near a bound would flip its band from day to
 * day, so leaving one takes a clear score on three evaluations.
 */
import { type Band, BANDS } from "./model.ts";

/** Evaluations that have to agree. */
export const AGREEING = 3;

/** Where an account has none yet. */
function firstBand(score: number): Band {
  if (score >= 70) return "healthy";
  return score < 40 ? "at_risk" : "watch";
}

/** Where a score leads from a band: into the band, and out of it again, at different scores. */
function targetFrom(band: Band, score: number): Band {
  if (band === "healthy" && score >= 65) return "healthy";
  if (band === "at_risk" && score < 45) return "at_risk";
  return firstBand(score);
}

/**
 * @param present `null` where there is none yet
 * @param scores of the latest evaluations, today's first
 * @param capped whether a finding caps the score today: it is confirmed already, and a change for the worse waits no more
 */
export function nextBand(present: Band | null, scores: readonly number[], capped: boolean): Band {
  const [today = 0] = scores;
  if (present === null) return firstBand(today);
  const place = BANDS.indexOf(present);
  const steps = scores.slice(0, AGREEING).map((score) => BANDS.indexOf(targetFrom(present, score)) - place);
  const [first = 0] = steps;
  if (first > 0 && capped) return BANDS[place + first] ?? present;
  if (steps.length < AGREEING) return present;
  const step = first > 0 ? Math.max(0, Math.min(...steps)) : Math.min(0, Math.max(...steps));
  return BANDS[place + step] ?? present;
}
