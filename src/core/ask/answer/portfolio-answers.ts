/** Answers about all accounts together. */
import type { Facts, Freshness, PortfolioPlan } from "../model.ts";
import type { Ask, Outcome } from "./finding.ts";
import { openItems } from "./item-answers.ts";
import { countAccounts, listAccounts } from "./portfolio-accounts.ts";
import {
  countActive,
  countEvents,
  listActive,
  mostActive,
  mostChanged,
  silentSince,
  topFeatures,
} from "./portfolio-activity.ts";
import { newAccounts, trialsEnding } from "./portfolio-dates.ts";
import { mrrOf, topByMrr, topBySeats } from "./portfolio-money.ts";
import { atRisk } from "./portfolio-risk.ts";

type PortfolioFacts = Extract<Facts, { subject: "portfolio" }>;

export function answerPortfolio({ plan, facts, freshness, today }: Ask<PortfolioPlan, "portfolio">): Outcome {
  const { accounts } = facts;
  switch (plan.measure) {
    case "account_count":
      return countAccounts(accounts, plan.filter);
    case "account_list":
      return listAccounts(accounts, plan.filter);
    case "at_risk":
      return atRisk(accounts);
    case "silent_since":
      return silentSince(facts, plan.window);
    case "active_accounts":
      return countActive("account", facts, plan.window);
    case "active_account_list":
      return listActive(facts, plan.window);
    case "active_users":
      return countActive("user", facts, plan.window);
    case "event_count":
      return countEvents(facts, plan.window);
    case "top":
      return topAccounts(facts, plan, freshness);
    case "mrr":
      return mrrOf(accounts, plan.total);
    case "trials_ending":
      return trialsEnding(accounts, plan.window, today);
    case "top_features":
      return topFeatures(facts, plan.limit, plan.window);
    case "new_accounts":
      return newAccounts(accounts, plan.window, freshness.firstDay);
    case "items":
      return openItems(facts.items, "", plan.limit, freshness);
  }
}

function topAccounts(
  facts: PortfolioFacts,
  plan: Extract<PortfolioPlan, { measure: "top" }>,
  freshness: Freshness,
): Outcome {
  switch (plan.by) {
    case "activity":
      return mostActive(facts, plan.limit, plan.window);
    case "growth":
    case "decline":
      return mostChanged(facts, plan, freshness);
    case "mrr":
      return topByMrr(facts.accounts, plan.limit);
    case "seats":
      return topBySeats(facts.accounts, plan.limit);
  }
}
