/**
 * Computes the five components of a score (docs/health.md §11.2 to §11.6), each from 0 to 100. `null` means there is not
 * enough data.
 *
 * The units of observed and expected: business days (recency), active days (frequency), users (breadth), core features
 * (depth) and user-days (trend).
 */
import { DAY_MS } from "../durations.ts";
import type {
  AttributeValues,
  Component,
  ComponentValue,
  Day,
  Silence,
  Stage,
  UsageComparison,
  Window,
} from "./model.ts";

export const WEIGHTS: Readonly<Record<Exclude<Stage, "churned">, Readonly<Record<Component, number>>>> = {
  active: { recency: 25, frequency: 15, breadth: 25, depth: 15, trend: 20 },
  trial: { recency: 25, frequency: 0, breadth: 25, depth: 35, trend: 15 },
};

export type ComponentScore = Omit<ComponentValue, "component">;

/** A gap up to half the threshold is usual: the threshold is at least twice the longest earlier gap. */
const USUAL_SHARE = 0.5;

export function scoreRecency(silence: Silence, day: Day): ComponentScore {
  const { gap, threshold, lastDay } = silence;
  const usual = threshold * USUAL_SHARE;
  const score = Math.min(Math.max((100 * (threshold - gap)) / (threshold - usual), 0), 100);
  return { score, observed: gap, expected: threshold, window: { from: lastDay, to: day } };
}

/** Scores the observed share of what is expected: frequency, breadth and depth. */
export function scoreShare(observed: number, expected: number, window: Window): ComponentScore {
  return { score: Math.min((100 * observed) / expected, 100), observed, expected, window };
}

/** The share of seats that should be in use, by tenure in days. */
const BREADTH_TARGETS = [
  { before: 60, target: 0.3 },
  { before: 180, target: 0.5 },
  { before: 270, target: 0.65 },
  { before: Infinity, target: 0.75 },
] as const;

/**
 * Returns how many users should be active; `null` if nobody could be.
 *
 * @param possibleUsers the seats, or the users seen in 90 days if the seats are unknown
 */
export function expectedUsers(possibleUsers: number, tenure: number): number | null {
  const target = BREADTH_TARGETS.find(({ before }) => tenure < before)?.target ?? 1;
  return possibleUsers === 0 ? null : possibleUsers * target;
}

/** More core features than this are not expected. */
const MAX_EXPECTED_FEATURES = 4;
const MIN_CORE_FEATURES = 2;

/**
 * Returns how many core features an account should use; `null` if the workspace has too few core features.
 *
 * @param elapsed the share of the trial that has passed, 0 to 1; 1 for a customer
 */
export function expectedFeatures(coreFeatures: number, elapsed: number): number | null {
  if (coreFeatures < MIN_CORE_FEATURES) return null;
  return Math.max(1, Math.ceil(Math.min(MAX_EXPECTED_FEATURES, coreFeatures) * elapsed));
}

/** Returns the share of a trial that has passed at the end of `day`, 0 to 1; 1 if its end is unknown or invalid. */
export function elapsedShare({ trialEndsAt }: AttributeValues, firstDay: Day, day: Day): number {
  const start = firstDay * DAY_MS;
  const end = trialEndsAt === undefined ? Number.NaN : Date.parse(trialEndsAt);
  return end > start ? Math.min(Math.max(((day + 1) * DAY_MS - start) / (end - start), 0), 1) : 1;
}

/** Scores at ratios of observed to expected. Between them the score is linear. */
const TREND_SCORES = [
  { ratio: 0.25, score: 0 },
  { ratio: 0.6, score: 35 },
  { ratio: 1, score: 80 },
  { ratio: 1.25, score: 100 },
] as const;

export function scoreTrend({ observed, expected, ratio, window }: UsageComparison): ComponentScore {
  return { score: interpolatedTrendScore(ratio), observed, expected, window };
}

function interpolatedTrendScore(ratio: number): number {
  let below: (typeof TREND_SCORES)[number] = TREND_SCORES[0];
  for (const point of TREND_SCORES) {
    if (ratio <= point.ratio) {
      const share = point === below ? 0 : (ratio - below.ratio) / (point.ratio - below.ratio);
      return below.score + share * (point.score - below.score);
    }
    below = point;
  }
  return below.score;
}

/** Rounds points to hundredths. */
export function round2(points: number): number {
  return Math.round(points * 100) / 100;
}
