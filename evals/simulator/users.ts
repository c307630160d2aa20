/**
 * Creates the users of an account, and the features that they use.
 *
 * How often people use a product is about log-normal and differs by orders of magnitude, both between companies and
 * within one. So does the size of companies. People take about 20 working days of vacation a year, in whole weeks, which
 * makes a small, steady account look like one in decline. Nobody is replaced: with turnover, people would disagree about
 * which alarms are false.
 */
import type { DayRange, UserPlan } from "./model.ts";
import { between, chance, logNormal, poisson, type Random, wholeBetween } from "./random.ts";

/** Features of a product, with the share of accounts that have adopted each. */
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

const DAYS_BETWEEN_VACATIONS = 120;

export function companySize(random: Random, median: number, least = 2): number {
  for (;;) {
    const size = Math.round(logNormal(random, median, 1));
    if (size >= least && size <= MAX_USERS) return size;
  }
}

/** Creates users who are there from the beginning. */
export function drawUsers(random: Random, account: string, count: number, days: number): UserPlan[] {
  const typicalRate = logNormal(random, 0.55, 0.5);
  const adopted = adoptedFeatures(random);
  return Array.from({ length: count }, (_, index) => ({
    id: `${account}-u${index + 1}`,
    // The probability of at least one use, if their number is Poisson.
    rate: 1 - Math.exp(-logNormal(random, typicalRate, 0.8)),
    features: usedFeatures(random, adopted),
    joins: -Infinity,
    leaves: Infinity,
    away: drawVacations(random, days),
  }));
}

function adoptedFeatures(random: Random): boolean[] {
  for (;;) {
    const adopted = FEATURES.map(([, popularity]) => chance(random, popularity));
    if (adopted.filter(Boolean).length >= 2) return adopted;
  }
}

/** Picks some of the features that the company has adopted, popular ones first. */
function usedFeatures(random: Random, adopted: readonly boolean[]): number[] {
  for (;;) {
    const used = FEATURES.map(([, popularity], feature) =>
      adopted[feature] === true && chance(random, 0.3 + 0.6 * popularity) ? popularity * between(random, 0.3, 1) : 0,
    );
    if (used.some((weight) => weight > 0)) return used;
  }
}

/** Each vacation runs from a Monday to the Sunday of the same week or, in 40 % of cases, of the next. */
function drawVacations(random: Random, days: number): DayRange[] {
  return Array.from({ length: poisson(random, days / DAYS_BETWEEN_VACATIONS) }, () => {
    const monday = 7 * wholeBetween(random, 0, Math.floor(days / 7));
    return [monday, monday + (chance(random, 0.4) ? 13 : 6)] as const;
  });
}
