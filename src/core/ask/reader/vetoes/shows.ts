/** Vetoes on what is shown: figures, forms, rankings and comparisons that don't fit the filters or the time. */
import { isWindowed } from "../../query/canonical.ts";
import { isChange, isMoney, isPeriod } from "../../query/check.ts";
import { ACTIVITY, DAILY_MEASURES } from "../../query/dimensions.ts";
import type { Query } from "../../query/model.ts";
import { comparesWithEntity } from "../../query/subjects.ts";
import { windowDays } from "../../query/windows.ts";
import { filtersOn, findsOneEntity, namesSeveralEntities } from "../draft/context.ts";
import type { Veto } from "./veto.ts";

const isRanked = ({ order, compare, per }: Query): boolean =>
  order !== undefined && compare === undefined && per === undefined;

const isOfAll = ({ window }: Query): boolean => window !== undefined && "all" in window;

const isDaily = ({ measure = "" }: Query): boolean => DAILY_MEASURES.has(measure);

const isOfAccount = ({ where }: Query): boolean =>
  where.some(({ dimension, is }) => dimension === "account" && is !== undefined);

const isInactive = ({ where }: Query): boolean =>
  where.some(({ dimension, is, window }) => dimension === "active" && is === false && window === undefined);

export const SHOW_VETOES: readonly Veto[] = [
  {
    example: "Lumen's lowest score",
    reason: "One account has no ranking, and its values over time aren't ranked.",
    vetoes: (query) => isRanked(query) && findsOneEntity(query),
  },
  {
    example: "fewest events yesterday",
    reason: "A total has no order.",
    vetoes: (query) => isRanked(query) && query.find === "events",
  },
  {
    example: "how many seats do our 5 biggest customers have",
    reason: "One number has no rows to limit: it would be the total of all.",
    vetoes: ({ limit, show, per }) => limit !== undefined && show !== "list" && per === undefined,
  },
  {
    example: "top 3 industries by MRR",
    reason: "Groups have an amount for each currency, which can't be ranked together.",
    vetoes: ({ limit, per, measure }) => limit !== undefined && per !== undefined && isMoney(measure),
  },
  {
    example: "how many accounts is Lumen",
    reason: "The number of accounts with one name is always one.",
    vetoes: (query) => query.show === "count" && findsOneEntity(query),
  },
  {
    example: "is Lumen at risk and what is its MRR",
    reason: "A state and a value of one account are two questions.",
    vetoes: (query) => query.measure !== undefined && findsOneEntity(query) && filtersOn(query, /^(?:health|stage)$/),
  },
  {
    example: "how many days was Lumen on the Business plan",
    reason: "Days in a stage or on a plan aren't active days.",
    vetoes: (query) => query.measure === "active_days" && findsOneEntity(query) && filtersOn(query, /^(?:stage|plan)$/),
  },
  {
    example: "how many inactive seats does Lumen have",
    reason: "Inactivity of the account isn't that of its seats or days.",
    vetoes: (query) => query.measure !== undefined && findsOneEntity(query) && isInactive(query),
  },
  {
    example: "usage of inactive accounts",
    reason: "Inactive accounts have no activity.",
    vetoes: (query) => /^(?:events|active_days|active_users)$/.test(query.measure ?? "") && isInactive(query),
  },
  {
    example: "how many comments but no shares",
    reason: "The filter would choose the other events, not those without this one.",
    vetoes: ({ find, where }) =>
      find === "events" && where.some(({ dimension, isNot }) => dimension === "event" && isNot !== undefined),
  },
  {
    example: "the average score of the last 3 months",
    reason: "The value would be that of one day.",
    vetoes: ({ window, measure = "", compare, per, where, with: columns = [] }) =>
      window !== undefined &&
      "last" in window &&
      DAILY_MEASURES.has(measure) &&
      (compare ?? per) === undefined &&
      !where.some(isWindowed) &&
      !columns.some((name) => ACTIVITY.has(name)),
  },
  {
    example: "the highest score ever",
    reason: "The values would be those of today.",
    vetoes: (query) => query.order !== undefined && isOfAll(query) && isDaily(query),
  },
  {
    example: "average exports per active user",
    reason: "The average would be that of the users who exported, not of all active ones.",
    vetoes: (query) =>
      query.find === "users" &&
      query.aggregate !== undefined &&
      query.aggregate !== "sum" &&
      filtersOn(query, /^event$/) &&
      filtersOn(query, /^active$/),
  },
  {
    example: "when was Omar Haddad last active and what was his last action",
    reason: "A date doesn't say what was done.",
    vetoes: (query) => query.find === "features" && query.show === "when" && !filtersOn(query, /^event$/),
  },
  {
    example: "the first export, who and when",
    reason: "The day of a feature doesn't say who used it.",
    vetoes: ({ find, measure = "" }, { words }) =>
      find === "features" && measure.endsWith("_seen") && words.some(({ folded }) => folded === "who"),
  },
  {
    example: "how often was Pixelforge at risk",
    reason: "The number would be that of its events, on all days.",
    vetoes: (query) => query.find === "events" && isOfAccount(query) && filtersOn(query, /^health$/),
  },
  {
    example: "notices about accounts that churned this month",
    reason: "The time would be that of the notices, not that of the churn.",
    vetoes: ({ find, where }) =>
      find === "items" && where.some(({ is }) => is === "churned") && where.some(({ within }) => within !== undefined),
  },
  {
    example: "usage of Lumen and Kestrel per week",
    reason: "A series would add up the accounts.",
    vetoes: ({ per, where }) => isPeriod(per) && where.some(namesSeveralEntities),
  },
  {
    example: "are Lumen and Kestrel healthy",
    reason: "The question asks about each account, and the answer is one.",
    vetoes: ({ show, where }) => show === "yes_no" && where.some(namesSeveralEntities),
  },
  {
    example: "why did seats fall at Lumen",
    reason: "Changes have no recorded reasons.",
    vetoes: ({ show, where }) => show === "why" && where.some(isChange),
  },
  {
    example: "why is Lumen still a trial",
    reason: "Health has recorded reasons, stages have none.",
    vetoes: (query) => query.show === "why" && filtersOn(query, /^stage$/) && !filtersOn(query, /^health$/),
  },
  {
    example: "why is Lumen inactive",
    reason: "Health has recorded reasons, activity and notices have none.",
    vetoes: (query) => query.show === "why" && filtersOn(query, /^(?:active|event|item_kind)$/),
  },
  {
    example: "what share of trials",
    reason: "A share needs a part.",
    vetoes: ({ show, where }) => show === "share" && where.length === 0,
  },
  {
    example: "what share of new accounts is at risk",
    reason: "The date would choose the part, not the whole.",
    vetoes: ({ show, where }) =>
      show === "share" &&
      where.length > 1 &&
      where.some(({ within, from, became }) => (within ?? became) !== undefined || typeof from === "string"),
  },
  {
    example: "users at Lumen that churned",
    reason: "The stage is that of the account, not that of its users.",
    vetoes: (query) => query.find === "users" && isOfAccount(query) && filtersOn(query, /^stage$/),
  },
  {
    example: "accounts that export and when they were last seen",
    reason: "The day would be that of any event, not that of the last export.",
    vetoes: (query) =>
      (query.find === "accounts" || query.find === "users") &&
      filtersOn(query, /^event$/) &&
      (query.measure?.endsWith("_seen") === true || filtersOn(query, /_seen$/)),
  },
  {
    example: "new users this month vs last month",
    reason: "New users had no events in the time before.",
    vetoes: (query) => query.compare !== undefined && filtersOn(query, /^first_seen$/),
  },
  {
    example: "accounts that cut seats and whose usage grew",
    reason: "The filter and the comparison would each use the window in their own way.",
    vetoes: ({ compare, where }) => compare !== undefined && where.some(isChange),
  },
  {
    example: "has usage grown since the beginning",
    reason: "There is no data before the first record.",
    vetoes: (query) => query.compare?.to === "before" && isOfAll(query),
  },
  {
    example: "exports this month vs next month",
    reason: "There is no data after today.",
    vetoes: ({ compare: { to } = { to: "before" } }, { today }) =>
      to !== "before" && !comparesWithEntity(to) && windowDays(to, today).from > today,
  },
];
