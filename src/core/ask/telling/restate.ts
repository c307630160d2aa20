/**
 * A plan in our own words, as a question that comes to the same plan when it is asked. Names are quoted: they are data.
 */
import type { FeaturePlan, Plan, UserPlan } from "../model.ts";
import { ofAccount } from "./restate-account.ts";
import { ofPortfolio } from "./restate-portfolio.ts";
import { counted, datesOf, eventsOf, nameOf, quoted } from "./restate-words.ts";

export function restate(plan: Plan): string {
  switch (plan.subject) {
    case "account":
      return ofAccount(plan, `account ${nameOf(plan.account)}`);
    case "user":
      return ofUser(plan, `user ${nameOf(plan.user)}`);
    case "feature":
      return ofFeature(plan, nameOf(plan.feature));
    case "portfolio":
      return ofPortfolio(plan);
  }
}

function ofUser(plan: UserPlan, user: string): string {
  switch (plan.measure) {
    case "last_seen":
      return `When was the ${user} last seen?`;
    case "first_seen":
      return `When was the ${user} first seen?`;
    case "account":
      return `Which account is the ${user} in?`;
    case "trait":
      return `What is the ${quoted(plan.key)} of the ${user}?`;
    case "event_count":
      return `How many ${eventsOf(plan.feature)} did the ${user} have ${datesOf(plan.window)}?`;
    case "active_days":
      return `How many ${counted("active_days", plan.feature)} did the ${user} have ${datesOf(plan.window)}?`;
    case "features_used":
      return `Which features did the ${user} use ${datesOf(plan.window)}?`;
    case "uses_feature":
      return `Did the ${user} use ${nameOf(plan.feature)} ${datesOf(plan.window)}?`;
    case "trend":
      return `What is the trend of events of the ${user} ${datesOf(plan.window)}?`;
  }
}

function ofFeature(plan: FeaturePlan, feature: string): string {
  switch (plan.measure) {
    case "accounts":
      return `Which accounts used ${feature} ${datesOf(plan.window)}?`;
    case "users":
      return `Which users used ${feature} ${datesOf(plan.window)}?`;
    case "account_count":
      return `How many accounts used ${feature} ${datesOf(plan.window)}?`;
    case "user_count":
      return `How many users used ${feature} ${datesOf(plan.window)}?`;
    case "adoption":
      return `What share of the active accounts used ${feature} ${datesOf(plan.window)}?`;
    case "event_count":
      return `How many events of type ${feature} were there ${datesOf(plan.window)}?`;
    case "stopped":
      return `Which accounts stopped using ${feature} ${datesOf(plan.window)}?`;
    case "trend":
      return `What is the trend of ${feature} ${datesOf(plan.window)}?`;
  }
}
