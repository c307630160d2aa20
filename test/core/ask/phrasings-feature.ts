/** Questions about a feature, by different people. */
import type { FeaturePlan } from "../../../src/core/ask/model.ts";
import type { FeatureCase, Phrasings } from "./phrasings.ts";
import { COMMENTED, days, EXPORTED, INVITED, VIEWED } from "./world.ts";

const exported = { subject: "feature", feature: EXPORTED } as const;
const viewed = { subject: "feature", feature: VIEWED } as const;
const LAST_30 = days(-29, 0);
const THIRD_QUARTER = days(-143, -52);
const LAST_WEEK = days(-12, -6);

export const FEATURE_PHRASINGS: Readonly<Record<FeatureCase, Phrasings<FeaturePlan>>> = {
  accounts: {
    plan: { ...exported, measure: "accounts", window: LAST_30 },
    asked: [
      "Which accounts exported reports in the last 30 days?",
      "accounts using report.exported last 30 days",
      "By which accounts was report.exported used in the last 30 days?",
      "Could you please give me the customers that used report.exported over the past 30 days?",
      "whcih acounts used report.exported in the last 30 days",
      "Which logos adopted report.exported in the last 30 days?",
      "Which companies have been exporting reports during the last 30 days?",
      "I'd like a list of the accounts that exported reports in the last 30 days",
    ],
  },
  users: {
    plan: { ...viewed, measure: "users", window: LAST_WEEK },
    asked: [
      "Which users viewed dashboards last week?",
      "users of dashboard.viewed last week",
      "By whom was dashboard.viewed used last week?",
      "Could you list the users who used dashboard.viewed last week, please?",
      "whcih users used dashboard.viewed last week",
      "Show me the user list of dashboard.viewed for last week",
      "Which people were viewing dashboards last week?",
      "I'd love to know who viewed a dashboard last week",
    ],
  },
  account_count: {
    plan: { ...exported, measure: "account_count", window: THIRD_QUARTER },
    asked: [
      "How many accounts exported reports in Q3 2026?",
      "number of accounts using report.exported Q3",
      "By how many accounts was report.exported used in Q3?",
      "Could you please tell me how many customers used report.exported in the third quarter?",
      "how many acounts used report.exported in q3",
      "How many logos adopted report.exported in Q3 2026?",
      "How many companies were exporting reports in Q3?",
      "I'd like to know how many clients exported reports last quarter",
    ],
  },
  user_count: {
    plan: { ...viewed, measure: "user_count", window: LAST_30 },
    asked: [
      "How many users viewed dashboards in the last 30 days?",
      "number of users using dashboard.viewed last 30 days",
      "By how many users was dashboard.viewed used in the last 30 days?",
      "Could you tell me how many people used dashboard.viewed over the past 30 days?",
      "how many usres used dashboard.viewed in the last 30 days",
      "What's the user count for dashboard.viewed, last 30 days?",
      "How many distinct people have viewed dashboards in the last 30 days?",
      "I'd like to know how many end users were viewing dashboards in the last 30 days",
    ],
  },
  adoption: {
    plan: { ...exported, measure: "adoption", window: LAST_30 },
    asked: [
      "What share of accounts used report.exported in the last 30 days?",
      "report.exported adoption last 30 days",
      "By what percentage of accounts was report.exported used in the last 30 days?",
      "Could you tell me the adoption of report.exported over the past 30 days?",
      "what is the adopton of report.exported in the last 30 days",
      "What's the report.exported penetration over the last 30 days?",
      "What proportion of customers exported reports in the last 30 days?",
      "I'd like to know how widely report.exported was adopted in the last 30 days",
    ],
  },
  event_count: {
    plan: { subject: "feature", feature: INVITED, measure: "event_count", window: LAST_WEEK },
    asked: [
      "How many times was user.invited used last week?",
      "user.invited count last week",
      "How often was user.invited triggered last week?",
      "Could you please tell me how many user.invited events there were last week?",
      "how mnay user.invited events were there last week",
      "What was the user.invited volume last week?",
      "How many user.invited events happened last week?",
      "I'd like to know how often user.invited happened last week",
    ],
  },
  stopped: {
    plan: {
      subject: "feature",
      feature: COMMENTED,
      measure: "stopped",
      window: LAST_30,
      before: days(-59, -30),
    },
    asked: [
      "Which accounts stopped using comment_added in the last 30 days?",
      "accounts that dropped comment_added last 30 days",
      "By which accounts was comment_added abandoned in the last 30 days?",
      "Could you list the customers that stopped using comment_added over the past 30 days?",
      "whcih accounts stoped using comment_added in the last 30 days",
      "Which logos churned off comment_added in the last 30 days?",
      "Which companies stopped adding comments in the last 30 days?",
      "I'd like to see who no longer used comment_added in the last 30 days",
    ],
  },
  trend: {
    plan: { ...viewed, measure: "trend", window: LAST_30, before: days(-59, -30) },
    asked: [
      "What is the trend of dashboard.viewed over the last 30 days?",
      "dashboard.viewed trend last 30 days",
      "Was dashboard.viewed used more or less in the last 30 days?",
      "Could you tell me whether dashboard.viewed usage is up or down over the past 30 days?",
      "is dashboard.viewed usage inceasing or decreasing in the last 30 days",
      "How is dashboard.viewed trending over the last 30 days?",
      "Are dashboard.viewed events going up or down in the last 30 days?",
      "I'm wondering whether usage of dashboard.viewed has been growing in the last 30 days",
    ],
  },
};
