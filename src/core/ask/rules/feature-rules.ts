/** What may be asked of a feature: who uses it, how much, and who no longer does. */
import { COUNTED, FEATURE_EVENTS, USERS } from "./counting.ts";
import { isNoTrend, MOVED, MOVES } from "./movement.ts";
import { ABOUT_THEN, eachOf, type Rule, withEach } from "./rule.ts";
import { SILENT_DAYS } from "../time/windows.ts";

const MAY = [...ABOUT_THEN, "use", "usage", "event", "featureOne", "send", "recorded", "type"] as const;

type Windowed = "accounts" | "users" | "account_count" | "user_count" | "adoption" | "event_count";

function ofFeature(measure: Windowed, rule: Pick<Rule, "ways"> & Partial<Rule>): Rule {
  return {
    names: { feature: 1 },
    time: "past",
    plan: ({ feature, window }) => (feature === undefined ? null : { subject: "feature", feature, measure, window }),
    ...rule,
    may: [...MAY, ...(rule.may ?? [])],
  };
}

export const FEATURE_RULES: readonly Rule[] = [
  ofFeature("accounts", {
    ways: [["accountMany"]],
    may: ["active", "accountMany", "all", "listing"],
    doers: ["accountMany"],
  }),
  ofFeature("account_count", {
    ways: [["howMany", "accountMany"]],
    may: [...COUNTED, "distinct", "active"],
    doers: ["accountMany"],
    counts: ["accountMany"],
    butNot: ["which"],
  }),
  ofFeature("users", {
    ways: [["userMany"], ["who"], ["who", "userMany"]],
    may: ["who", "active", "userMany", "all"],
    doers: ["userMany"],
  }),
  ofFeature("user_count", {
    ways: [
      ["howMany", "userMany"],
      ["howMany", "activeUsers"],
    ],
    may: [...COUNTED, "distinct", "active", "who"],
    doers: USERS,
    counts: USERS,
    butNot: ["which"],
  }),
  ofFeature("adoption", {
    ways: [["adoption"], ["percent", "accountMany"], ["percent", "adoption"]],
    may: ["howMuch", "how", "accountMany", "active", "adoption", "percent", "level"],
    doers: ["accountMany"],
  }),
  ofFeature("event_count", {
    ways: FEATURE_EVENTS,
    may: [...COUNTED, "howOften", "howMuch", "activity", "portfolio"],
    butNot: ["which", "who"],
  }),
  ofFeature("event_count", {
    ways: [["howOften"]],
    may: ["howOften", "portfolio", "userMany", "accountMany"],
    butNot: ["which", "who"],
  }),
  {
    names: { feature: 1 },
    ways: withEach([["stopped"]], eachOf("accountMany", "who")),
    may: [...MAY, "accountMany", "who", "howMany"],
    time: "past",
    days: SILENT_DAYS,
    plan: ({ feature, window, before }) =>
      feature === undefined ? null : { subject: "feature", feature, measure: "stopped", window, before },
  },
  {
    names: { feature: 1 },
    ways: [...MOVES, ["change"]],
    may: [...ABOUT_THEN, ...MOVED, "featureOne", "type"],
    time: "past",
    plan: (slots) => {
      const { feature, window, before } = slots;
      return feature === undefined || isNoTrend(slots)
        ? null
        : { subject: "feature", feature, measure: "trend", window, before };
    },
  },
];
