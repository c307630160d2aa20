/**
 * The people of an account, and what they use.
 *
 * How often people use a product differs by orders of magnitude and is about log-normal, both between companies and
 * within one; so is the size of companies. People take leave, about 20 working days a year, in whole weeks: the one
 * thing that makes a small and steady account look like one in decline. Nobody is replaced: turnover would make it a
 * matter of opinion which alarms are false.
 */
import type { Stretch, UserPlan } from "./model.ts";
import { between, chance, logNormal, poisson, type Random, wholeBetween } from "./random.ts";

/** Features of a product, and the share of its accounts that have taken each up. */
export const FEATURES = [
  ["report.viewed", 0.95],
  ["dashboard.opened", 0.85],
  ["record.edited", 0.7],
  ["comment.added", 0.55],
  ["report.exported", 0.45],
  ["alert.created", 0.35],
  ["integration.synced", 0.25],
  ["api.called", 0.15],
] as const;

export const MAX_USERS = 100;

const DAYS_BETWEEN_LEAVES = 120;

export function companySize(random: Random, median: number, least = 2): number {
  for (;;) {
    const size = Math.round(logNormal(random, median, 1));
    if (size >= least && size <= MAX_USERS) return size;
  }
}

/** So many users of one account, all of them there from the beginning. */
export function drawUsers(random: Random, account: string, count: number, days: number): UserPlan[] {
  const typicalRate = logNormal(random, 0.55, 0.5);
  const adopted = adoptedFeatures(random);
  return Array.from({ length: count }, (_, place) => ({
    id: `${account}-u${place + 1}`,
    // Of a Poisson number of uses, the chance of at least one.
    rate: 1 - Math.exp(-logNormal(random, typicalRate, 0.8)),
    features: usedFeatures(random, adopted),
    joins: -Infinity,
    leaves: Infinity,
    away: drawLeaves(random, days),
  }));
}

function adoptedFeatures(random: Random): boolean[] {
  for (;;) {
    const adopted = FEATURES.map(([, popularity]) => chance(random, popularity));
    if (adopted.filter(Boolean).length >= 2) return adopted;
  }
}

/** A user takes to some of what the company has taken up, the popular things first. */
function usedFeatures(random: Random, adopted: readonly boolean[]): number[] {
  for (;;) {
    const used = FEATURES.map(([, popularity], feature) =>
      adopted[feature] === true && chance(random, 0.3 + 0.6 * popularity) ? popularity * between(random, 0.3, 1) : 0,
    );
    if (used.some((weight) => weight > 0)) return used;
  }
}

/** From a Monday to the Sunday of the same week or, two times in five, the next. */
function drawLeaves(random: Random, days: number): Stretch[] {
  return Array.from({ length: poisson(random, days / DAYS_BETWEEN_LEAVES) }, () => {
    const monday = 7 * wholeBetween(random, 0, Math.floor(days / 7));
    return [monday, monday + (chance(random, 0.4) ? 13 : 6)] as const;
  });
}
