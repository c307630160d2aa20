/** Measures how stable the states are, how full the inbox is, and whether accounts that lost half their usage are healthy. */
import { BANDS, type HealthState } from "../../../src/core/health/model.ts";
import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import { within } from "../../simulator/disturbances.ts";
import { accountMonths } from "./alarms.ts";
import { ratio } from "./statistics.ts";

const WINDOW_DAYS = 28;
const BEST_DAYS = 182;
/** Accounts whose best month has fewer user-days are left out. */
const MIN_BEST = 20;

/** Returns changes between healthy, watch and at risk per account-month in one of these states. */
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

/** Returns the share of the days of accounts that are not in decline, and have a score, on which they are healthy. */
export function healthyShare(workspaces: readonly ObservedWorkspace[]): number | null {
  const days = workspaces.flatMap(({ accounts }) =>
    accounts.flatMap(({ truth, health }) =>
      health.filter(({ day, state }) => isBand(state) && day < (truth.declineDay ?? truth.churnDay ?? Infinity)),
    ),
  );
  return ratio(days.filter(({ state }) => state === "healthy").length, days.length);
}

/** Returns the average number of open items per 100 present accounts. */
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

/**
 * Finds accounts that were healthy on a day with at most half the user-days of their own best 28 days of 26 weeks, by
 * the simulation's own count. Days of outages are left out, and so are four weeks after a disturbance, when half of the
 * best has no clear meaning.
 */
export function healthyBelowHalf(workspaces: readonly ObservedWorkspace[]) {
  const bad = workspaces.flatMap((workspace) => {
    const { disturbances, factors } = workspace;
    const counted = (day: number) => !disturbances.some(({ kind, days }) => kind === "outage" && within(day, days));
    const comparable = (day: number) =>
      !disturbances.some(({ days: [first, last] }) => within(day, [first, last + WINDOW_DAYS]));
    return workspace.accounts.flatMap(({ id, userDays, health }) => {
      const shares = sharesOfBest(userDays.map((count, day) => ({ day, count })).filter(({ day }) => counted(day)));
      return health.flatMap(({ day, state }) => {
        const share = state === "healthy" && comparable(day) ? shares.get(day) : undefined;
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
    /** The lowest share of their best. */
    lowest: bad.length === 0 ? null : Math.min(...bad.map(({ share }) => share)),
    /** How many were even below half of their best times the workspace's factor, which the rules use. */
    belowFactor: new Set(bad.filter(({ belowFactor }) => belowFactor).map(({ name }) => name)).size,
    healthyDays: rows.filter(({ state }) => state === "healthy").length,
  };
}

/** Returns the last 28 days as a share of the best 28, by day. */
function sharesOfBest(days: readonly { day: number; count: number }[]): Map<number, number> {
  const sums: number[] = [];
  let sum = 0;
  return new Map(
    days.flatMap(({ day, count }, index) => {
      sum += count - (days[index - WINDOW_DAYS]?.count ?? 0);
      sums.push(sum);
      const best = Math.max(...sums.slice(Math.max(0, index - (BEST_DAYS - WINDOW_DAYS))));
      return best >= MIN_BEST ? [[day, sum / best] as const] : [];
    }),
  );
}

const isBand = (state: HealthState): boolean => BANDS.some((band) => band === state);
