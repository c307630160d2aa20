/** Counts the alarms that a shared holiday or an outage of the sender causes on accounts that are not in decline. */
import type { ObservedWorkspace, SeenItem } from "../observed.ts";
import type { Disturbance } from "../../simulator/model.ts";
import { isAlarm } from "./alarms.ts";
import { countBy, ratio } from "./statistics.ts";

/** @param aftermath days after the disturbance that count; at most the four weeks that were observed */
export function disturbanceAlarms(workspaces: readonly ObservedWorkspace[], kind: Disturbance["kind"], aftermath = 28) {
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
    /** Accounts that have an alarm, and none in the same workspace without the disturbance. */
    alarmed: count,
    /** The reverse. Removing days randomly changes which accounts seem to decline. */
    spared: spared.length,
    share: ratio(count, accounts),
    byKind: countBy(alarmed.map((alarm) => alarm.kind)),
    /** The alarmed accounts, to investigate. */
    which: alarmed.map((alarm) => `${alarm.seed}/${alarm.account ?? ""} (${alarm.kind} on day ${alarm.seenDay})`),
  };
}

/** Counts outages that were reported as such while they lasted. */
export function outagesReported(workspaces: readonly ObservedWorkspace[]): number {
  return workspaces.reduce((count, { items, disturbances }) => {
    const seen = disturbances.filter(({ kind, days: [first, last] }) => {
      const inTime = items.some(
        (item) => item.kind === "tracking_stopped" && item.seenDay >= first && item.seenDay <= last,
      );
      return kind === "outage" && inTime;
    });
    return count + seen.length;
  }, 0);
}

/** Returns alarms up to a day, on accounts that have none in the other run. */
function alarmsOnlyIn(items: readonly SeenItem[], others: readonly SeenItem[], until: number): SeenItem[] {
  const anyway = new Set(others.filter(isAlarm).map(({ account }) => account));
  return items.filter((item) => isAlarm(item) && item.seenDay <= until && !anyway.has(item.account));
}
