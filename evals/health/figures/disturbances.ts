/** Counts the alarms that a shared holiday or an outage causes on accounts that are doing well. */
import type { ObservedWorkspace, SeenItem } from "../observed.ts";
import type { Disturbance } from "../workspace/model.ts";
import { isAlarm } from "./alarms.ts";
import { countBy, ratio } from "./counting.ts";

export interface DisturbanceAlarms {
  disturbances: number;
  accounts: number;
  /** Accounts with an alarm that they do not have in the same workspace without the disturbance. */
  alarmed: number;
  /** Accounts that have an alarm only without the disturbance. Missing days change by chance which accounts seem to decline. */
  spared: number;
  share: number | null;
  byKind: Record<string, number>;
  /** The accounts, for inspection. */
  which: string[];
}

/** @param aftermath how many days after the disturbance count; at most the four weeks that were observed */
export function disturbanceAlarms(
  workspaces: readonly ObservedWorkspace[],
  kind: Disturbance["kind"],
  aftermath = 28,
): DisturbanceAlarms {
  const all = workspaces.flatMap(({ seed, disturbances }) =>
    disturbances.filter((disturbance) => disturbance.kind === kind).map((disturbance) => ({ seed, disturbance })),
  );
  const alarmed = all.flatMap(({ seed, disturbance: { days, items, itemsWithout } }) =>
    alarmsOnlyIn(items, itemsWithout, days[1] + aftermath).map((item) => ({ ...item, seed })),
  );
  const spared = all.flatMap(({ disturbance: { days, items, itemsWithout } }) => [
    ...new Set(alarmsOnlyIn(itemsWithout, items, days[1] + aftermath).map(({ account }) => account)),
  ]);
  const accounts = all.reduce((sum, { disturbance }) => sum + disturbance.accounts.length, 0);
  const count = new Set(alarmed.map(({ seed, account }) => `${seed}/${account ?? ""}`)).size;
  return {
    disturbances: all.length,
    accounts,
    alarmed: count,
    spared: spared.length,
    share: ratio(count, accounts),
    byKind: countBy(alarmed.map((alarm) => alarm.kind)),
    which: alarmed.map((alarm) => `${alarm.seed}/${alarm.account ?? ""} (${alarm.kind} on day ${alarm.seenDay})`),
  };
}

/** Counts the outages that were reported as such while they lasted. */
export function outagesTold(workspaces: readonly ObservedWorkspace[]): number {
  return workspaces.reduce((reported, { items, disturbances }) => {
    const seen = disturbances.filter(({ kind, days: [first, last] }) => {
      const inTime = items.some(
        (item) => item.kind === "tracking_stopped" && item.seenDay >= first && item.seenDay <= last,
      );
      return kind === "outage" && inTime;
    });
    return reported + seen.length;
  }, 0);
}

/** Returns the alarms up to a day on accounts without any alarm in the other case. */
function alarmsOnlyIn(items: readonly SeenItem[], others: readonly SeenItem[], until: number): SeenItem[] {
  const anyway = new Set(others.filter(isAlarm).map(({ account }) => account));
  return items.filter((item) => isAlarm(item) && item.seenDay <= until && !anyway.has(item.account));
}
