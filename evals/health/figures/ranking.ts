/**
 * Measures whether the score ranks accounts that will end their contract below the others, some days before they do.
 * Each is compared with the accounts of its workspace that have a score on the same day and stay longer.
 *
 * Every contract here ends after a visible decline, because no usage rule could predict another end. But the decline
 * often begins later than the day of comparison.
 */
import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import { ratio } from "./statistics.ts";

export type Ranking = ReturnType<typeof ranked>;

interface Comparison {
  /** `null` if it had none. */
  score: number | null;
  others: readonly number[];
}

/** Compares each account that ends, on one day before its end. */
export function rankingBefore(
  workspaces: readonly ObservedWorkspace[],
  daysBefore: number,
  of: (account: ObservedAccount) => boolean = () => true,
): Ranking {
  return ranked(
    workspaces.flatMap((workspace) =>
      ending(workspace, of).flatMap(({ account, churnDay }) =>
        comparison(workspace, account, churnDay, churnDay - daysBefore),
      ),
    ),
  );
}

/** Compares, every 28 days, the accounts that end soon after. */
export function rankingWithin(workspaces: readonly ObservedWorkspace[], withinDays: number): Ranking {
  return ranked(
    workspaces.flatMap((workspace) =>
      ending(workspace).flatMap(({ account, churnDay }) =>
        Array.from({ length: Math.ceil(workspace.days / SNAPSHOT_DAYS) }, (_, place) => place * SNAPSHOT_DAYS)
          .filter((day) => day < churnDay && day >= churnDay - withinDays)
          .flatMap((day) => comparison(workspace, account, day + withinDays, day)),
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
function comparison(
  { accounts, days }: ObservedWorkspace,
  account: ObservedAccount,
  until: number,
  day: number,
): Comparison[] {
  if (day >= days || day < account.truth.firstDay) return [];
  const stayed = accounts.filter(({ truth }) => truth.churnDay === null || truth.churnDay > until);
  return [{ score: scoreOn(account, day), others: stayed.flatMap((other) => scoreOn(other, day) ?? []) }];
}

function ranked(comparisons: readonly Comparison[]) {
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
    /** How often they are in the tenth with the lowest scores, compared with chance. */
    lift: share === null ? null : share * 10,
  };
}

const scoreOn = ({ health }: ObservedAccount, day: number): number | null =>
  health.find((row) => row.day === day)?.score ?? null;

const win = (score: number, other: number): number => (score < other ? 1 : score === other ? 0.5 : 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
