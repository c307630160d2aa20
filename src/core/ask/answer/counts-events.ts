/** Whether an answer depends on which messages have been counted: what does not is answered however many wait. */
import type { Plan } from "../model.ts";

export function countsEvents(plan: Plan): boolean {
  switch (plan.subject) {
    case "feature":
      return true;
    case "user":
      return plan.measure !== "account" && plan.measure !== "trait";
    case "account":
      if (plan.measure !== "compare_accounts") return !OF_ACCOUNTS_ITSELF.has(plan.measure);
      return plan.metric !== "health" && plan.metric !== "mrr" && plan.metric !== "seats";
    case "portfolio":
      if (plan.measure !== "top") return !OF_ACCOUNTS.has(plan.measure);
      return plan.by !== "mrr" && plan.by !== "seats";
  }
}

/** What the sender says of an account, and what the recompute concluded as of a day. */
const OF_ACCOUNTS_ITSELF: ReadonlySet<Plan["measure"]> = new Set([
  "health",
  "health_why",
  "changes",
  "items",
  "trial_end",
  "trial_days_left",
  "plan",
  "seats",
  "mrr",
  "stage",
  "trait",
]);
const OF_ACCOUNTS: ReadonlySet<Plan["measure"]> = new Set([
  "account_count",
  "account_list",
  "at_risk",
  "mrr",
  "trials_ending",
  "items",
]);
