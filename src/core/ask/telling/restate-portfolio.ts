/** What is asked of all accounts together, in our own words. */
import type { AccountFilter, PortfolioPlan } from "../model.ts";
import { isoDate } from "../time/calendar.ts";
import { datesOf, quoted } from "./restate-words.ts";

const STATE_WORDS = {
  healthy: "healthy",
  watch: "on watch",
  at_risk: "at risk",
  insufficient_data: "without a score",
  churned: "churned",
  stale: "stale",
} as const;
const STAGE_WORDS = { trial: "on trial", active: "paying", churned: "churned" } as const;

export function ofPortfolio(plan: PortfolioPlan): string {
  switch (plan.measure) {
    case "account_count":
      return `How many accounts ${filterOf(plan.filter)}?`;
    case "account_list":
      return `Which accounts ${filterOf(plan.filter)}?`;
    case "at_risk":
      return "Which accounts are at risk?";
    case "silent_since":
      return `Which accounts are silent since ${isoDate(plan.window.from)}?`;
    case "active_accounts":
      return `How many accounts were active ${datesOf(plan.window)}?`;
    case "active_account_list":
      return `Which accounts were active ${datesOf(plan.window)}?`;
    case "active_users":
      return `How many users were active across all accounts ${datesOf(plan.window)}?`;
    case "event_count":
      return `How many events were there across all accounts ${datesOf(plan.window)}?`;
    case "top":
      return ranking(plan);
    case "mrr":
      return plan.total ? "What is the total MRR?" : "What is the MRR by currency?";
    case "trials_ending":
      return `Which trials end ${datesOf(plan.window)}?`;
    case "top_features":
      return `Which are the top ${plan.limit} most used features ${datesOf(plan.window)}?`;
    case "new_accounts":
      return `Which accounts are new ${datesOf(plan.window)}?`;
    case "items":
      return `Which are the top ${plan.limit} items in the inbox?`;
  }
}

function filterOf({ state, stage, plan }: AccountFilter): string {
  const parts = [
    ...(state === undefined ? [] : [STATE_WORDS[state]]),
    ...(stage === undefined ? [] : [STAGE_WORDS[stage]]),
    ...(plan === undefined ? [] : [`on the plan ${quoted(plan)}`]),
  ];
  return parts.length === 0 ? "are there" : `are ${parts.join(" ")}`;
}

function ranking(plan: Extract<PortfolioPlan, { measure: "top" }>): string {
  switch (plan.by) {
    case "activity":
      return `Which are the top ${plan.limit} accounts by activity ${datesOf(plan.window)}?`;
    case "growth":
      return `Which are the top ${plan.limit} growing accounts ${datesOf(plan.window)}?`;
    case "decline":
      return `Which are the top ${plan.limit} declining accounts ${datesOf(plan.window)}?`;
    case "mrr":
      return `Which are the top ${plan.limit} accounts by MRR?`;
    case "seats":
      return `Which are the top ${plan.limit} accounts by seats?`;
  }
}
