/** What is asked of an account, in our own words. */
import type { AccountPlan } from "../model.ts";
import { against, counted, datesOf, eventsOf, nameOf, quoted } from "./restate-words.ts";

export function ofAccount(plan: AccountPlan, account: string): string {
  switch (plan.measure) {
    case "health":
      return `How healthy is the ${account}?`;
    case "health_why":
      return `Why is the health score of the ${account} what it is?`;
    case "changes":
      return `What changed in the health of the ${account}?`;
    case "last_seen":
      return `When was the ${account} last seen?`;
    case "since":
      return `Since when is the ${account} known?`;
    case "items":
      return `Which inbox items are open about the ${account}?`;
    case "trial_end":
      return `When does the trial of the ${account} end?`;
    case "trial_days_left":
      return `How many days are left in the trial of the ${account}?`;
    case "plan":
      return `Which plan is the ${account} on?`;
    case "seats":
      return `How many seats does the ${account} have?`;
    case "mrr":
      return `What is the MRR of the ${account}?`;
    case "stage":
      return `Which stage is the ${account} in?`;
    case "trait":
      return `What is the ${quoted(plan.key)} of the ${account}?`;
    case "seat_use":
      return `What is the seat use of the ${account} ${datesOf(plan.window)}?`;
    case "event_count":
      return `How many ${eventsOf(plan.feature)} did the ${account} have ${datesOf(plan.window)}?`;
    case "active_users":
    case "active_days":
      return `How many ${counted(plan.measure, plan.feature)} did the ${account} have ${datesOf(plan.window)}?`;
    case "active_user_list":
      return plan.feature === undefined
        ? `Which users of the ${account} were active ${datesOf(plan.window)}?`
        : `Which users of the ${account} used ${nameOf(plan.feature)} ${datesOf(plan.window)}?`;
    case "features_used":
      return `Which features did the ${account} use ${datesOf(plan.window)}?`;
    case "features_not_used":
      return `Which features did the ${account} not use ${datesOf(plan.window)}?`;
    case "feature_count":
      return `How many features did the ${account} use ${datesOf(plan.window)}?`;
    case "uses_feature":
      return `Did the ${account} use ${nameOf(plan.feature)} ${datesOf(plan.window)}?`;
    case "trend":
      return `What is the trend of ${eventsOf(plan.feature)} of the ${account} ${datesOf(plan.window)}?`;
    case "compare_windows":
      return `How many ${counted(plan.metric, plan.feature)} did the ${account} have ${against(plan.window, plan.before)}?`;
    case "compare_accounts":
      return comparison(plan, account);
  }
}

function comparison(plan: Extract<AccountPlan, { measure: "compare_accounts" }>, account: string): string {
  const other = `account ${nameOf(plan.other)}`;
  switch (plan.metric) {
    case "health":
      return `How does the health of the ${account} compare to the ${other}?`;
    case "mrr":
      return `How does the MRR of the ${account} compare to the ${other}?`;
    case "seats":
      return `How do the seats of the ${account} compare to the ${other}?`;
    case "events":
    case "active_users":
    case "active_days":
      return `How many ${counted(plan.metric, plan.feature)} did the ${account} have compared to the ${other} ${datesOf(plan.window)}?`;
  }
}
