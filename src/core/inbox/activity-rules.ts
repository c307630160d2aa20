/** Rules about usage compared with the past, key users and core features (docs/inbox.md §12.2). */
import { confirmedDrop } from "../health/caps.ts";
import type { Day, Silence, UsageComparison } from "../health/model.ts";
import type { InboxItem, ItemEvidence } from "./model.ts";
import { comparisonEvidence, holdsOnLastDays, type RuleInput, type InboxRule, updatedEvidence } from "./rule.ts";
import { TRIAL_RULES } from "./trial-rules.ts";

/** An account with this many active days has been activated and can fall silent. */
const ACTIVATED_DAYS = 3;
const ACTIVATION_AGE_DAYS = 7;

const BACK_DAYS = 2;
const BACK_BUSINESS_DAYS = 5;

/** The window of the trend. */
const DROP_WINDOW_DAYS = 14;
const STEEP_DROP_RATIO = 0.35;
const DROP_RECOVERED_RATIO = 0.8;
const DROP_RECOVERED_DAYS = 3;

/** The window of the own best. */
const DECLINE_WINDOW_DAYS = 28;
/** Counted days in a row. */
const DECLINE_DAYS = 7;
const DECLINE_RATIO = 0.6;
/** Stricter than for a drop, because the best of many windows is partly luck. */
const DECLINE_Z = -3.5;
const DECLINE_RECOVERED_RATIO = 0.7;
/** A drop reports the decline too for this many days. */
const DROP_COVERS_DAYS = 60;
/** The own best comes from this many days. */
const BEST_DAYS = 182;

const silenceEvidence = ({ gap, threshold, lastDay }: Silence): ItemEvidence[] => [
  { code: "gap_business_days", value: gap, expected: threshold },
  { code: "last_day", value: lastDay },
];

const goneSilent: InboxRule = {
  kind: "gone_silent",
  severity: "high",
  find: ({ measures, day }) => {
    const silence = measures.silence(day);
    if (silence === null || !silence.silent || measures.activeDaysEver(day) < ACTIVATED_DAYS) return [];
    return [{ subject: "", evidence: silenceEvidence(silence) }];
  },
  update: (_, { measures, day }) => updatedEvidence(measures.silence(day), silenceEvidence),
  resolution: (_, { measures, day }) =>
    measures.activeDaysInBusinessDays(day, BACK_BUSINESS_DAYS) >= BACK_DAYS ? "recovered" : null,
};

