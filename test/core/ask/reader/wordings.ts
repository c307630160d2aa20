/** Ordinary wordings of questions. Each row can fail for its own reason. */

/** By family: questions with their queries, as `plain` writes them. */
export const FAMILIES: Readonly<Record<string, readonly (readonly [question: string, query: string])[]>> = {
  names: [
    ["tell me about Pixelforge", "accounts summary | account is pixelforge"],
    ["how is halcyon doing?", "accounts summary | account is halcyon-health"],
    [
      "brihgtwater bank contract end date",
      "accounts value | account is brightwater-bank | measure account.contractEndsOn",
    ],
    ["which account is Omar Haddad with", "users value | user is omar.haddad | measure account"],
    ["whats up with quillworks", "accounts summary | account is quillworks"],
    ["how's Opaline looking", "accounts summary | account is opaline-optics"],
    ["catch me up on Northwind", "accounts summary | account is northwind-freight"],
    ["anything I should know about Pixelforge?", "accounts summary | account is pixelforge"],
    ["what's new with jonas weber", "users summary | user is jonas.weber"],
    ["what company does grace okafor work for", "users value | user is grace.okafor | measure account"],
    ["does jonas weber work at lumen", "users yes_no | account is lumen-energy | user is jonas.weber"],
  ],
  money: [
    [
      "Finance here - ARR of all customers in EMEA please",
      "accounts value | account.region is emea | stage is active | measure arr",
    ],
    [
      "when is northwind up for renewal?",
      "accounts when | account is northwind-freight | measure account.contractEndsOn",
    ],
    ["average MRR per emea account", "accounts value | account.region is emea | aggregate average | measure mrr"],
    ["total MRR emea", "accounts value | account.region is emea | measure mrr"],
    ["MRR by account", "accounts list | measure mrr"],
    ["our EUR MRR", "accounts value | currency is EUR | measure mrr"],
    ["what is our ARR by plan", "accounts value | measure arr | per plan"],
    ["renewals in the next 60 days", "accounts list | account.contractEndsOn within next 60 day"],
    ["which contracts have expired?", "accounts list | account.contractEndsOn to 2026-11-22"],
    ["Who pays over $5k?", "accounts list | currency is USD | mrr over 5000"],
    ["MRR at risk", "accounts value | health is at_risk | measure mrr"],
    [
      "how much MRR comes up for renewal in the next 60 days",
      "accounts value | account.contractEndsOn within next 60 day | measure mrr",
    ],
    ["who pays more than 2k a month", "accounts list | mrr over 2000"],
    ["mrr by health", "accounts value | measure mrr | per health"],
    ["revenue split between euro and dollar", "accounts value | currency in EUR,USD | measure mrr | per currency"],
    ["avg health of trials vs customers", "accounts value | stage in trial,active | measure score | per stage"],
    [
      "has revenue from Enterprise gone up this quarter",
      "accounts yes_no | plan is Enterprise | @ this quarter | vs before | measure mrr",
    ],
    [
      "how has our MRR changed since September",
      "accounts value | @ this day | vs from 2026-09-01 to 2026-09-01 | measure mrr",
    ],
    [
      "what did Halcyon pay in september",
      "accounts value | account is halcyon-health | @ from 2026-09-01 to 2026-09-30 | measure mrr",
    ],
    ["what's coming up for renewal", "accounts list | account.contractEndsOn within next 90 day"],
    [
      "which customer renews next",
      "accounts list | account.contractEndsOn from 2026-11-23 | stage is active | by account.contractEndsOn up | limit 1 | measure account.contractEndsOn",
    ],
    ["who has to renew before year end", "accounts list | account.contractEndsOn within from 2026-11-23 to 2026-12-31"],
    ["accounts with MRR over 2000", "accounts list | mrr over 2000"],
    [
      "contracts ending in the next 60 days, sorted by date",
      "accounts list | account.contractEndsOn within next 60 day | by account.contractEndsOn up | measure account.contractEndsOn",
    ],
    ["how many currencies do we bill in", "accounts count | per currency"],
    ["which contracts end in more than 90 days", "accounts list | account.contractEndsOn from 2027-02-22"],
    [
      "how much MRR did we lose in October",
      "accounts value | stage became churned | @ from 2026-10-01 to 2026-10-31 | measure mrr",
    ],
    ["which accounts pay nothing", "accounts list | mrr is 0"],
    [
      "next contract to expire",
      "accounts list | account.contractEndsOn from 2026-11-23 | by account.contractEndsOn up | measure account.contractEndsOn",
    ],
    ["accounts that don't pay anything", "accounts list | mrr is 0"],
    ["who pays more than 1.5k", "accounts list | mrr over 1500"],
  ],
  filters: [
    ["show me all plans", "accounts count | per plan"],
    [
      "customers per plan, excluding trials and anyone who has churned",
      "accounts count | stage is active | stage isNot churned | stage isNot trial | per plan",
    ],
    ["Ostrava Steel vs Lumen Energy", "accounts list | account in ostrava-steel,lumen-energy | measure score"],
    ["MRR split eur / usd", "accounts value | currency in EUR,USD | measure mrr | per currency"],
    ["which emea accounts are not healthy", "accounts list | account.region is emea | health isNot healthy"],
    ["accounts with 50+ seats not on Enterprise", "accounts list | plan isNot Enterprise | seats from 50"],
    ["customers in finance or healthcare", "accounts list | account.industry in finance,healthcare | stage is active"],
    ["users inactive for more than 14 days", "users list | active is false | @ last 14 day"],
    ["which accounts are neither healthy nor on watch", "accounts list | health isNot healthy | health isNot watch"],
    ["customers except those in apac", "accounts list | account.region isNot apac | stage is active"],
    ["all customers excluding trials", "accounts list | stage is active | stage isNot trial"],
    ["all but Enterprise accounts", "accounts list | plan isNot Enterprise"],
    ["customers with none in the last 30 days", "accounts list | active is false | stage is active | @ last 30 day"],
    [
      "accounts active in october but not in november",
      "accounts list | active is false @ from 2026-11-01 to 2026-11-23 | active is true @ from 2026-10-01 to 2026-10-31",
    ],
    ["accounts with between 10 and 50 seats", "accounts list | seats from 10 | seats to 50"],
    ["accounts with fewer than 3 users active this week", "accounts list | active_users under 3 | @ this week"],
    ["users active on more than 10 days this month", "users list | active_days over 10 | @ this month"],
    [
      "analysts at Halcyon who haven't exported anything this month",
      "users list | account is halcyon-health | event isNot report.exported | user.role is analyst | @ this month",
    ],
    [
      "hasn't Lumen exported this month",
      "accounts yes_no | account is lumen-energy | event isNot report.exported | @ this month",
    ],
    ["show only Enterprise accounts in apac", "accounts list | account.region is apac | plan is Enterprise"],
    ["which customers have no MRR set", "accounts list | mrr isUnknown true | stage is active"],
    ["items about accounts with no seats per plan", "items count | seats is 0 | per plan"],
    [
      "please number of inbox items about companies with a known industry with no known status per severity",
      "items count | account.industry isUnknown false | status isUnknown true | per severity",
    ],
    [
      "please number of companies that were active per plan in the last 4 days",
      "accounts count | active is true | @ last 4 day | per plan",
    ],
    ["which accounts don't pay in EUR", "accounts list | currency isNot EUR"],
    [
      "which accounts use API Called and have more than 20 seats",
      "accounts list | event is api.called | seats over 20",
    ],
    [
      "which accounts used API Called on more than 10 days",
      "accounts list | active_days over 10 | event is api.called",
    ],
    [
      "which customers that were healthy on October 1 use forecasts",
      "accounts list | event is forecast.created | health is healthy asOf 2026-10-01 | stage is active",
    ],
  ],
  health: [
    ["health score for each account", "accounts list | measure score"],
    [
      "cobalt insurance health over the past 2 months",
      "accounts value | account is cobalt-insurance | @ last 2 month | vs before | measure score",
    ],
    [
      "who moved from healthy into watch or at risk since the beginning of October",
      "accounts list | health in watch,at_risk | health is healthy asOf 2026-09-30",
    ],
    [
      "are all enterprise customers healthy?",
      "accounts share | health is healthy | of plan is Enterprise | of stage is active",
    ],
    ["which accounts were at risk on 1 October", "accounts list | health is at_risk asOf 2026-10-01"],
    ["rank customers by health score", "accounts list | stage is active | measure score"],
    [
      "what's the median health score in the team plan",
      "accounts value | plan is Team | aggregate median | measure score",
    ],
    [
      "score of rowan pharma on 1 october",
      "accounts value | account is rowan-pharma | @ from 2026-10-01 to 2026-10-01 | measure score",
    ],
    ["which accounts became at risk this week", "accounts list | health became at_risk | @ this week"],
    ["why is Kestrel marked as healthy?", "accounts why | account is kestrel-analytics | health is healthy"],
    [
      "how long has Kestrel been at risk?",
      "accounts when | account is kestrel-analytics | health became at_risk | @ all",
    ],
    ["who recovered from at risk?", "accounts list | health became healthy | health is at_risk asOf 2026-10-26"],
    ["which red accounts turned green?", "accounts list | health became healthy | health is at_risk asOf 2026-10-26"],
    ["is Kestrel a paying customer or did it churn?", "accounts value | account is kestrel-analytics | measure stage"],
    [
      "has the champion of Kestrel left?",
      "accounts yes_no | account is kestrel-analytics | item_kind is key_user_quiet",
    ],
    ["accounts whose champion is still around", "accounts list | item_kind isNot key_user_quiet"],
    ["which accounts have not lost their champion", "accounts list | item_kind isNot key_user_quiet"],
    [
      "who went quiet in october and came back",
      "users list | active is false @ from 2026-10-01 to 2026-10-31 | active is true @ from 2026-11-01 to 2026-11-23",
    ],
    ["how many accounts are at risk and how much mrr do they have", "accounts list | health is at_risk | measure mrr"],
    ["trials that ended without converting", "accounts list | stage isNot active | trial_ends to 2026-11-22"],
    [
      "since when does Kestrel use forecasts",
      "features when | account is kestrel-analytics | event is forecast.created | measure first_seen",
    ],
    [
      "which accounts cut seats this quarter, with their MRR",
      "accounts list | seats changed down | @ this quarter | measure mrr",
    ],
    ["what plans do we have", "accounts count | per plan"],
    ["mid-sized accounts (20-60 seats)", "accounts list | seats from 20 | seats to 60"],
    ["what share of our customers is healthy", "accounts share | health is healthy | of stage is active"],
    ["which plan has the worst health", "accounts value | by score up | measure score | per plan"],
    ["breakdown of customers by health", "accounts count | stage is active | per health"],
    [
      "which accounts are no longer healthy",
      "accounts list | health is healthy asOf 2026-10-26 | health isNot healthy",
    ],
    [
      "which accounts went from healthy to at risk",
      "accounts list | health became at_risk | health is healthy asOf 2026-10-26",
    ],
    ["biggest score drops last 2 weeks", "accounts list | @ last 2 week | vs before | by change up | measure score"],
    ["who got better this month", "accounts list | @ this month | vs before | by change down | measure score"],
    ["did Kestrel's health get better", "accounts yes_no | account is kestrel-analytics | vs before | measure score"],
    ["accounts at risk today", "accounts list | health is at_risk"],
    [
      "how many customers are healthy, on watch and at risk",
      "accounts count | health in healthy,watch,at_risk | stage is active | per health",
    ],
    ["the customer Lumen, is it healthy or at risk", "accounts value | account is lumen-energy | measure health"],
    ["new at-risk accounts", "accounts list | health became at_risk"],
    [
      "which healthy accounts lost score this week",
      "accounts list | health is healthy | @ this week | vs before | by change up | measure score",
    ],
    [
      "which accounts that were at risk on October 1 churned",
      "accounts list | health is at_risk asOf 2026-10-01 | stage is churned",
    ],
  ],
  stages: [
    [
      "which accounts moved from Team to Business this quarter",
      "accounts list | plan became Business | plan is Team asOf 2026-09-30 | @ this quarter",
    ],
    ["who churned last month", "accounts list | stage became churned | @ previous month"],
    ["how many trials converted this quarter", "accounts count | stage became active | @ this quarter"],
    ["trials ending this week", "accounts list | stage is trial | trial_ends within this week"],
    ["which accounts upgraded to Enterprise", "accounts list | plan became Enterprise"],
    [
      "new enterprise customers this quarter",
      "accounts list | plan is Enterprise | stage became active | @ this quarter",
    ],
    ["how many trials did we start last month", "accounts count | stage became trial | @ previous month"],
    ["what share of trials converted", "accounts share | stage became active | of stage is trial asOf 2026-10-26"],
    ["which trials are about to expire", "accounts list | stage is trial | trial_ends within next 30 day"],
    ["when does the trial of Sable end", "accounts when | account is sable-robotics | measure trial_ends"],
    ["trials that ran out last week", "accounts list | trial_ends within previous week"],
    ["accounts created before September", "accounts list | first_seen to 2026-08-31"],
    [
      "expired trials that are still being used",
      "accounts list | active is true | stage is trial | trial_ends to 2026-11-22",
    ],
    ["which trials expired last month", "accounts list | trial_ends within previous month"],
    [
      "how many trials churned in October",
      "accounts count | stage became churned | stage is trial asOf 2026-09-30 | @ from 2026-10-01 to 2026-10-31",
    ],
    [
      "which customers became trials in October",
      "accounts list | stage became trial | stage is active asOf 2026-09-30 | @ from 2026-10-01 to 2026-10-31",
    ],
    [
      "which accounts joined the Business plan in October",
      "accounts list | plan became Business | @ from 2026-10-01 to 2026-10-31",
    ],
    ["did Lumen move to Business", "accounts yes_no | account is lumen-energy | plan became Business"],
    ["trials on october 1 that churned", "accounts list | stage is churned | stage is trial asOf 2026-10-01"],
    [
      "when does the next trial end",
      "accounts when | trial_ends from 2026-11-23 | by trial_ends up | measure trial_ends",
    ],
    ["trials with activity in the last 3 days", "accounts list | active is true | stage is trial | @ last 3 day"],
  ],
  seats: [
    ["more seats than active users", "accounts list | seat_use under 100"],
    ["which customers have more active people than seats?", "accounts list | seat_use over 100 | stage is active"],
    ["accounts below 40% seat utilisation", "accounts list | seat_use under 40"],
    ["which accounts reduced seats this month", "accounts list | seats changed down | @ this month"],
    ["which customers have cut licenses", "accounts list | seats changed down | stage is active"],
    ["accounts using all their seats", "accounts list | seat_use from 100"],
    ["which accounts pay for seats they don't use", "accounts list | seat_use under 100"],
    ["which accounts have more users than seats", "accounts list | seat_use over 100"],
    [
      "seats vs active users at Kestrel",
      "accounts list | account is kestrel-analytics | measure seats | with active_users",
    ],
    ["unused seats at Northwind", "accounts value | account is northwind-freight | measure seat_use"],
  ],
  users: [
    ["how many active days does Omar Haddad have", "users value | user is omar.haddad | measure active_days"],
    ["users last seen in October", "users list | last_seen within from 2026-10-01 to 2026-10-31"],
    [
      "top 3 users at Ostrava Steel over the past 30 days",
      "users list | account is ostrava-steel | @ last 30 day | limit 3 | measure events",
    ],
    ["how many new users last week", "users count | first_seen within previous week"],
    ["list managers who create alerts", "users list | event is alert.created | user.role is manager"],
    ["who is the most active user overall", "users list | limit 1 | measure events"],
    ["how many admins does Northwind have", "users count | account is northwind-freight | user.role is admin"],
    ["how many admins per account", "users count | user.role is admin | per account"],
    ["which role is most active", "events value | measure events | per user.role"],
    ["who joined Lumen last week", "users list | account is lumen-energy | first_seen within previous week"],
    ["which account has the most users", "users count | per account"],
    ["users last seen more than 30 days ago", "users list | last_seen to 2026-10-23"],
    ["is Grace an active user", "users yes_no | active is true | user is grace.okafor"],
    ["list users of Sable Robotics", "users list | account is sable-robotics"],
    [
      "has anybody from Lumen been in the tool since last Monday",
      "users yes_no | account is lumen-energy | active is true | @ from 2026-11-16 to 2026-11-23",
    ],
    [
      "who are the top 3 users at Kestrel and when were they last active",
      "users list | account is kestrel-analytics | limit 3 | measure events | with last_seen",
    ],
    ["who is the most active at Enterprise accounts", "users list | plan is Enterprise | measure events"],
    [
      "who at Lumen or Meridian uses forecasts",
      "users list | account in lumen-energy,meridian-air | event is forecast.created | measure events",
    ],
    [
      "who at Lumen is more active than last month",
      "users list | account is lumen-energy | @ this month | vs previous month | by change down | measure events",
    ],
    ["users and their accounts", "users list | measure account"],
    ["who is inactive at at-risk accounts", "users list | active is false | health is at_risk"],
    ["which user has the most active days", "users list | limit 1 | measure active_days"],
    ["users with activity yesterday", "users list | active is true | @ previous day"],
  ],
  features: [
    [
      "Accounts that use forecasts and have more than 10 active users",
      "accounts list | active_users over 10 | event is forecast.created @ last 28 day",
    ],
    [
      "Renewing customers with no exports last month",
      "accounts list | account.contractEndsOn within next 90 day | event isNot report.exported @ previous month | stage is active",
    ],
    [
      "Expired trials that were active last week",
      "accounts list | active is true @ previous week | stage is trial | trial_ends to 2026-11-22",
    ],
    ["New users active yesterday", "users list | active is true | first_seen within last 28 day | @ previous day"],
    [
      "MRR change of Enterprise accounts in October",
      "accounts value | plan is Enterprise | @ from 2026-10-01 to 2026-10-31 | vs before | measure mrr",
    ],
    [
      "MRR at risk on 1 October",
      "accounts value | health is at_risk asOf 2026-10-01 | @ from 2026-10-01 to 2026-10-01 | measure mrr",
    ],
    ["Renewals by MRR", "accounts list | account.contractEndsOn within next 90 day | measure mrr"],
    [
      "Trials ending soon by active users this week",
      "accounts list | stage is trial | trial_ends within next 30 day | @ this week | measure active_users",
    ],
    ["At risk accounts with events last week", "accounts list | active is true | health is at_risk | @ previous week"],
    ["Accounts with seats but no MRR", "accounts list | mrr isUnknown true | measure seats"],
    [
      "customers whose trial ended in October",
      "accounts list | stage is active | trial_ends within from 2026-10-01 to 2026-10-31",
    ],
    ["most active users with role", "users list | measure events | with user.role"],
    [
      "top 5 accounts by exports with plan",
      "accounts list | event is report.exported | limit 5 | measure events | with plan",
    ],
    [
      "which accounts dropped forecast",
      "accounts list | event is forecast.created @ all | event isNot forecast.created",
    ],
    [
      "expiring trials in emea",
      "accounts list | account.region is emea | stage is trial | trial_ends within next 30 day",
    ],
    [
      "compare exports to last month",
      "events value | event is report.exported | @ this month | vs previous month | measure events",
    ],
    ["features used most by Enterprise accounts", "features list | plan is Enterprise | measure events"],
    ["which feature is most used by trials", "features list | stage is trial | limit 1 | measure events"],
    ["which features has Halcyon never used", "features list | account is halcyon-health | active is false @ all"],
    ["which features did Lumen use", "features list | account is lumen-energy | active is true"],
    ["features with adoption over 50%", "features list | adoption over 50"],
    ["does Lumen use forecasts?", "accounts yes_no | account is lumen-energy | event is forecast.created"],
    ["which accounts have never created a forecast", "accounts list | event isNot forecast.created @ all"],
    ["which features are no longer used", "features list | active is false | active is true @ all"],
    [
      "when was Report Scheduled last used at Quillworks",
      "features when | account is quillworks | event is report.scheduled | measure last_seen",
    ],
    [
      "which features hasn't Lumen used in the last 30 days",
      "features list | account is lumen-energy | active is false | @ last 30 day",
    ],
    ["top 5 features by accounts", "features list | limit 5 | measure active_accounts"],
    ["forecast adoption by plan", "accounts count | event is forecast.created | per plan"],
    [
      "what's the adoption rate of alerts among Enterprise customers",
      "features list | event is alert.created | plan is Enterprise | stage is active | measure adoption",
    ],
    [
      "when did Kestrel start using forecasts",
      "features when | account is kestrel-analytics | event is forecast.created | measure first_seen",
    ],
    ["last time anyone used filters", "features list | event is filter.saved | measure last_seen"],
    ["how is the forecast feature doing", "features summary | event is forecast.created"],
    ["average exports per account", "accounts value | event is report.exported | aggregate average | measure events"],
    [
      "how many API calls did Delta Grid make",
      "events value | account is delta-grid | event is api.called | measure events",
    ],
    [
      "who saved filters last month, grouped by plan",
      "users count | event is filter.saved | @ previous month | per plan",
    ],
    [
      "when did Quillworks share a report for the first time",
      "features when | account is quillworks | event is report.shared | measure first_seen",
    ],
    ["how many accounts have used forecasts at all", "accounts count | event is forecast.created | @ all"],
    ["what's the most popular feature among trials", "features list | stage is trial | measure events"],
    ["which accounts have ever used scheduled reports", "accounts list | event is report.scheduled | @ all"],
    ["did every user at Halcyon export", "users share | event is report.exported | of account is halcyon-health"],
    ["which features gained users", "features list | vs before | by change down | measure active_users"],
    [
      "what has Halcyon stopped using",
      "features list | account is halcyon-health | active is false | active is true @ all",
    ],
    [
      "what does Halcyon use more than last month",
      "features list | account is halcyon-health | @ this month | vs previous month | by change down | measure events",
    ],
    ["who has used the most features this month", "users list | @ this month | limit 1 | measure features_used"],
  ],
  activity: [
    [
      "top 10 exporters last month",
      "users list | event is report.exported | @ previous month | limit 10 | measure events",
    ],
    ["people who only comment", "users list | event is comment.added | features_used is 1 @ last 28 day"],
    [
      "accounts that view reports but never export them",
      "accounts list | event is report.viewed | event isNot report.exported @ all",
    ],
    ["who commented more than twice this week", "users list | event is comment.added | events over 2 | @ this week"],
    [
      "accounts with more than 10 people sharing reports",
      "accounts list | active_users over 10 | event is report.shared",
    ],
    [
      "accounts that exported in October but not in November",
      "accounts list | event is report.exported @ from 2026-10-01 to 2026-10-31 | event isNot report.exported @ from 2026-11-01 to 2026-11-23",
    ],
    [
      "who hasn't viewed a report in 45 days but did before",
      "users list | event is report.viewed @ all | event isNot report.viewed | @ last 45 day",
    ],
    [
      "who stopped exporting in October",
      "users list | event is report.exported @ from 2026-10-01 to 2026-10-31 | event isNot report.exported @ from 2026-11-01 to 2026-11-23",
    ],
    [
      "Has priya nair stopped using alerts?",
      "users yes_no | event is alert.created @ all | event isNot alert.created | user is priya.nair",
    ],
    [
      "first-time users of forecasts this month",
      "users list | event is forecast.created @ this month | event isNot forecast.created @ from 2026-08-25 to 2026-10-31 | @ this month",
    ],
    [
      "no syncs at Lumen since 1 november",
      "accounts yes_no | account is lumen-energy | event isNot data.source.synced | @ from 2026-11-01 to 2026-11-23",
    ],
    ["exports by analysts", "events value | event is report.exported | user.role is analyst | measure events"],
    [
      "how many users exported per day last week",
      "events value | event is report.exported | @ previous week | measure active_users | per day",
    ],
    ["what does Lumen use most", "features list | account is lumen-energy | measure events"],
    ["what did omar do last", "features list | user is omar.haddad | limit 1 | measure last_seen"],
    ["who uses Lumen's account", "users list | account is lumen-energy"],
    ["has anyone tried forecasts yet", "users yes_no | event is forecast.created | @ all"],
    ["accounts using fewer than 3 features", "accounts list | features_used under 3"],
    ["accounts by number of commenters", "accounts list | event is comment.added | measure active_users"],
    ["share of active users who scheduled a report", "users share | event is report.scheduled | of active is true"],
    [
      "forecast adoption per week since launch",
      "events value | event is forecast.created | @ all | measure active_accounts | per week",
    ],
    [
      "are hugo moreau and ines silva at the same company",
      "users list | user in hugo.moreau,ines.silva | measure account",
    ],
    ["events by type at lumen", "events value | account is lumen-energy | measure events | per event"],
    ["exports by enterprise accounts", "events value | event is report.exported | plan is Enterprise | measure events"],
    [
      "exports of accounts that churned in October",
      "events value | event is report.exported | stage became churned @ from 2026-10-01 to 2026-10-31 | measure events",
    ],
    [
      "exports before october 1",
      "events value | event is report.exported | @ from 2026-08-25 to 2026-09-30 | measure events",
    ],
  ],
  series: [
    [
      "how many active accounts per month",
      "events value | @ from 2026-09-01 to 2026-11-23 | measure active_accounts | per month",
    ],
    [
      "events per day at Lumen in October",
      "events value | account is lumen-energy | @ from 2026-10-01 to 2026-10-31 | measure events | per day",
    ],
    ["daily active users for the last 14 days", "events value | @ last 14 day | measure active_users | per day"],
    ["usage last week vs the week before", "events value | @ previous week | vs before | measure events"],
    [
      "are events up or down compared to last month",
      "events value | @ this month | vs previous month | measure events",
    ],
    ["last 30 days vs previous 30 days", "events value | @ last 30 day | vs before | measure events"],
    [
      "which day had the most exports",
      "events value | event is report.exported | by events down | measure events | per day",
    ],
    [
      "how much did usage drop at Kestrel",
      "events value | account is kestrel-analytics | vs before | by change up | measure events",
    ],
    [
      "how did usage change from september to october",
      "events value | @ from 2026-10-01 to 2026-10-31 | vs from 2026-09-01 to 2026-09-30 | measure events",
    ],
    [
      "Were there more active accounts last month than the month before?",
      "events yes_no | @ previous month | vs from 2026-09-01 to 2026-09-30 | measure active_accounts",
    ],
    [
      "Did Enterprise customers export more in October than in September?",
      "events yes_no | event is report.exported | plan is Enterprise | stage is active | @ from 2026-10-01 to 2026-10-31 | vs from 2026-09-01 to 2026-09-30 | measure events",
    ],
    [
      "which accounts were less active than last month",
      "accounts list | @ this month | vs previous month | by change up | measure events",
    ],
    ["is sharing growing or shrinking", "events value | event is report.shared | vs before | measure events"],
    [
      "is Lumen's usage lower than a month ago",
      "events yes_no | account is lumen-energy | @ last 1 month | vs before | by change up | measure events",
    ],
    [
      "exports compared to the same time last month",
      "events value | event is report.exported | @ this month | vs previous month | measure events",
    ],
    [
      "how is usage trending since September",
      "events value | @ from 2026-09-01 to 2026-11-23 | measure events | per week",
    ],
    ["active users in each of the last 6 weeks", "events value | @ last 6 week | measure active_users | per week"],
    [
      "monthly active users for September, October, November",
      "events value | @ from 2026-09-01 to 2026-11-23 | measure active_users | per month",
    ],
    [
      "MRR at the end of last quarter vs now",
      "accounts value | @ this day | vs from 2026-09-30 to 2026-09-30 | measure mrr",
    ],
    ["compare this week to last week", "events value | @ this week | vs previous week | measure events"],
    ["usage in September and October", "events value | @ from 2026-09-01 to 2026-10-31 | measure events | per month"],
  ],
  comparisons: [
    [
      "who has more users, Juniper or Fieldstone",
      "users count | account in juniper-foods,fieldstone-farms | per account",
    ],
    [
      "Tomas or Grace: who exports more",
      "users list | event is report.exported | user in tomas.novak,grace.okafor | measure events",
    ],
    [
      "does emea or amer have more customers",
      "accounts count | account.region in emea,amer | stage is active | per account.region",
    ],
    [
      "average score: emea vs apac vs amer",
      "accounts value | account.region in emea,apac,amer | measure score | per account.region",
    ],
    [
      "are Halcyon and Meridian on the same plan",
      "accounts list | account in halcyon-health,meridian-air | measure plan",
    ],
    ["what share of active users scheduled a report", "users share | event is report.scheduled | of active is true"],
    [
      "how many dashboards were opened by Lumen vs Kestrel last month",
      "accounts list | account in lumen-energy,kestrel-analytics | event is dashboard.opened | @ previous month | measure events",
    ],
    [
      "compare Sable with Pixelforge over the last month",
      "accounts list | account in sable-robotics,pixelforge | @ last 1 month | measure events",
    ],
    [
      "report views in November vs October, per account",
      "accounts list | event is report.viewed | @ from 2026-11-01 to 2026-11-23 | vs from 2026-10-01 to 2026-10-31 | measure events",
    ],
    ["which customers are slipping", "accounts list | stage is active | vs before | by change up | measure events"],
    [
      "is Brightwater using more features than before",
      "accounts yes_no | account is brightwater-bank | vs before | measure features_used",
    ],
  ],
  rankings: [
    [
      "second largest Enterprise client by seats",
      "accounts list | plan is Enterprise | stage is active | limit 2 | measure seats",
    ],
    ["retail accounts, lowest score first", "accounts list | account.industry is retail | by score up | measure score"],
    [
      "which accounts have the fewest active users? top 5",
      "accounts list | by active_users up | limit 5 | measure active_users",
    ],
    ["trials by trial end, latest first", "accounts list | stage is trial | measure trial_ends"],
    [
      "biggest week-on-week drop in exports",
      "accounts list | event is report.exported | @ previous week | vs before | by change up | measure events",
    ],
    [
      "which account lost the most points this month",
      "accounts list | @ this month | vs before | by change up | limit 1 | measure score",
    ],
    ["top 3 industries by active users", "events value | limit 3 | measure active_users | per account.industry"],
    ["which account uses the most features", "accounts list | limit 1 | measure features_used"],
    [
      "accounts with number of exports last month",
      "accounts list | event is report.exported | @ previous month | measure events",
    ],
  ],
  groups: [
    ["health score distribution", "accounts count | per health"],
    ["which industries do our trials come from", "accounts count | stage is trial | per account.industry"],
    [
      "exports per user by plan",
      "users value | event is report.exported | aggregate average | measure events | per plan",
    ],
    [
      "For every Enterprise account: score and seats",
      "accounts list | plan is Enterprise | measure score | with seats",
    ],
    ["plans by MRR", "accounts value | measure mrr | per plan"],
    ["regions by number of customers", "accounts count | stage is active | per account.region"],
  ],
  inbox: [
    ["which accounts have the most notices", "items count | per account"],
    ["open notices by severity", "items count | status is open | per severity"],
    ["critical notices for enterprise accounts", "items list | plan is Enterprise | severity is critical"],
    ["what was dismissed this week", "items list | dismissed within this week"],
    ["list trial ending notices", "items list | item_kind in trial_ending_low_activity,trial_ending_ready"],
    ["which customers have open notices", "accounts list | item_kind isUnknown false | stage is active"],
    ["accounts with no open notices", "accounts list | item_kind isUnknown true"],
    ["how many notices per kind last month", "items count | opened within previous month | per item_kind"],
    ["Who has a healthy score AND an upsell notice?", "accounts list | health is healthy | item_kind is usage_growth"],
    ["what is snoozed", "items list | status is snoozed"],
    ["critical and high notices", "items list | severity in critical,high"],
    ["which notices have been open for more than 30 days", "items list | opened to 2026-10-24 | status is open"],
    ["highest severity notices", "items list | severity is critical"],
    [
      "how many accounts have gone silent since 1 October",
      "items count | item_kind is gone_silent | opened within from 2026-10-01 to 2026-11-23",
    ],
  ],
  greetings: [
    [
      "Good morning! could you tell me which of our enterprise accounts are at risk? thanks!",
      "accounts list | health is at_risk | plan is Enterprise",
    ],
    ["what's in the inbox", "items list | status is open"],
    ["inbox today how many new", "items count | opened within this day"],
    ["hi team, papercrane plan?", "accounts value | account is papercrane | measure plan"],
    [
      "hope you're well - which customers are at risk in emea",
      "accounts list | account.region is emea | health is at_risk | stage is active",
    ],
    [
      "I have a QBR with Halcyon on Friday, how is their usage?",
      "events value | account is halcyon-health | measure events",
    ],
    ["thanks for yesterday! now: MRR by plan", "accounts value | measure mrr | per plan"],
  ],
  misspellings: [
    ["score betwen 50 and 60", "accounts list | score from 50 | score to 60"],
    ["unhelthy acounts in finace", "accounts list | account.industry is finance | health is at_risk"],
    [
      "exprots per week since octobr",
      "events value | event is report.exported | @ from 2026-10-01 to 2026-11-23 | measure events | per week",
    ],
    ["renwals in the next 90 dyas", "accounts list | account.contractEndsOn within next 90 day"],
    ["Acounts on the Bussiness plan", "accounts list | plan is Business"],
    ["reatil companys at rsik", "accounts list | account.industry is retail | health is at_risk"],
    ["Pixel Forge usage last mth", "events value | account is pixelforge | @ previous month | measure events"],
    ["omar hadad activty", "events value | user is omar.haddad | measure events"],
    ["seats of one oak stduio", "accounts value | account is one-oak-studio | measure seats"],
    ["larkspur clinic mrr", "accounts value | account is larkspur-clinics | measure mrr"],
  ],
  "small talk": [
    [
      "I've got a call with Meridian in 10 minutes, what do I need to know?",
      "accounts summary | account is meridian-air",
    ],
    ["I'm visiting Lumen tomorrow so give me a quick overview", "accounts summary | account is lumen-energy"],
    [
      "my boss wants to know how many Enterprise customers we have",
      "accounts count | plan is Enterprise | stage is active",
    ],
    [
      "someone from Nimbus is asking how many seats they have",
      "accounts value | account is nimbus-hosting | measure seats",
    ],
    [
      "exports for the board deck last week",
      "events value | event is report.exported | @ previous week | measure events",
    ],
    [
      "For our QBR with Northwind on Friday I need their MRR",
      "accounts value | account is northwind-freight | measure mrr",
    ],
    ["Hiya! Quick one: trials per region", "accounts count | stage is trial | per account.region"],
    [
      "logistics customers, last seen each",
      "accounts list | account.industry is logistics | stage is active | measure last_seen",
    ],
    ["sort the automotive ones by seats", "accounts list | account.industry is automotive | measure seats"],
    ["overview of Lumen before our call at 4, thanks", "accounts summary | account is lumen-energy"],
    ["call with Kestrel in 5 min, whats the latest", "accounts summary | account is kestrel-analytics"],
    [
      "customers with over 50 seats but fewer than 10 people active",
      "accounts list | active_users under 10 | seats over 50 | stage is active",
    ],
    ["what did Maria Lopez do last week", "features list | user is maria.lopez | @ previous week | measure events"],
    ["number of notices about accounts whose seats are over 10 by plan", "items count | seats over 10 | per plan"],
    [
      "active people per role, yesterday thanks",
      "events value | @ previous day | measure active_users | per user.role",
    ],
    [
      "how many accounts first seen in October have no open notice of critical severity",
      "accounts count | first_seen within from 2026-10-01 to 2026-10-31 | severity isNot critical",
    ],
    [
      "show me active companies per week from 26 October 2026 to 17 November 2026",
      "events value | @ from 2026-10-26 to 2026-11-17 | measure active_accounts | per week",
    ],
    ["admins at our Team customers", "users list | plan is Team | stage is active | user.role is admin"],
    ["everyone at Lumen with their last activity", "users list | account is lumen-energy | measure last_seen"],
    [
      "Got a call with Juniper Foods in ten minutes, what did they do in the last 2 weeks?",
      "accounts summary | account is juniper-foods | @ last 2 week",
    ],
    [
      "Hi! Quick one before my 10 o'clock: when was Harbor Legal last active? Thanks a lot",
      "accounts when | account is harbor-legal | measure last_seen",
    ],
  ],
};
