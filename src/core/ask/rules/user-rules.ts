/** What may be asked of a person. */
import { ACTIVE_DAYS, COUNTED, FEATURE_EVENTS, FEATURES_USED, isStock, NOT_WHICH } from "./counting.ts";
import { lastSeen } from "./last-seen-rules.ts";
import { isNoTrend, MOVED, MOVES } from "./movement.ts";
import { ABOUT_NOW, ABOUT_THEN, type Rule } from "./rule.ts";

const NOW = [...ABOUT_NOW, "userOne"] as const;
const THEN = [...ABOUT_THEN, "userOne"] as const;
const names = { user: 1 } as const;
const ofFeature = { user: 1, feature: 1 } as const;

export const USER_RULES: readonly Rule[] = [
  ...lastSeen({ names, plan: ({ user }) => ({ subject: "user", user, measure: "last_seen" }) }, "userOne"),
  {
    names,
    ways: [
      ["firstSeen"],
      ["when", "since"],
      ["howLong", "since"],
      ["tenure"],
      ["first", "seen"],
      ["when", "first", "use"],
      ["when", "first", "send"],
      ["when", "first", "active"],
      ["when", "since", "use"],
      ["when", "first", "event"],
      ["when", "first", "activity"],
    ],
    may: [
      ...NOW,
      "when",
      "howLong",
      "since",
      "first",
      "firstSeen",
      "product",
      "use",
      "send",
      "thing",
      "active",
      "activity",
      "event",
    ],
    time: "now",
    butNot: ["last"],
    plan: ({ user }) => ({ subject: "user", user, measure: "first_seen" }),
  },
  {
    names,
    ways: [["accountOne"], ["where", "workFor"], ["who", "workFor"], ["listing", "accountMany", "belong"]],
    may: [...NOW, "belong", "workFor", "accountOne", "where", "who"],
    time: "now",
    butNot: ["how"],
    plan: ({ user }) => ({ subject: "user", user, measure: "account" }),
  },
  {
    names,
    ways: [
      ["howMany", "event"],
      ["howMuch", "activity"],
      ["activity"],
      ["howMuch", "use"],
      ["howMany", "thing"],
      ["howMany", "activity"],
      ["total", "event"],
    ],
    may: [...THEN, ...COUNTED, "howMuch", "send", "recorded", "event", "usage"],
    time: "past",
    butNot: ["which", "who"],
    plan: ({ user, window }) => ({ subject: "user", user, measure: "event_count", window }),
  },
  {
    names,
    ways: [["event"]],
    may: [...THEN, "send", "recorded"],
    time: "past",
    butNot: ["which", "who", "what", "list", "show"],
    plan: ({ user, window }) => ({ subject: "user", user, measure: "event_count", window }),
  },
  {
    names: ofFeature,
    ways: FEATURE_EVENTS,
    may: [
      ...THEN,
      ...COUNTED,
      "howMuch",
      "howOften",
      "send",
      "recorded",
      "use",
      "event",
      "featureOne",
      "activity",
      "usage",
      "type",
    ],
    time: "past",
    butNot: ["which", "who"],
    plan: (slots) => {
      const { user, window, feature } = slots;
      return isStock(slots)
        ? null
        : { subject: "user", user, measure: "event_count", window, ...(feature !== undefined && { feature }) };
    },
  },
  {
    names,
    counts: ["dayNoun", "activeDays"],
    ways: ACTIVE_DAYS,
    may: [...THEN, ...COUNTED, "distinct", "send", "active", "activity", "dayNoun"],
    time: "past",
    plan: ({ user, window }) => ({ subject: "user", user, measure: "active_days", window }),
  },
  {
    names,
    ways: [
      ["yesNo", "active"],
      ["yesNo", "use"],
    ],
    may: [...THEN, "active", "use"],
    time: "past",
    needsTime: true,
    butNot: ["more", "less"],
    plan: ({ user, window }) => ({ subject: "user", user, measure: "active_days", window }),
  },
  {
    names: ofFeature,
    ways: [["howMany", "dayNoun"]],
    may: [...THEN, ...COUNTED, "distinct", "use", "event", "featureOne", "active", "send"],
    time: "past",
    plan: ({ user, window, feature }) => ({
      subject: "user",
      user,
      measure: "active_days",
      window,
      ...(feature !== undefined && { feature }),
    }),
  },
  {
    names,
    ways: FEATURES_USED,
    may: [...THEN, "use", "send", "recorded", "distinct", "activity", "usage", "top", "popular", "event"],
    time: "past",
    butNot: NOT_WHICH,
    plan: ({ user, window }) => ({ subject: "user", user, measure: "features_used", window }),
  },
  {
    names: ofFeature,
    ways: [["use"], ["yesNo"], ["yesNo", "event"], ["yesNo", "use"], ["yesNo", "featureOne"]],
    may: [...THEN, "yesNo", "use", "send", "recorded", "featureOne", "event", "type"],
    time: "past",
    butNot: ["which", "who"],
    plan: ({ user, feature, window }) =>
      feature === undefined ? null : { subject: "user", user, measure: "uses_feature", window, feature },
  },
  {
    names,
    ways: MOVES,
    may: [...THEN, ...MOVED],
    time: "past",
    plan: (slots) => {
      const { user, window, before } = slots;
      return isNoTrend(slots) ? null : { subject: "user", user, measure: "trend", window, before };
    },
  },
];
