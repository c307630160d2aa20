/**
 * Measures whether the score ranks accounts that will end their contract below the others, some days before they do.
 * Each is compared with the accounts of its workspace that have a score on the same day and stay longer.
 *
 * Every contract here ends after a visible decline, because no usage rule could predict another end. But the decline
 * often begins later than the day of comparison.
 */
import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import { ratio, standardError } from "./statistics.ts";

export type Ranking = ReturnType<typeof ranked>;

export interface RankedGroup<Score = number> {
  /** `null` if it had none. */
  score: Score | null;
  others: readonly Score[];
}

/** Compares each account that ends with `others`, on one day before its end. By default with its like. */
export function rankingBefore(
  workspaces: readonly ObservedWorkspace[],
  daysBefore: number,
  of: (account: ObservedAccount) => boolean = () => true,
  others = of,
  score = scoreOn,
): Ranking {
  return ranked(comparisonsBefore(workspaces, daysBefore, of, others, score));
}

/** Returns what `rankingBefore` compares. @param score anything to compare, `null` if an account has none on a day */
export function comparisonsBefore<Score>(
  workspaces: readonly ObservedWorkspace[],
  daysBefore: number,
  of: (account: ObservedAccount) => boolean,
  others: (account: ObservedAccount) => boolean,
  score: (account: ObservedAccount, day: number) => Score | null,
): RankedGroup<Score>[] {
  return workspaces.flatMap((workspace) =>
    ending(workspace, of).flatMap(({ account, churnDay }) =>
      comparison(workspace, account, churnDay, churnDay - daysBefore, others, score),
    ),
  );
}

/**
 * Compares trials with trials, all workspaces together, some days before the end of each: those that will be lost with
 * those that will convert.
 *
 * @param length days of the trials to compare
 */
export function rankingOfTrials(workspaces: readonly ObservedWorkspace[], daysBefore: number, length: number): Ranking {
  const trials = workspaces.flatMap(({ accounts, days }) =>
    accounts.flatMap((account) => {
      const { firstDay, trialEndDay, churnDay } = account.truth;
      if (trialEndDay === null || trialEndDay - firstDay !== length || trialEndDay > days) return [];
      return [{ isLost: churnDay !== null, score: scoreOn(account, trialEndDay - daysBefore) }];
    }),
  );
  const others = trials.flatMap(({ isLost, score }) => (isLost || score === null ? [] : score));
  return ranked(trials.filter(({ isLost }) => isLost).map(({ score }) => ({ score, others })));
}

/**
 * Ranks as somebody would who knows which customers are in decline, and nothing else. Not all of them end their contract,
 * so no score can be expected to rank better.
 */
export function oracleBefore(workspaces: readonly ObservedWorkspace[], daysBefore: number): Ranking {
  return rankingBefore(workspaces, daysBefore, isCustomer, isCustomer, ({ truth }, day) =>
    truth.declineDay !== null && truth.declineDay <= day ? 0 : 100,
  );
}

export const isCustomer = ({ truth }: ObservedAccount): boolean => truth.trialEndDay === null;

/** Compares, every 28 days, the accounts that end soon after. */
export function rankingWithin(workspaces: readonly ObservedWorkspace[], withinDays: number): Ranking {
  return ranked(
    workspaces.flatMap((workspace) =>
      ending(workspace).flatMap(({ account, churnDay }) =>
        Array.from({ length: Math.ceil(workspace.days / SNAPSHOT_DAYS) }, (_, index) => index * SNAPSHOT_DAYS)
          .filter((day) => day < churnDay && day >= churnDay - withinDays)
          .flatMap((day) => comparison(workspace, account, day + withinDays, day, () => true, scoreOn)),
      ),
    ),
  );
}

const SNAPSHOT_DAYS = 28;

function ending({ accounts }: ObservedWorkspace, of: (account: ObservedAccount) => boolean = () => true) {
  return accounts.flatMap((account) => {
    const { churnDay } = account.truth;
    return churnDay === null || !of(account) ? [] : { account, churnDay };
  });
}

/** Compares an account with those that stay beyond a day, if the day of comparison is in the simulation. */
function comparison<Score>(
  { accounts, days }: ObservedWorkspace,
  account: ObservedAccount,
  until: number,
  day: number,
  of: (other: ObservedAccount) => boolean,
  score: (account: ObservedAccount, day: number) => Score | null,
): RankedGroup<Score>[] {
  if (day >= days || day < account.truth.firstDay) return [];
  const stayed = accounts.filter((other) => of(other) && (other.truth.churnDay ?? Infinity) > until);
  const others = stayed.map((other) => score(other, day)).filter((found) => found !== null);
  return [{ score: score(account, day), others }];
}

export function ranked(comparisons: readonly RankedGroup[]) {
  const scored = comparisons.flatMap(({ score, others }) =>
    score === null || others.length === 0 ? [] : { score, others },
  );
  const wins = scored.map(({ score, others }) => sum(others.map((other) => win(score, other))) / others.length);
  const lowest = scored.filter(({ score, others }) => {
    const lower = others.filter((other) => other < score).length;
    return lower < (others.length + 1) / 10;
  });
  const share = ratio(lowest.length, scored.length);
  return {
    /** Ended contracts with a score on the day of comparison, and those without. */
    churns: scored.length,
    unscored: comparisons.length - scored.length,
    /** Probability that an account that ends its contract has a lower score than one that stays. */
    auc: ratio(sum(wins), wins.length),
    /** The standard error of the AUC, from the differences between the accounts that end. */
    error: standardError(wins),
    /** How often they are in the tenth with the lowest scores, compared with chance. */
    lift: share === null ? null : share * 10,
  };
}

const scoreOn = ({ health }: ObservedAccount, day: number): number | null =>
  health.find((row) => row.day === day)?.score ?? null;

const win = (score: number, other: number): number => (score < other ? 1 : score === other ? 0.5 : 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
