/**
 * Finds problems that an average would hide, and the highest score that each one allows (docs/health.md §11.8). An
 * account that has lost half its usage is never healthy, however good the rest is.
 */
import { lastCountedDays } from "./business-days.ts";
import type { AccountMeasures } from "./measures.ts";
import { type Cap, CAPS, type Comparison, type Day, type Silence, type UsageComparison } from "./model.ts";
import { round2 } from "./components.ts";

const MAX_SCORE = 100;
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
/** An account with a problem that somebody has to solve is not healthy. */
const NOT_HEALTHY_LIMIT = 64;
const TRIAL_OVER_DAYS = 1;
/** The limit rises from this one to 100 in the course of a trial. */
const UNPROVEN_LIMIT = 70;
const FADING_POINTS = 100;
const DECLINING_POINTS = 120;
/** The decline may still be chance. So it ranks an account lower, but a healthy one stays healthy. */
const DECLINING_LIMIT = 65;
const SINGLE_USER_LIMIT = 85;
const KEY_USER_LIMIT = 60;

/** A drop is confirmed on this many counted days in a row. */
const CONFIRMED_DROP_DAYS = 3;

interface ScoreLimit extends Comparison {
  readonly limit: number;
}

interface AppliedCap extends ScoreLimit {
  readonly cap: Cap;
}

/** These are estimates from little data, so a change for the worse needs three evaluations as without a cap. */
const ESTIMATES: ReadonlySet<Cap> = new Set(["trial_unproven", "trial_fading", "declining", "single_user"]);
export const isConfirmed = ({ cap }: Pick<AppliedCap, "cap">): boolean => !ESTIMATES.has(cap);

/** Returns the trend of `day` if it and the trends of the two counted days before are drops. */
export function confirmedDrop(measures: AccountMeasures, day: Day): UsageComparison | null {
  const days = lastCountedDays(measures.context(day).outages, day, CONFIRMED_DROP_DAYS);
  return days.every((each) => measures.drop(each) !== null) ? measures.drop(day) : null;
}

const FINDERS: Readonly<Record<Cap, (measures: AccountMeasures, day: Day) => ScoreLimit | null>> = {
  silent: (measures, day) => {
    const silence = measures.silence(day);
    return silence?.silent === true ? absence(SILENT_LIMIT, silence, day) : null;
  },
  confirmed_drop: (measures, day) => {
    const drop = confirmedDrop(measures, day);
    return drop && limited(drop.ratio <= STEEP_DROP_RATIO ? STEEP_DROP_LIMIT : DROP_LIMIT, drop);
  },
  below_own_best: (measures, day) => {
    const best = measures.ownBest(day);
    if (best === null || (best.ratio > HALF && best.z > BELOW_OWN_BEST_Z)) return null;
    return limited(MAX_SCORE - OWN_BEST_POINTS * (1 - best.ratio), best);
  },
  contraction: (measures, day) => {
    const [contraction] = measures.contractions(day);
    return contraction === undefined ? null : limited(NOT_HEALTHY_LIMIT, contraction);
  },
  trial_over: (measures, day) => {
    const trial = measures.trial(day);
    const since = trial === null ? 0 : Math.floor(trial.observed - trial.expected);
    if (since < TRIAL_OVER_DAYS) return null;
    return { limit: NOT_HEALTHY_LIMIT, observed: since, expected: 0, window: { from: day - since, to: day } };
  },
  feature_dropped: (measures, day) => {
    const [feature] = measures.droppedFeatures(day);
    if (feature === undefined) return null;
    return {
      limit: NOT_HEALTHY_LIMIT,
      observed: 0,
      expected: feature.days,
      window: { from: feature.lastDay, to: day },
    };
  },
  trial_unproven: (measures, day) => {
    const trial = measures.trial(day);
    return trial && limited(UNPROVEN_LIMIT + (MAX_SCORE - UNPROVEN_LIMIT) * trial.elapsed, trial);
  },
  trial_fading: (measures, day) => {
    const week = measures.trial(day) === null ? null : measures.bestWeek(day);
    return week && limited(MAX_SCORE - FADING_POINTS * (1 - likely(week)), week);
  },
  declining: (measures, day) => {
    if (measures.trial(day) !== null) return null;
    const found = [measures.ownBest(day), measures.week(day)].filter((usage) => usage !== null);
    const lowest = found.toSorted((a, b) => likely(a) - likely(b))[0];
    if (lowest === undefined) return null;
    return limited(Math.max(DECLINING_LIMIT, MAX_SCORE - DECLINING_POINTS * (1 - likely(lowest))), lowest);
  },
  single_user: (measures, day) => {
    const users = measures.singleUser(day);
    return users && limited(SINGLE_USER_LIMIT, users);
  },
  key_user_quiet: (measures, day) => {
    const [user] = measures.keyUsers(day);
    return user === undefined ? null : absence(KEY_USER_LIMIT, user.silence, day);
  },
};

/** Returns the caps of a day that may lower a score, in the order of `CAPS`. */
export function capsAt(measures: AccountMeasures, day: Day): readonly AppliedCap[] {
  return CAPS.flatMap((cap) => {
    const finding = FINDERS[cap](measures, day);
    return finding === null || finding.limit >= MAX_SCORE ? [] : { cap, ...finding };
  });
}

const limited = (limit: number, { observed, expected, window }: Comparison): ScoreLimit => ({
  limit: round2(limit),
  observed,
  expected,
  window,
});

const absence = (limit: number, { gap, threshold, lastDay }: Silence, day: Day): ScoreLimit => ({
  limit,
  observed: gap,
  expected: threshold,
  window: { from: lastDay, to: day },
});

/** Returns the ratio plus its standard error, which is √(φ / expected), at most 1: what chance may have hidden. */
const likely = ({ ratio, z }: UsageComparison): number => (ratio >= 1 ? 1 : Math.min(1, ratio + (ratio - 1) / z));
