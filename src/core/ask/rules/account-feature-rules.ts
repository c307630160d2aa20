/** Which features an account used or did not use, and how many. */
import type { Concept } from "../lexicon/concept-words.ts";
import { FEATURES_USED, NOT_WHICH } from "./counting.ts";
import { ABOUT_THEN, type Rule } from "./rule.ts";

const USED: readonly Concept[] = [
  ...ABOUT_THEN,
  "accountOne",
  "userMany",
  "use",
  "send",
  "recorded",
  "distinct",
  "different",
  "activity",
  "usage",
];

export const ACCOUNT_FEATURE_RULES: readonly Rule[] = [
  {
    names: { account: 1 },
    ways: FEATURES_USED,
    may: [...USED, "top", "popular", "event"],
    time: "past",
    butNot: NOT_WHICH,
    plan: ({ account, window }) => ({ subject: "account", account, measure: "features_used", window }),
  },
  {
    names: { account: 1 },
    ways: [
      ["not", "feature"],
      ["not", "what", "use"],
    ],
    may: [...USED, "not", "never", "feature", "yesNo"],
    time: "past",
    plan: ({ account, window, ever, has }) => ({
      subject: "account",
      account,
      measure: "features_not_used",
      window: has("never") && window.phrase === null ? ever : window,
    }),
  },
  {
    names: { account: 1 },
    ways: [
      ["howMany", "feature"],
      ["howMany", "distinct", "event"],
      ["howMany", "different", "event"],
    ],
    may: [...USED, "total", "event", "feature"],
    counts: ["feature", "event"],
    time: "past",
    plan: ({ account, window }) => ({ subject: "account", account, measure: "feature_count", window }),
  },
  {
    names: { account: 1, feature: 1 },
    ways: [
      ["use"],
      ["yesNo"],
      ["yesNo", "event"],
      ["yesNo", "use"],
      ["yesNo", "featureOne"],
      ["yesNo", "userMany"],
      ["yesNo", "use", "userMany"],
    ],
    may: [...ABOUT_THEN, "accountOne", "yesNo", "use", "send", "recorded", "featureOne", "event", "type", "userMany"],
    time: "past",
    butNot: ["which", "who"],
    plan: ({ account, feature, window }) =>
      feature === undefined ? null : { subject: "account", account, measure: "uses_feature", window, feature },
  },
];
