/**
 * How much an account is used, against what it used to be (docs/health.md §12.2). What a confirmed drop is, is said where
 * it caps the score.
 */
import { confirmedDrop } from "../health/caps.ts";
import { everyDay, type Facts, isOpen, isPast, type Rule, silentAccount, wasSilentWithin } from "./rule.ts";
import { TRIAL_KINDS } from "./trial-rules.ts";

/** An account that was ever active on so many days has been activated, and can fall silent. */
const ACTIVATED_DAYS = 3;
const ACTIVATION_AGE_DAYS = 7;

const BACK_DAYS = 2;
const BACK_BUSINESS_DAYS = 5;

/** What a drop is seen in. */
const DROP_WINDOW_DAYS = 14;
const STEEP_DROP_RATIO = 0.35;
const DROP_OVER_RATIO = 0.8;
const DROP_OVER_DAYS = 3;
const DROP_NEWS_DAYS = 28;

/** What a decline is seen in. */
const DECLINE_WINDOW_DAYS = 28;
/** Counted days in a row. */
const DECLINE_DAYS = 7;
const DECLINE_RATIO = 0.6;
/** The best of many stretches is a lucky one, so it takes more than a drop does to be no chance. */
const DECLINE_Z = -3.5;
const DECLINE_OVER_RATIO = 0.7;
const DECLINE_NEWS_DAYS = 90;
/** For so long a drop tells of a decline too. */
const DROP_TELLS_DAYS = 60;
/** Days that an account's own best is the best of. */
const BEST_DAYS = 182;

const goneSilent: Rule = {
  kind: "gone_silent",
  severity: "high",
  inOutage: "frozen",
  endsWithChurn: true,
  find: ({ measures, day }) => {
    const silence = measures.silence(day);
    if (silence === null || !silence.silent || measures.activeDaysEver(day) < ACTIVATED_DAYS) return [];
    const evidence = [
      { code: "gap_business_days", value: silence.gap, expected: silence.threshold },
      { code: "last_day", value: silence.lastDay },
    ];
    return [{ subject: "", evidence }];
  },
  resolution: (_, { measures, day }) =>
    measures.activeDaysInBusinessDays(day, BACK_BUSINESS_DAYS) >= BACK_DAYS ? "recovered" : null,
};

const neverActivated: Rule = {
  kind: "never_activated",
  severity: "medium",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: ({ items }) => (isOpen(items, TRIAL_KINDS) ? "superseded" : null),
  find: ({ measures, day }) => {
    const age = measures.tenure(day);
    const active = measures.activeDaysEver(day);
    if (age < ACTIVATION_AGE_DAYS || active >= ACTIVATED_DAYS) return [];
    const evidence = [
      { code: "active_days", value: active, expected: ACTIVATED_DAYS },
      { code: "age_days", value: age },
    ];
    return [{ subject: "", evidence }];
  },
  resolution: (_, { measures, day }) => (measures.activeDaysEver(day) >= ACTIVATED_DAYS ? "recovered" : null),
};

const usageDrop: Rule = {
  kind: "usage_drop",
  severity: "high",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: silentAccount,
  find: (facts) => {
    const { measures, day } = facts;
    const drop = confirmedDrop(measures, day);
    if (drop === null) return [];
    const { observed, expected, window, ratio, z } = drop;
    const evidence = [
      { code: "user_days", value: observed, expected, window },
      { code: "z", value: z },
    ];
    const severity = ratio <= STEEP_DROP_RATIO ? "critical" : "high";
    return [{ subject: "", severity, evidence, standing: wasSilentWithin(DROP_WINDOW_DAYS, facts) }];
  },
  resolution: (item, facts) => {
    const { measures, day } = facts;
    const isOver = everyDay(facts, DROP_OVER_DAYS, (each) => (measures.trend(each)?.ratio ?? 0) >= DROP_OVER_RATIO);
    if (isOver) return "recovered";
    return isPast(item, day, DROP_NEWS_DAYS) ? "expired" : null;
  },
};

/** By a drop, or by a decline that has become the new baseline: until then the best is of the time before it. */
function isToldOf({ items, day }: Facts): boolean {
  return items.some(
    ({ kind, openedDay, resolution }) =>
      (kind === "usage_drop" && day - openedDay < DROP_TELLS_DAYS) ||
      (kind === "slow_decline" && resolution === "expired" && day - openedDay < BEST_DAYS),
  );
}

const slowDecline: Rule = {
  kind: "slow_decline",
  severity: "medium",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: silentAccount,
  find: (facts) => {
    const { measures, day } = facts;
    const best = measures.ownBest(day);
    if (best === null) return [];
    const isBelow = everyDay(facts, DECLINE_DAYS, (each) => {
      const found = measures.ownBest(each);
      return found !== null && found.ratio <= DECLINE_RATIO && found.z <= DECLINE_Z;
    });
    if (!isBelow) return [];
    const evidence = [{ code: "user_days", value: best.observed, expected: best.best, window: best.window }];
    return [{ subject: "", evidence, standing: isToldOf(facts) || wasSilentWithin(DECLINE_WINDOW_DAYS, facts) }];
  },
  resolution: (item, { measures, day }) => {
    const best = measures.ownBest(day);
    if (best === null || best.ratio >= DECLINE_OVER_RATIO) return "recovered";
    return isPast(item, day, DECLINE_NEWS_DAYS) ? "expired" : null;
  },
};

/** Silence comes first: it tells of the drop and the decline too. */
export const ACTIVITY_RULES: readonly Rule[] = [goneSilent, neverActivated, usageDrop, slowDecline];
