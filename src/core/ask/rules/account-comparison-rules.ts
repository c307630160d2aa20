/** How an account compares with itself before, and with another: trends, two windows, two accounts. */
import type { Concept } from "../lexicon/concept-words.ts";
import type { AccountPlan } from "../model.ts";
import { COUNTED } from "./counting.ts";
import { isNoTrend, isUnclear, MOVED, MOVES } from "./movement.ts";
import { ABOUT_THEN, eachOf, type Rule, type Slots, withEach } from "./rule.ts";

/** What may be counted of an account, and how that is said. */
const COUNTABLE: readonly Concept[] = [
  "activity",
  "event",
  "use",
  "usage",
  "send",
  "recorded",
  "userMany",
  "activeUsers",
  "activeDays",
  "dayNoun",
  "accountOne",
];
const COMPARED: readonly Concept[] = ["compare", "than", "more", "up", "down", "change", "trend"];
const JOINED: readonly Concept[] = [
  "type",
  "compare",
  "than",
  "more",
  "or",
  "and",
  "between",
  "by",
  "how",
  "howIs",
  "howMuch",
  "yesNo",
  "active",
  "who",
  "lately",
];

export const ACCOUNT_COMPARISON_RULES: readonly Rule[] = [
  {
    names: { account: 1, feature: "optional" },
    ways: MOVES,
    may: [...ABOUT_THEN, ...MOVED, "accountOne", "featureOne"],
    time: "past",
    plan: (slots) => {
      const { account, window, before, feature } = slots;
      return isNoTrend(slots)
        ? null
        : { subject: "account", account, measure: "trend", window, before, ...(feature !== undefined && { feature }) };
    },
  },
  {
    names: { account: 1, feature: "optional" },
    ways: [...eachOf(...COMPARED), ["more", "use"], ["more", "active"]],
    may: [...ABOUT_THEN, ...JOINED, ...MOVED, ...COUNTED, ...COUNTABLE, "featureOne", "howOften"],
    time: "two",
    needsTime: true,
    plan: compareWindows,
  },
  {
    // Of active users and days there is no trend but the comparison with the time before.
    names: { account: 1 },
    ways: withEach(
      [...eachOf("trend", "up", "down", "change")],
      [["activeUsers"], ["userMany", "active"], ["activeDays"]],
    ),
    may: [
      ...ABOUT_THEN,
      ...COUNTED,
      "or",
      "how",
      "howIs",
      "doing",
      "trend",
      "up",
      "down",
      "change",
      "yesNo",
      "active",
      "userMany",
      "accountOne",
    ],
    time: "past",
    plan: compareWindows,
  },
  {
    names: { account: 2, feature: "optional" },
    ways: [
      ["compare"],
      ["than"],
      ["more", "or"],
      ["healthier", "or"],
      ["more", "between"],
      ["healthier", "between"],
      ["or", "active"],
      ["or", "health"],
      ["more", "and"],
    ],
    may: [
      ...ABOUT_THEN,
      ...JOINED,
      ...COUNTED,
      "healthier",
      "health",
      "risk",
      "level",
      "mrr",
      "pay",
      "perMonth",
      "seats",
      ...COUNTABLE,
      "accountMany",
      "featureOne",
      "doing",
    ],
    time: "past",
    plan: compareAccounts,
  },
];

type Metric = Extract<AccountPlan, { measure: "compare_accounts" }>["metric"];

/** What is compared; `null` where more than one thing may be meant. */
function metricOf({ has, says }: Slots): Metric | null {
  const isPeople = has("userMany") || has("activeUsers");
  const metrics: Metric[] = [
    ...(has("health") || has("risk") || has("healthier") ? (["health"] as const) : []),
    ...(has("mrr") || has("pay") ? (["mrr"] as const) : []),
    ...(has("seats") ? (["seats"] as const) : []),
    ...(isPeople ? (["active_users"] as const) : []),
    ...(has("activeDays") || has("dayNoun") ? (["active_days"] as const) : []),
    ...(has("event") || (has("activity") && !isPeople) ? (["events"] as const) : []),
  ];
  const [metric] = metrics;
  if (metrics.length > 1) return null;
  if (metric !== undefined) return metric;
  return says("better", "worse") ? null : "events";
}

function compareWindows(slots: Slots): AccountPlan | null {
  const { account, window, before, feature, has } = slots;
  const metric = metricOf(slots);
  if (metric !== "events" && metric !== "active_users" && metric !== "active_days") return null;
  // "Did it rise more than": of a movement it is not told how much.
  if (isUnclear(has) || ((has("up") || has("down")) && (has("than") || has("more")))) return null;
  const rest = feature === undefined ? {} : { feature };
  return { subject: "account", account, measure: "compare_windows", metric, window, before, ...rest };
}

function compareAccounts(slots: Slots): AccountPlan | null {
  const { account, other, window, feature, has, says } = slots;
  const metric = metricOf(slots);
  const isCounted = metric === "events" || metric === "active_users" || metric === "active_days";
  if (
    metric === null ||
    (has("perMonth") && metric !== "mrr") ||
    (!isCounted && (feature !== undefined || window.phrase !== null))
  )
    return null;
  // "Which has more" is not asked of anything in particular.
  const isActive = has("active") || says("active");
  const isBare = !has("event") && !has("activity") && !isActive && !has("use") && feature === undefined;
  if (metric === "events" && isBare && !has("compare")) return null;
  return {
    subject: "account",
    account,
    other,
    measure: "compare_accounts",
    metric,
    window,
    ...(feature !== undefined && { feature }),
  };
}