const neverActivated: InboxRule = {
  kind: "never_activated",
  severity: "medium",
  supersededBy: TRIAL_RULES.map(({ kind }) => kind),
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

/** Tests whether usage is so far below its best that a decline would stay open. */
function isBelowBest({ measures, day }: RuleInput): boolean {
  const best = measures.ownBest(day);
  return best !== null && best.ratio < DECLINE_RECOVERED_RATIO;
}

function dropEvidence(input: RuleInput, trend: UsageComparison): ItemEvidence[] {
  const evidence = [comparisonEvidence("user_days", trend), { code: "z", value: trend.z }];
  const best = input.measures.ownBest(input.day);
  return best !== null && isBelowBest(input) ? [comparisonEvidence("best_user_days", best), ...evidence] : evidence;
}

const usageDrop: InboxRule = {
  kind: "usage_drop",
  severity: "high",
  silenceCooldownDays: DROP_WINDOW_DAYS,
  find: (input) => {
    const drop = confirmedDrop(input.measures, input.day);
    if (drop === null) return [];
    const severity = drop.ratio <= STEEP_DROP_RATIO ? "critical" : "high";
    return [{ subject: "", severity, evidence: dropEvidence(input, drop) }];
  },
  update: (_, input) => updatedEvidence(input.measures.trend(input.day), (trend) => dropEvidence(input, trend)),
  resolution: (_, input) => {
    const hasRecovered = (day: Day) => (input.measures.trend(day)?.ratio ?? 0) >= DROP_RECOVERED_RATIO;
    if (!holdsOnLastDays(input, DROP_RECOVERED_DAYS, hasRecovered)) return null;
    // After some weeks, the expectation has fallen to the low usage, which has not recovered.
    if (!isBelowBest(input)) return "recovered";
    return input.today.state === "at_risk" ? null : "settled";
  },
};

/** Tests whether a drop already reports the decline, or an expired decline has become the new normal. */
function isAlreadyReported({ items, day }: RuleInput): boolean {
  return items.some(
    ({ kind, openedDay, resolution }) =>
      (kind === "usage_drop" && day - openedDay < DROP_COVERS_DAYS) ||
      (kind === "slow_decline" && resolution === "expired" && day - openedDay < BEST_DAYS),
  );
}

const slowDecline: InboxRule = {
  kind: "slow_decline",
  severity: "medium",
  silenceCooldownDays: DECLINE_WINDOW_DAYS,
  find: (input) => {
    const { measures, day } = input;
    const best = measures.ownBest(day);
    if (best === null) return [];
    const isBelow = holdsOnLastDays(input, DECLINE_DAYS, (each) => {
      const found = measures.ownBest(each);
      return found !== null && found.ratio <= DECLINE_RATIO && found.z <= DECLINE_Z;
    });
    if (!isBelow) return [];
    return [{ subject: "", evidence: [comparisonEvidence("user_days", best)], updateOnly: isAlreadyReported(input) }];
  },
  update: (_, { measures, day }) =>
    updatedEvidence(measures.ownBest(day), (best) => [comparisonEvidence("user_days", best)]),
  resolution: (_, input) => (isBelowBest(input) ? null : "recovered"),
};

const FEATURE_EXPIRY_DAYS = 90;
const FEATURE_BACK_DAYS = 2;
/** After a silence of the whole account, its users and features get this long to return. */
const USER_BACK_DAYS = 14;
const FEATURE_WINDOW_DAYS = 21;

const keyUserQuiet: InboxRule = {
  kind: "key_user_quiet",
  severity: "medium",
  silenceCooldownDays: USER_BACK_DAYS,
  find: ({ measures, day }) =>
    measures.keyUsers(day).map(({ user, days, share, silence }) => ({
      subject: String(user),
      evidence: [...silenceEvidence(silence), { code: "active_days", value: days }, { code: "share", value: share }],
    })),
  // After 56 days the user has no share of the usage any more: what was found stays, and the absence grows.
  update: (item, { measures, day }) => {
    const value = measures.businessDaysSince(day, lastDayOf(item));
    return { evidence: item.evidence.map((each) => (each.code === "gap_business_days" ? { ...each, value } : each)) };
  },
  resolution: (item, { measures, day }) => {
    const [user, lastDay] = [Number(item.subject), lastDayOf(item)];
    return measures.userSeen(day, user, lastDay) || measures.hasSuccessor(day, user, lastDay) ? "recovered" : null;
  },
};

function lastDayOf({ evidence, openedDay }: InboxItem): Day {
  return evidence.find(({ code }) => code === "last_day")?.value ?? openedDay;
}

const featureDropped: InboxRule = {
  kind: "feature_dropped",
  severity: "low",
  silenceCooldownDays: FEATURE_WINDOW_DAYS,
  expiresAfterDays: FEATURE_EXPIRY_DAYS,
  find: ({ measures, day }) =>
    measures.droppedFeatures(day).map(({ feature, users, days, lastDay }) => ({
      subject: String(feature),
      evidence: [
        { code: "active_days", value: days },
        { code: "users", value: users },
        { code: "last_day", value: lastDay },
      ],
    })),
  update: ({ subject, openedDay, evidence }, { measures, day }) => {
    const value = measures.featureDays(day, Number(subject), openedDay);
    const found = evidence.filter(({ code }) => code !== "days_used_since");
    return { evidence: value === 0 ? found : [...found, { code: "days_used_since", value }] };
  },
  resolution: ({ subject, openedDay }, { measures, day }) =>
    measures.featureDays(day, Number(subject), openedDay) >= FEATURE_BACK_DAYS ? "recovered" : null,
};

/** Silence comes first, because it suppresses the others. */
export const ACTIVITY_RULES: readonly InboxRule[] = [
  goneSilent,
  neverActivated,
  usageDrop,
  slowDecline,
  keyUserQuiet,
  featureDropped,
];
