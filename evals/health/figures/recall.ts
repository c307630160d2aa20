/** Measures which declines are caught, how long after they began, and how long before the contract ends. */
import type { ItemKind } from "../../../src/core/inbox/model.ts";
import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import type { Scenario } from "../../simulator/model.ts";
import { ALARM_KINDS } from "./alarms.ts";
import { countBy, median, ratio } from "./statistics.ts";

export const DECLINES = ["cliff", "slow_decline", "champion_gone", "trial_dies"] as const satisfies Scenario[];

/** A decline is caught if an alarm opens at most this long after usage reached its final level. */
const CATCH_DAYS = 28;
const BASELINE_DAYS = 56;
const TRIAL_KINDS: ReadonlySet<ItemKind> = new Set(["trial_ending_low_activity", "never_activated"]);

export type Recall = ReturnType<typeof recallOf>;

/** @param leastWeekly user-days a week that an account must have before it declines */
export function recallOf(workspaces: readonly ObservedWorkspace[], scenario: Scenario, leastWeekly = 0) {
  const declines = workspaces.flatMap(({ accounts, days }) =>
    accounts.flatMap((account) => {
      const until = catchUntil(account);
      const counts = account.truth.scenario === scenario && until < days && weeklyBefore(account) >= leastWeekly;
      return counts ? { account, first: firstAlarm(account, until) } : [];
    }),
  );
  const caught = declines.flatMap(({ account, first }) => (first === undefined ? [] : { truth: account.truth, first }));
  return {
    declines: declines.length,
    caught: caught.length,
    share: ratio(caught.length, declines.length),
    /** Days from the beginning of a caught decline to its first alarm. */
    medianLag: median(caught.map(({ truth, first }) => first.seenDay - (truth.declineDay ?? 0))),
    /** Days from the first alarm to the end of the contract. */
    medianLead: median(
      caught.flatMap(({ truth, first }) => (truth.churnDay === null ? [] : truth.churnDay - first.seenDay)),
    ),
    /** Kinds of the first alarms. */
    byKind: countBy(caught.map(({ first }) => first.kind)),
  };
}

/** Counts growing accounts, and those with a growth item. */
export function growthSeen(workspaces: readonly ObservedWorkspace[]): { accounts: number; seen: number } {
  const growing = workspaces.flatMap(({ accounts }) => accounts.filter(({ truth }) => truth.growthDay !== null));
  const seen = growing.filter(({ truth, items }) =>
    items.some(({ kind, seenDay }) => kind === "usage_growth" && seenDay >= (truth.growthDay ?? 0)),
  );
  return { accounts: growing.length, seen: seen.length };
}

/** Counts trials that converted, and those that were reported as ending with low activity. */
export function convertingTrialsWarned(workspaces: readonly ObservedWorkspace[]): { accounts: number; warned: number } {
  const trials = workspaces.flatMap(({ accounts }) =>
    accounts.filter(({ truth }) => truth.scenario === "trial_converts"),
  );
  const warned = trials.filter(({ items }) => items.some(({ kind }) => kind === "trial_ending_low_activity"));
  return { accounts: trials.length, warned: warned.length };
}

/** Returns the last day on which an alarm is in time: for a trial the day of its end, and never after the contract. */
function catchUntil({ truth }: ObservedAccount): number {
  const late = truth.trialEndDay ?? (truth.declinedDay ?? 0) + CATCH_DAYS;
  return truth.churnDay === null ? late : Math.min(late, truth.churnDay - 1);
}

const firstAlarm = ({ truth, items }: ObservedAccount, until: number) =>
  items
    .filter(({ kind }) => ALARM_KINDS.has(kind) || (truth.trialEndDay !== null && TRIAL_KINDS.has(kind)))
    .toSorted((one, other) => one.seenDay - other.seenDay)
    .find(({ seenDay }) => seenDay >= (truth.declineDay ?? 0) && seenDay <= until);

/** Returns user-days a week before the decline. */
function weeklyBefore({ truth, userDays }: ObservedAccount): number {
  const end = truth.declineDay ?? 0;
  const before = userDays.slice(Math.max(truth.firstDay, end - BASELINE_DAYS), end);
  return before.length === 0 ? 0 : (7 * before.reduce((sum, count) => sum + count, 0)) / before.length;
}
