/** What a shared holiday or an outage of the sender made of accounts that are doing well. */
import type { ObservedWorkspace, SeenItem } from "../observed.ts";
import type { Disturbance } from "../../simulator/model.ts";
import { isAlarm } from "./alarms.ts";
import { countBy, ratio } from "./counting.ts";

export interface DisturbanceAlarms {
  disturbances: number;
  accounts: number;
  /** Accounts with an alarm where the same workspace without the disturbance has none. */
  alarmed: number;
  /** And the other way round. What takes days away changes by chance which accounts look like a decline. */
  spared: number;
  share: number | null;
  byKind: Record<string, number>;
  /** The accounts, to look into. */
  which: string[];
}

/** @param aftermath so many days after it; at most the four weeks that were observed */
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

/** Outages that were told of as such while they lasted. */
export function outagesTold(workspaces: readonly ObservedWorkspace[]): number {
  return workspaces.reduce((told, { items, disturbances }) => {
    const seen = disturbances.filter(({ kind, days: [first, last] }) => {
      const inTime = items.some(
        (item) => item.kind === "tracking_stopped" && item.seenDay >= first && item.seenDay <= last,
      );
      return kind === "outage" && inTime;
    });
    return told + seen.length;
  }, 0);
}

/** Alarms up to a day, on accounts that have none at all in the other case. */
function alarmsOnlyIn(items: readonly SeenItem[], others: readonly SeenItem[], until: number): SeenItem[] {
  const anyway = new Set(others.filter(isAlarm).map(({ account }) => account));
  return items.filter((item) => isAlarm(item) && item.seenDay <= until && !anyway.has(item.account));
}
