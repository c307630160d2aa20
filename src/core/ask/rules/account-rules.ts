/** What may be asked of an account: its health, its attributes and its inbox items. */
import { lastSeen } from "./last-seen-rules.ts";
import { ABOUT_NOW, PAST, type Rule } from "./rule.ts";

type Simple =
  | "health"
  | "health_why"
  | "changes"
  | "last_seen"
  | "since"
  | "items"
  | "trial_end"
  | "trial_days_left"
  | "plan"
  | "seats"
  | "mrr"
  | "stage";

/** Of one account, as it is now. */
function isNow(measure: Simple, rule: Pick<Rule, "ways"> & Partial<Rule>): Rule {
  return {
    names: { account: 1 },
    time: "now",
    plan: ({ account }) => ({ subject: "account", account, measure }),
    ...rule,
    may: [...ABOUT_NOW, "accountOne", ...(rule.may ?? [])],
  };
}

export const ACCOUNT_RULES: readonly Rule[] = [
  isNow("health", {
    ways: [["health"], ["risk"], ["howIs"], ["how", "doing"]],
    may: ["level", "how", "howIs", "state", "doing", "howMuch", "risk", "health", "lately", "or", "and"],
    butNot: PAST,
  }),
  isNow("health_why", {
    ways: [
      ["why", "health"],
      ["why", "risk"],
    ],
    may: ["level", "how", "howIs", "state", "doing", "risk", "health", "and", "not", "lately"],
    butNot: PAST,
  }),
  {
    ...isNow("changes", {
      ways: [
        ["change"],
        ["different"],
        ["health", "change"],
        ["health", "up"],
        ["health", "down"],
        ["health", "trend"],
        ["healthier"],
        ["health", "better"],
      ],
      may: [
        "health",
        "how",
        "lately",
        "up",
        "down",
        "trend",
        "change",
        "different",
        "better",
        "or",
        "thing",
        "level",
        "state",
        "doing",
      ],
    }),
    time: "week",
    butNot: ["healthiest", "riskiest", "most", "least"],
  },
  ...lastSeen(
    { names: { account: 1 }, plan: ({ account }) => ({ subject: "account", account, measure: "last_seen" }) },
    "accountOne",
  ),
  isNow("since", {
    ways: [["tenure"], ["when", "since"], ["howLong", "since"], ["when", "tenure"]],
    may: ["when", "howLong", "first", "since", "product", "firstSeen", "message"],
    butNot: ["last", "lastly"],
  }),
  isNow("items", {
    ways: [["items"], ["what", "open"], ["yesNo", "open"]],
    may: ["open", "howMany", "thing", "total", "active", "all"],
  }),
  isNow("trial_end", {
    ways: [
      ["trial", "end"],
      ["when", "trial", "left"],
    ],
    may: ["when", "will", "soon", "dayNoun"],
  }),
  isNow("trial_days_left", {
    ways: [
      ["trial", "longer"],
      ["trial", "dayNoun", "left"],
      ["trial", "howLong", "left"],
      ["trial", "howMuch", "left"],
      ["trial", "howMany", "left"],
      ["trial", "howLong", "end"],
      ["trial", "howMany", "end"],
      ["trial", "left"],
    ],
    may: ["howMany", "howMuch", "howLong", "dayNoun", "days", "left", "longer", "end", "will"],
    butNot: ["when", "date"],
  }),
  isNow("plan", { ways: [["plan"]], may: ["type", "use", "pay"], takesPlan: "optional", butNot: PAST }),
  isNow("plan", { ways: [["yesNo"]], may: ["plan", "type", "use", "pay"], takesPlan: "one", butNot: PAST }),
  isNow("seats", { ways: [["seats"]], may: ["howMany", "howMuch", "total", "bought", "send"] }),
  isNow("mrr", {
    ways: [["mrr"], ["howMuch", "pay"], ["pay", "perMonth"]],
    may: ["howMuch", "perMonth", "total", "pay", "bought"],
    butNot: ["did", "who", "which"],
  }),
  isNow("stage", {
    ways: [
      ["stage"],
      ["yesNo", "trialStage"],
      ["yesNo", "payingStage"],
      ["yesNo", "churnedStage"],
      ["yesNo", "activeStage", "accountOne"],
    ],
    may: ["trialStage", "activeStage", "payingStage", "churnedStage", "or", "state", "where"],
  }),
];
