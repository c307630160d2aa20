/** Questions about a person, by different people. */
import type { UserPlan } from "../../../src/core/ask/model.ts";
import type { Phrasings, UserCase } from "./phrasings.ts";
import { COMMENTED, days, EXPORTED, JONAS, MARIA, VIEWED } from "./world.ts";

const maria = { subject: "user", user: MARIA } as const;
const jonas = { subject: "user", user: JONAS } as const;
const LAST_WEEK = days(-12, -6);
const OCTOBER = days(-51, -21);
const LAST_14 = days(-13, 0);
const USUAL = days(-27, 0);
const BEFORE_USUAL = days(-55, -28);

export const USER_PHRASINGS: Readonly<Record<UserCase, Phrasings<UserPlan>>> = {
  last_seen: {
    plan: { ...maria, measure: "last_seen" },
    asked: [
      "When was Maria Lopez last seen?",
      "Maria Lopez last active",
      "When was anything last done by Maria Lopez?",
      "Could you tell me when Maria Lopez was last active, please?",
      "when was maria lopez last acitve?",
      "Last sign of life from maria@acme.example?",
      "How many days ago was Maria Lopez last seen?",
      "I'd like to know how long Maria Lopez has been inactive",
    ],
  },
  first_seen: {
    plan: { ...maria, measure: "first_seen" },
    asked: [
      "When was Maria Lopez first seen?",
      "maria lopez first event",
      "When was Maria Lopez first recorded?",
      "Could you please tell me when Maria Lopez was first active?",
      "wehn was maria lopez first seen",
      "When did maria@acme.example join?",
      "When were the first events of Maria Lopez?",
      "I'm curious since when Maria Lopez has been around",
    ],
  },
  account: {
    plan: { ...jonas, measure: "account" },
    asked: [
      "Which account does Jonas Weber belong to?",
      "Jonas Weber account",
      "Which company is Jonas Weber employed by?",
      "Could you tell me which customer Jonas Weber is with, please?",
      "whcih account is jonas weber in",
      "Which org is u.42 part of?",
      "Which accounts does Jonas Weber belong to?",
      "I'd like to know where Jonas Weber works",
    ],
  },
  trait: {
    plan: { ...maria, measure: "trait", key: "nickname" },
    asked: [
      "What is Maria Lopez's nickname?",
      "Maria Lopez nickname",
      "What nickname does Maria Lopez have?",
      "Please tell me Maria Lopez's nickname",
      "what is maria lopez's nickname",
      "Show maria@acme.example's nickname",
      "What is the nickname of Maria Lopez?",
      "I'd like to know the nickname of Maria Lopez",
    ],
  },
  event_count: {
    plan: { ...maria, measure: "event_count", window: LAST_WEEK },
    asked: [
      "How many events did Maria Lopez have last week?",
      "Maria Lopez events last week",
      "How many events were triggered by Maria Lopez last week?",
      "Could you please tell me how many events Maria Lopez had last week?",
      "how mnay events did maria lopez have last week",
      "What was maria@acme.example's event volume last week?",
      "How many things did Maria Lopez do last week?",
      "I'd like to know how much Maria Lopez used the product last week",
    ],
  },
  "event_count of a feature": {
    plan: { ...jonas, measure: "event_count", window: OCTOBER, feature: COMMENTED },
    asked: [
      "How many comments did Jonas Weber add in October?",
      "Jonas Weber comment_added count October",
      "How many comments were added by Jonas Weber in October?",
      "Could you tell me how often Jonas Weber used comment_added in October?",
      "how mnay times did jonas weber use comment_added in october",
      "What was u.42's comment_added volume in Oct 2026?",
      "How many comment_added events did Jonas Weber have during October?",
      "I'd like to know how often comments were added by Jonas Weber in October",
    ],
  },
  active_days: {
    plan: { ...maria, measure: "active_days", window: LAST_14 },
    asked: [
      "On how many days was Maria Lopez active in the last 14 days?",
      "Maria Lopez active days last 14 days",
      "On how many days was the product used by Maria Lopez in the past two weeks?",
      "Could you tell me on how many of the last 14 days Maria Lopez was active?",
      "on how mnay days was maria lopez active in the last 14 days",
      "Active day count of maria@acme.example, last 14 days?",
      "How many days with activity did Maria Lopez have in the last 2 weeks?",
      "I'd like to know the number of days Maria Lopez was active in the last fortnight",
    ],
  },
  "active_days of a feature": {
    plan: { ...maria, measure: "active_days", window: LAST_14, feature: VIEWED },
    asked: [
      "On how many days did Maria Lopez use dashboard.viewed in the last 14 days?",
      "number of days Maria Lopez used dashboard.viewed last 14 days",
      "On how many days was dashboard.viewed used by Maria Lopez in the last 14 days?",
      "Could you tell me on how many days Maria Lopez used dashboard.viewed in the last 14 days?",
      "on how mnay days did maria lopez use dashboard.viewed in the last 14 days",
      "On how many distinct days did maria@acme.example trigger dashboard.viewed in the past 14 days?",
      "On how many days were dashboards viewed by Maria Lopez over the last two weeks?",
      "I'd like to know on how many days Maria Lopez viewed dashboards in the last 14 days",
    ],
  },
  features_used: {
    plan: { ...jonas, measure: "features_used", window: LAST_14 },
    asked: [
      "Which features did Jonas Weber use in the last 14 days?",
      "features used by Jonas Weber last 14 days",
      "Which features were used by Jonas Weber in the last 14 days?",
      "Could you list the features that Jonas Weber used in the last 14 days?",
      "whcih features did jonas weber use in the last 14 days",
      "Which event types did u.42 trigger in the last 14 days?",
      "What parts of the product did Jonas Weber use in the last two weeks?",
      "I'd like to see what Jonas Weber used in the last 14 days",
    ],
  },
  uses_feature: {
    plan: { ...jonas, measure: "uses_feature", window: LAST_WEEK, feature: EXPORTED },
    asked: [
      "Did Jonas Weber use report.exported last week?",
      "Jonas Weber using report.exported last week",
      "Was report.exported used by Jonas Weber last week?",
      "Could you tell me whether Jonas Weber used report.exported last week?",
      "did jonas weber ues report.exported last week",
      "Did u.42 touch report.exported last week?",
      "Were reports exported by Jonas Weber last week?",
      "I'd like to know if Jonas Weber exported a report last week",
    ],
  },
  trend: {
    plan: { ...maria, measure: "trend", window: USUAL, before: BEFORE_USUAL },
    asked: [
      "What is the usage trend of Maria Lopez?",
      "Maria Lopez trend",
      "Is the product used more or less by Maria Lopez?",
      "Could you tell me whether Maria Lopez's activity is going up or down?",
      "is maria lopez's usage inceasing or decreasing",
      "How is maria@acme.example's engagement trending?",
      "Are Maria Lopez's events rising or falling?",
      "I'm wondering which way Maria Lopez's usage is heading",
    ],
  },
};
