/** What a table of phrasings is: for each thing that can be asked, one plan and at least eight ways to ask for it. */
import type { ActivityMetric, AccountPlan, FeaturePlan, PortfolioPlan, UserPlan } from "../../../src/core/ask/model.ts";

/** Plain, terse, passive, polite, misspelt, in jargon, in the plural, indirect; and more. */
type Questions = readonly [string, string, string, string, string, string, string, string, ...string[]];

export interface Phrasings<Of> {
  plan: Of;
  asked: Questions;
}

type OfFeature = "of a feature";
type Metrics = Extract<AccountPlan, { measure: "compare_accounts" }>["metric"];
type Rankings = Extract<PortfolioPlan, { measure: "top" }>["by"];

/** Every member of the plans, so that a table that leaves one out has the wrong type. */
export type AccountCase =
  | Exclude<AccountPlan["measure"], "compare_windows" | "compare_accounts">
  | `${"event_count" | "active_users" | "active_days" | "trend"} ${OfFeature}`
  | `compare_windows ${ActivityMetric}`
  | `compare_windows events ${OfFeature}`
  | `compare_accounts ${Metrics}`
  | `compare_accounts events ${OfFeature}`;
export type UserCase = UserPlan["measure"] | `${"event_count" | "active_days"} ${OfFeature}`;
export type FeatureCase = FeaturePlan["measure"];
export type PortfolioCase =
  | Exclude<PortfolioPlan["measure"], "top" | "account_count" | "account_list" | "mrr">
  | `${"account_count" | "account_list"} ${"of all" | "by state" | "by stage" | "by plan"}`
  | `top by ${Rankings}`
  | `mrr ${"in total" | "by currency"}`;
