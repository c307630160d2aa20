/** Vetoes on what is shown: figures, forms, rankings and comparisons that don't fit the filters or the time. */
import { isWindowed } from "../../query/canonical.ts";
import { isChange, isMoney, isPeriod } from "../../query/check.ts";
import { ACTIVITY, DAILY_MEASURES } from "../../query/dimensions.ts";
import type { Query } from "../../query/model.ts";
import { comparesWithEntity } from "../../query/subjects.ts";
import { windowDays } from "../../query/windows.ts";
import { filtersOn, findsOneEntity, namesSeveralEntities } from "../draft/context.ts";
import type { Veto } from "./veto.ts";

const isOfAll = ({ window }: Query): boolean => window !== undefined && "all" in window;

const isDaily = ({ measure = "" }: Query): boolean => DAILY_MEASURES.has(measure);

const isOfAccount = ({ where }: Query): boolean =>
  where.some(({ dimension, is }) => dimension === "account" && is !== undefined);

const isInactive = ({ where }: Query): boolean =>
  where.some(({ dimension, is, window }) => dimension === "active" && is === false && window === undefined);

export const SHOW_VETOES: readonly Veto[] = [
  {
    example: "Lumen's lowest score",
    reason: "One account can't be ranked, and its values over time aren't.",
    vetoes: (query) =>
      query.order !== undefined && query.compare === undefined && query.per === undefined && findsOneEntity(query),
  },
  {
    example: "",
    reason: "A total has no order.",
    vetoes: ({ find, order, compare, per }) =>
      find === "events" && order !== undefined && compare === undefined && per === undefined,
  },
  {
    example: "",
    reason: "One number has no rows to limit.",
    vetoes: ({ limit, show, per }) => limit !== undefined && show !== "list" && per === undefined,
  },
  {
    example: "",
    reason: "Groups have an amount for each currency, so the first ones aren't the highest.",
    vetoes: ({ limit, per, measure }) => limit !== undefined && per !== undefined && isMoney(measure),
  },
  {
    example: "",
    reason: "One account isn't counted.",
    vetoes: (query) => query.show === "count" && findsOneEntity(query),
  },
  {
    example: "",
    reason: "Whether it is in that state is another question than its value.",
    vetoes: (query) => query.measure !== undefined && findsOneEntity(query) && filtersOn(query, /^health$/),
  },
  {
    example: "",
    reason: "Days in a stage or on a plan aren't active days.",
    vetoes: (query) => query.measure === "active_days" && findsOneEntity(query) && filtersOn(query, /^(?:stage|plan)$/),
  },
  {
    example: "",
    reason: "What one inactive account has says nothing of its silence.",
    vetoes: (query) => query.measure !== undefined && findsOneEntity(query) && isInactive(query),
  },
  {
    example: "",
    reason: "Inactive accounts have no activity.",
    vetoes: (query) => /^(?:events|active_days|active_users)$/.test(query.measure ?? "") && isInactive(query),
  },
  {
    example: "",
    reason: "It would count all events other than this one.",
    vetoes: ({ find, where }) =>
      find === "events" && where.some(({ dimension, isNot }) => dimension === "event" && isNot !== undefined),
  },
  {
    example: "the average score of the last 3 months",
    reason: "The value is that of one day.",
    vetoes: (query) =>
      isDaily(query) &&
      query.window !== undefined &&
      "last" in query.window &&
      query.compare === undefined &&
      query.per === undefined &&
      !query.where.some(isWindowed) &&
      !(query.with ?? []).some((name) => ACTIVITY.has(name)),
  },
  {
    example: "",
    reason: "The highest value of all time isn't one of today's.",
    vetoes: (query) => query.order !== undefined && isOfAll(query) && isDaily(query),
  },
  {
    example: "",
    reason: "It would count the events of all days, not those of the days in that state.",
    vetoes: (query) => query.find === "events" && isOfAccount(query) && filtersOn(query, /^health$/),
  },
  {
    example: "",
    reason: "The time is that of the change, not of the items.",
    vetoes: ({ find, where }) =>
      find === "items" && where.some(({ is }) => is === "churned") && where.some(({ within }) => within !== undefined),
  },
  {
    example: "",
    reason: "A series would add up the accounts.",
    vetoes: ({ per, where }) => isPeriod(per) && where.some(namesSeveralEntities),
  },
  {
    example: "",
    reason: "One yes or no would be about all of them together.",
    vetoes: ({ show, where }) => show === "yes_no" && where.some(namesSeveralEntities),
  },
  {
    example: "why did Lumen churn",
    reason: "Only health has reasons.",
    vetoes: (query) =>
      query.show === "why" &&
      (query.where.some(isChange) ||
        filtersOn(query, /^(?:active|event|item_kind)$/) ||
        (filtersOn(query, /^stage$/) && !filtersOn(query, /^health$/))),
  },
  {
    example: "",
    reason: "A share needs a part.",
    vetoes: ({ show, where }) => show === "share" && where.length === 0,
  },
  {
    example: "what share of renewals this quarter is healthy",
    reason: "The date would choose the part, not the whole.",
    vetoes: ({ show, where }) =>
      show === "share" &&
      where.length > 1 &&
      where.some(({ within, from, became }) => (within ?? became) !== undefined || typeof from === "string"),
  },
  {
    example: "did we lose users at Lumen",
    reason: "Accounts have stages, users don't.",
    vetoes: (query) => query.find === "users" && isOfAccount(query) && filtersOn(query, /^stage$/),
  },
  {
    example: "",
    reason: "The day of an account's last event isn't that of its last export.",
    vetoes: (query) =>
      (query.find === "accounts" || query.find === "users") &&
      filtersOn(query, /^event$/) &&
      (query.measure?.endsWith("_seen") === true || filtersOn(query, /_seen$/)),
  },
  {
    example: "",
    reason: "Who is new now had no events then.",
    vetoes: (query) => query.compare !== undefined && filtersOn(query, /^first_seen$/),
  },
  {
    example: "",
    reason: "Those that changed in this time are others than those that changed before.",
    vetoes: ({ compare, where }) => compare !== undefined && where.some(isChange),
  },
  {
    example: "",
    reason: "There is no data before the first record.",
    vetoes: (query) => query.compare?.to === "before" && isOfAll(query),
  },
  {
    example: "",
    reason: "There is no data after today.",
    vetoes: ({ compare }, { today }) =>
      compare !== undefined &&
      compare.to !== "before" &&
      !comparesWithEntity(compare.to) &&
      windowDays(compare.to, today).from > today,
  },
];
