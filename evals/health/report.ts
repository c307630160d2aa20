/** Computes all figures from the observed outcomes. */
import { falseAlarms, naiveFalseAlarms } from "./figures/alarms.ts";
import { disturbanceAlarms, outagesReported } from "./figures/disturbances.ts";
import { learnedBefore } from "./figures/learned.ts";
import { isCustomer, oracleBefore, rankingBefore, rankingOfTrials, rankingWithin } from "./figures/ranking.ts";
import { convertingTrialsWarned, DECLINES, growthSeen, recallOf } from "./figures/recall.ts";
import { healthyBelowHalf, healthyShare, openItems, stateFlips } from "./figures/states.ts";
import type { ObservedShuffle, ObservedWorkspace } from "./observed.ts";

/** User-days a week from which most declines have to be caught. */
const HIGH_USAGE = 40;

/**
 * A rule that mistakes an outage for silence shows while the outage lasts, or once the sender is back. Later effects of
 * the missing days are random: about as many accounts lose an alarm as get one.
 */
const OUTAGE_AFTERMATH_DAYS = 2;

export type Report = ReturnType<typeof reportOf>;

export function reportOf(workspaces: readonly ObservedWorkspace[], shuffle: ObservedShuffle) {
  return {
    workspaces: workspaces.length,
    accounts: workspaces.reduce((sum, { accounts }) => sum + accounts.length, 0),
    falseAlarms: falseAlarms(workspaces),
    naive: naiveFalseAlarms(workspaces),
    holiday: disturbanceAlarms(workspaces, "holiday"),
    outage: disturbanceAlarms(workspaces, "outage", OUTAGE_AFTERMATH_DAYS),
    outageAftermath: disturbanceAlarms(workspaces, "outage"),
    outagesReported: outagesReported(workspaces),
    recall: Object.fromEntries(DECLINES.map((scenario) => [scenario, recallOf(workspaces, scenario)])),
    highUsage: {
      cliff: recallOf(workspaces, "cliff", HIGH_USAGE),
      slow_decline: recallOf(workspaces, "slow_decline", HIGH_USAGE),
    },
    growth: growthSeen(workspaces),
    convertingTrials: convertingTrialsWarned(workspaces),
    ranking: {
      before30: rankingBefore(workspaces, 30),
      customers30: rankingBefore(workspaces, 30, isCustomer, () => true),
      customers: [30, 14, 7].map((days) => ({ days, ...rankingBefore(workspaces, days, isCustomer) })),
      oracle: oracleBefore(workspaces, 30),
      learned: learnedBefore(workspaces, 30),
      trials: [30, 14].flatMap((length) =>
        [7, 3].map((days) => ({ length, days, ...rankingOfTrials(workspaces, days, length) })),
      ),
      within30: rankingWithin(workspaces, 30),
      before60: rankingBefore(workspaces, 60),
    },
    stateFlips: { all: stateFlips(workspaces), calm: stateFlips(workspaces, ({ truth }) => truth.declineDay === null) },
    calmHealthy: healthyShare(workspaces),
    openItemsPer100Accounts: openItems(workspaces),
    belowHalf: healthyBelowHalf(workspaces),
    rerunSame: workspaces.every(({ rerunSame }) => rerunSame),
    shuffle,
  };
}
