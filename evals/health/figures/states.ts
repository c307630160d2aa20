/** Measures how stable the states are, how full the inbox is, and whether an account that lost half its usage is ever healthy. */
import { BANDS, type HealthState } from "../../../src/core/health/model.ts";
import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import { within } from "../workspace/disturbances.ts";
import { accountMonths } from "./alarms.ts";
import { ratio } from "./counting.ts";

const WINDOW_DAYS = 28;
const BEST_DAYS = 182;
/** A smaller best is too small to compare with. */
const MIN_BEST = 20;

/** Returns the changes between healthy, watch and at risk, per account-month in these states. */
export function stateFlips(
  workspaces: readonly ObservedWorkspace[],
  of: (account: ObservedAccount) => boolean = () => true,
): number | null {
  let flips = 0;
  let days = 0;
  for (const { health } of workspaces.flatMap(({ accounts }) => accounts.filter(of))) {
    let last: HealthState | null = null;
    for (const { state } of health) {
      if (!isBand(state)) continue;
      if (last !== null && state !== last) flips += 1;
      last = state;
      days += 1;
    }
  }
  return ratio(flips, accountMonths(days));
}

/** Returns the average number of open items per 100 accounts. */
export function openItems(workspaces: readonly ObservedWorkspace[]): number | null {
  let itemDays = 0;
  let accountDays = 0;
  for (const { accounts, days } of workspaces) {
    for (const { truth, items } of accounts) {
      accountDays += days - truth.firstDay;
      for (const { seenDay, resolvedDay } of items) itemDays += Math.max(0, (resolvedDay ?? days) - seenDay);
    }
  }
  const average = ratio(itemDays, accountDays);
  return average === null ? null : average * 100;
}

export interface HealthyBelowHalf {
  accounts: string[];
  /** The lowest share of its own best among them. */
  lowest: number | null;
  /** How many of them were below half of their best times the workspace factor. */
  belowFactor: number;
  healthyDays: number;
}

/**
 * Finds accounts that were healthy on a day with at most half the user-days of their best 28 days in 26 weeks, by the
 * simulation's own count. It leaves out days of outages. It also skips days with a disturbance in the four weeks before,
 * because half of the best is not well defined then.
 */
export function healthyBelowHalf(workspaces: readonly ObservedWorkspace[]): HealthyBelowHalf {
  const bad = workspaces.flatMap((workspace) => {
    const { disturbances, factors } = workspace;
    const counted = (day: number) => !disturbances.some(({ kind, days }) => kind === "outage" && within(day, days));
    const isCompared = (day: number) =>
      !disturbances.some(({ days: [first, last] }) => within(day, [first, last + WINDOW_DAYS]));
    return workspace.accounts.flatMap(({ id, userDays, health }) => {
      const shares = sharesOfBest(userDays.map((count, day) => ({ day, count })).filter(({ day }) => counted(day)));
      return health.flatMap(({ day, state }) => {
        const share = state === "healthy" && isCompared(day) ? shares.get(day) : undefined;
        if (share === undefined || share > 0.5) return [];
        return { name: `${workspace.seed}/${id}`, day, share, belowFactor: share <= 0.5 * (factors[day] ?? 1) };
      });
    });
  });
  const rows = workspaces.flatMap(({ accounts }) => accounts.flatMap(({ health }) => health));
  return {
    accounts: [...Map.groupBy(bad, ({ name }) => name)].map(
      ([name, days]) => `${name} (${days.length} days from ${days[0]?.day ?? 0})`,
    ),
    lowest: bad.length === 0 ? null : Math.min(...bad.map(({ share }) => share)),
    belowFactor: new Set(bad.filter(({ belowFactor }) => belowFactor).map(({ name }) => name)).size,
    healthyDays: rows.filter(({ state }) => state === "healthy").length,
  };
}

/** Returns, by day, the last 28 days as a share of the best 28. */
function sharesOfBest(days: readonly { day: number; count: number }[]): Map<number, number> {
  const sums: number[] = [];
  let sum = 0;
  return new Map(
    days.flatMap(({ day, count }, place) => {
      sum += count - (days[place - WINDOW_DAYS]?.count ?? 0);
      sums.push(sum);
      const best = Math.max(...sums.slice(Math.max(0, place - (BEST_DAYS - WINDOW_DAYS))));
      return best >= MIN_BEST ? [[day, sum / best] as const] : [];
    }),
  );
}

const isBand = (state: HealthState): boolean => BANDS.some((band) => band === state);
