/** Vetoes on filters that nothing meets, or that together filter something else than the question says. */
import { COUNTED_OF_ACCOUNTS } from "../../query/dimensions.ts";
import type { Filter, FilterValue, Query } from "../../query/model.ts";
import { dayOf, windowDays } from "../../query/windows.ts";
import { namesSeveralEntities } from "../draft/context.ts";
import type { Veto } from "./veto.ts";

/** Returns the filters of the query's own time. "Those that were healthy and are at risk" has two times. */
const now = ({ where }: Query): Filter[] =>
  where.filter(({ window, asOf }) => window === undefined && asOf === undefined);

const nowOn = (query: Query, name: string): Filter[] => now(query).filter(({ dimension }) => dimension === name);

const valuesNow = (query: Query, name: string): Set<FilterValue> =>
  new Set(nowOn(query, name).flatMap(({ is }) => is ?? []));

export const FILTER_VETOES: readonly Veto[] = [
  {
    example: "healthy accounts that are at risk",
    reason: "An account has only one of these values.",
    vetoes: (query) =>
      query.where.some(({ dimension }) => dimension !== "event" && valuesNow(query, dimension).size > 1),
  },
  {
    example: "at-risk or watch accounts that are healthy",
    reason: "An account can't have one of several values and another value too.",
    vetoes: (query) =>
      now(query).some(
        ({ dimension, in: several }) =>
          dimension !== "event" &&
          nowOn(query, dimension).some(
            ({ is, became }) => several?.includes(is ?? became ?? several[0] ?? "") === false,
          ),
      ),
  },
  {
    example: "new at-risk accounts this week that became healthy",
    reason: "Two changes in one window are two questions.",
    vetoes: (query) => {
      const changes = now(query).flatMap(({ dimension, became }) => (became === undefined ? [] : [dimension]));
      return new Set(changes).size < changes.length;
    },
  },
  {
    example: "accounts with more than 50 api calls and more than 10 exports",
    reason: "Both bounds would be on the number of calls and exports together.",
    vetoes: (query) => valuesNow(query, "event").size > 1 && nowOn(query, "events").length > 0,
  },
  {
    example: "exports and shares per week",
    reason: "Each row would count exports and shares together.",
    vetoes: (query) =>
      valuesNow(query, "event").size > 1 &&
      (query.measure ?? "events") === "events" &&
      (query.per !== undefined || query.where.some(namesSeveralEntities)),
  },
  {
    example: "accounts with more than 50 exports but fewer than 5 active users",
    reason: "Both filters would count exports only.",
    vetoes: (query) =>
      valuesNow(query, "event").size > 0 &&
      nowOn(query, "events").length > 0 &&
      now(query).some(({ dimension }) => dimension !== "events" && COUNTED_OF_ACCOUNTS.has(dimension)),
  },
  {
    example: "inactive accounts that export",
    reason: "What is inactive has no events.",
    vetoes: (query) => valuesNow(query, "active").has(false) && valuesNow(query, "event").size > 0,
  },
  {
    example: "accounts in emea but not in emea",
    reason: "A value that is both required and excluded is a mistake.",
    vetoes: (query) =>
      now(query).some(({ dimension, isNot }) => isNot !== undefined && valuesNow(query, dimension).has(isNot)),
  },
  {
    example: "Lumen's score excluding Kestrel",
    reason: "One account doesn't include another one, so its exclusion means something else.",
    vetoes: (query) =>
      valuesNow(query, "account").size > 0 && nowOn(query, "account").some(({ isNot }) => isNot !== undefined),
  },
  {
    example: "features used in emea but not in amer",
    reason: "The filters choose who used the feature, not who didn't.",
    vetoes: (query) =>
      query.find === "features" &&
      now(query).some(({ dimension, isNot }) => isNot !== undefined && valuesNow(query, dimension).size > 0),
  },
  {
    example: "what share of customers churned",
    reason: "An account that is in one stage now isn't in the other.",
    vetoes: (query) =>
      query.of?.some(
        ({ dimension, is, asOf }) =>
          dimension === "stage" && asOf === undefined && nowOn(query, "stage").some((each) => each.is !== is),
      ) === true,
  },
  {
    example: "when did Redwood Credit go from healthy to watch",
    reason: "All time has no day before it, on which the first state could hold.",
    vetoes: ({ where, of = [], window }, { today }) =>
      window !== undefined &&
      "all" in window &&
      [...where, ...of].some(({ asOf }) => asOf !== undefined && dayOf(asOf) < windowDays(window, today).from),
  },
  {
    example: "MRR now and last month",
    reason: "“Now” asks for today too, but the query is about the past only.",
    vetoes: ({ where, window, compare }, { words, today }) =>
      compare === undefined &&
      (where.some(({ asOf }) => asOf !== undefined) ||
        (window !== undefined && windowDays(window, today).to < today)) &&
      words.some(({ folded }) => /^(?:now|currently|anymore)$/.test(folded)),
  },
];
