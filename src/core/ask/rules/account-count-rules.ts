/** How much was done at an account: its events, its active days, and how many of its seats are in use. */
import { didThen, ofFeature } from "./account-use.ts";
import { ACTIVE_DAYS, COUNTED, FEATURE_EVENTS } from "./counting.ts";
import type { Rule } from "./rule.ts";

export const ACCOUNT_COUNT_RULES: readonly Rule[] = [
  didThen("event_count", {
    counts: ["event", "thing", "activity"],
    ways: [
      ["howMany", "event"],
      ["howMuch", "activity"],
      ["activity"],
      ["howMuch", "use"],
      ["howMany", "thing"],
      ["howMany", "activity"],
      ["howMuch", "event"],
      ["event", "activity"],
      ["total", "event"],
    ],
    may: [...COUNTED, "howMuch", "send", "recorded", "event", "usage"],
    butNot: ["which", "who"],
  }),
  didThen("event_count", {
    ways: [["event"]],
    may: ["send", "recorded"],
    butNot: ["which", "who", "what", "list", "show"],
  }),
  didThen("event_count", {
    ...ofFeature,
    ways: FEATURE_EVENTS,
    may: [
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
    butNot: ["which", "who"],
  }),
  didThen("event_count", {
    ...ofFeature,
    ways: [["howOften"]],
    may: ["howOften", "send", "recorded", "use", "featureOne", "userMany", "usage"],
    butNot: ["which", "who"],
  }),
  didThen("active_days", {
    counts: ["dayNoun", "activeDays"],
    ways: ACTIVE_DAYS,
    may: [...COUNTED, "distinct", "send", "active", "activity", "dayNoun"],
  }),
  didThen("active_days", {
    ways: [
      ["yesNo", "active"],
      ["yesNo", "use"],
    ],
    may: ["active", "use"],
    needsTime: true,
    butNot: ["more", "less", "seats"],
  }),
  didThen("active_days", {
    ...ofFeature,
    counts: ["dayNoun"],
    ways: [["howMany", "dayNoun"]],
    may: [...COUNTED, "distinct", "use", "event", "featureOne", "active", "send"],
  }),
  didThen("seat_use", {
    ways: [["seatUtilisation"], ["seats", "seatUse"]],
    may: [
      ...COUNTED,
      "percent",
      "howMuch",
      "how",
      "seats",
      "seatUse",
      "userMany",
      "bought",
      "yesNo",
      "portfolio",
      "active",
    ],
  }),
];
