/** What is told of how a question was understood. */
import type { Matched } from "../reading/match.ts";
import type { AskWindow, Interpretation, Match, Plan, TakenName, Understood } from "../model.ts";
import { subjectOfPlan } from "../plan-subject.ts";
import { restate } from "./restate.ts";

const INTENTS: Readonly<Record<Plan["measure"], string>> = {
  health: "state",
  health_why: "explain",
  changes: "explain",
  last_seen: "when",
  since: "when",
  first_seen: "when",
  trial_end: "when",
  trial_days_left: "count",
  items: "list",
  plan: "attribute",
  seats: "attribute",
  mrr: "attribute",
  stage: "attribute",
  trait: "attribute",
  account: "attribute",
  seat_use: "share",
  adoption: "share",
  event_count: "count",
  active_users: "count",
  active_days: "count",
  feature_count: "count",
  active_user_list: "list",
  features_used: "list",
  features_not_used: "list",
  uses_feature: "verify",
  trend: "trend",
  compare_windows: "compare",
  compare_accounts: "compare",
  accounts: "list",
  users: "list",
  account_count: "count",
  user_count: "count",
  stopped: "list",
  account_list: "list",
  at_risk: "list",
  silent_since: "list",
  active_accounts: "count",
  active_account_list: "list",
  top: "rank",
  trials_ending: "list",
  top_features: "rank",
  new_accounts: "list",
};

type Asked = Extract<Understood, { ok: true }>;

export function understoodAs({ plan, matchedBy, windows, taken }: Matched): Asked {
  const said: AskWindow | null = "window" in plan && !isTimeless(plan) ? plan.window : null;
  return {
    ok: true,
    plan,
    interpretation: interpretationOf(plan, matchedBy, taken),
    window: said === null ? null : { ...said, defaulted: windows.isDefault },
    taken,
  };
}

function interpretationOf(plan: Plan, matchedBy: Match, taken: readonly TakenName[]): Interpretation {
  const feature = plan.subject !== "feature" && "feature" in plan ? plan.feature?.externalId : undefined;
  const compare = plan.measure === "compare_accounts" ? plan.other.externalId : undefined;
  return {
    intent: INTENTS[plan.measure],
    measure: plan.measure,
    subject: subjectOf(plan, matchedBy),
    ...(feature !== undefined && { feature }),
    ...(compare !== undefined && { compare }),
    ...("limit" in plan && { limit: plan.limit }),
    restated: [restate(plan), ...taken.map(asTaken)].join(" "),
  };
}

const asTaken = ({ said, meant }: TakenName): string => `("${said}" is taken for "${meant}".)`;

function subjectOf(plan: Plan, matchedBy: Match): Interpretation["subject"] {
  const entity = subjectOfPlan(plan);
  if (entity === null) return null;
  const { type, id, externalId, name } = entity;
  return { type, id, externalId, ...(name !== null && { name }), matchedBy };
}

/** What two accounts are, other than what they did, is of no window. */
const isTimeless = (plan: Plan): boolean =>
  plan.measure === "compare_accounts" && ["health", "mrr", "seats"].includes(plan.metric);
