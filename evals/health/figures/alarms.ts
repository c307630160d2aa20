/** Counts false alarms: alarms about accounts that, by the truth of the simulation, are not in decline. */
import type { ItemKind } from "../../../src/core/inbox/model.ts";
import type { ObservedAccount, ObservedWorkspace, SeenItem } from "../observed.ts";
import type { Scenario } from "../../simulator/model.ts";
import { countBy, ratio } from "./statistics.ts";

/** Kinds of items that report a decline. */
export const ALARM_KINDS: ReadonlySet<ItemKind> = new Set([
  "usage_drop",
  "slow_decline",
  "gone_silent",
  "key_user_quiet",
  "feature_dropped",
  "health_dropped",
]);

const DAYS_PER_MONTH = 30;

export const isAlarm = ({ kind }: SeenItem): boolean => ALARM_KINDS.has(kind);

/** Counts the false alarms of the service. */
export function falseAlarms(workspaces: readonly ObservedWorkspace[]) {
  return summed(workspaces, (account) =>
    account.items.filter((item) => isAlarm(item) && item.seenDay < calmUntil(account)).map(({ kind }) => kind),
  );
}

/**
 * Counts the false alarms of a naive rule: the last 7 days have at most 60 % of the user-days of the 7 days before. An
 * alarm is a day on which the rule applies and did not apply the day before.
 */
export function naiveFalseAlarms(workspaces: readonly ObservedWorkspace[]) {
  return summed(workspaces, (account, days) => {
    const alarms: string[] = [];
    let holds = false;
    for (let day = account.truth.firstDay + 13; day < Math.min(days, calmUntil(account)); day += 1) {
      const before = sum(account.userDays, day - 13, day - 7);
      const now = before > 0 && sum(account.userDays, day - 6, day) <= 0.6 * before;
      if (now && !holds) alarms.push("naive");
      holds = now;
    }
    return alarms;
  });
}

export const accountMonths = (accountDays: number): number => accountDays / DAYS_PER_MONTH;

/** Counts the days on which an account is present and not in decline. */
const calmDays = (account: ObservedAccount, days: number): number =>
  Math.max(0, Math.min(days, calmUntil(account)) - account.truth.firstDay);

const calmUntil = ({ truth }: ObservedAccount): number => truth.declineDay ?? truth.churnDay ?? Infinity;

interface AlarmedAccount {
  scenario: Scenario;
  alarms: readonly string[];
  months: number;
}

function summed(
  workspaces: readonly ObservedWorkspace[],
  alarmsOf: (account: ObservedAccount, days: number) => string[],
): ReturnType<typeof total> & { byScenario: Record<string, ReturnType<typeof total>> } {
  const all = workspaces.flatMap(({ accounts, days }) =>
    accounts.map((account): AlarmedAccount => ({
      scenario: account.truth.scenario,
      alarms: alarmsOf(account, days),
      months: accountMonths(calmDays(account, days)),
    })),
  );
  const byScenario = [...Map.groupBy(all, ({ scenario }) => scenario)].map(
    ([scenario, of]) => [scenario, total(of)] as const,
  );
  return { ...total(all), byScenario: Object.fromEntries(byScenario) };
}

function total(all: readonly AlarmedAccount[]) {
  const alarms = all.flatMap((account) => account.alarms);
  const months = all.reduce((before, account) => before + account.months, 0);
  return {
    count: alarms.length,
    accountMonths: months,
    perAccountMonth: ratio(alarms.length, months),
    byKind: countBy(alarms),
  };
}

function sum(values: readonly number[], from: number, to: number): number {
  return values.slice(Math.max(0, from), to + 1).reduce((before, value) => before + value, 0);
}
