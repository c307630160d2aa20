/** Vetoes on filters that nothing meets, or that together filter something else than the question says. */
import { isEntityDimension } from "../draft/context.ts";
import type { Filter, FilterValue, Query } from "../../query/model.ts";
import { dayOf, windowDays } from "../../query/windows.ts";
import type { Veto } from "./veto.ts";

/** Returns the filters of the query's own time. "Those that were healthy and are at risk" has two times. */
const now = ({ where }: Query): Filter[] =>
  where.filter(({ window, asOf }) => window === undefined && asOf === undefined);

const valuesNow = (query: Query, name: string): Set<FilterValue> =>
  new Set(now(query).flatMap(({ dimension, is }) => (dimension === name && is !== undefined ? [is] : [])));

const hasNow = (query: Query, ...names: readonly string[]): boolean =>
  now(query).some(({ dimension }) => names.includes(dimension));

export const FILTER_VETOES: readonly Veto[] = [
  {
    example: "at-risk accounts that are healthy",
    reason: "Nothing has two values at once.",
    vetoes: (query) =>
      query.where.some(({ dimension }) => dimension !== "event" && valuesNow(query, dimension).size > 1),
  },
  {
    example: "",
    reason: "Nothing has one of several values and another one at once.",
    vetoes: (query) =>
      now(query).some(
        ({ dimension, in: several }) =>
          dimension !== "event" &&
          several !== undefined &&
          now(query).some(
            (each) => each.dimension === dimension && !several.includes(each.is ?? each.became ?? several[0] ?? ""),
          ),
      ),
  },
  {
    example: "how many did we win and lose",
    reason: "These are two numbers, each with its own change.",
    vetoes: (query) => {
      const changes = now(query).flatMap(({ dimension, became }) => (became === undefined ? [] : [dimension]));
      return new Set(changes).size < changes.length;
    },
  },
  {
    example: "",
    reason: "A filter on the number of events counts those of all names together.",
    vetoes: (query) => valuesNow(query, "event").size > 1 && hasNow(query, "events"),
  },
  {
    example: "",
    reason: "Each row would count the events of all names together.",
    vetoes: (query) =>
      valuesNow(query, "event").size > 1 &&
      (query.measure ?? "events") === "events" &&
      (query.per !== undefined ||
        query.where.some(({ dimension, in: several }) => several !== undefined && isEntityDimension(dimension))),
  },
  {
    example: "",
    reason: "The other filter would count the same event only.",
    vetoes: (query) =>
      valuesNow(query, "event").size > 0 &&
      hasNow(query, "events") &&
      hasNow(query, "active_users", "active_days", "features_used", "seat_use", "unused_seats"),
  },
  {
    example: "",
    reason: "What is inactive has no events.",
    vetoes: (query) => valuesNow(query, "active").has(false) && valuesNow(query, "event").size > 0,
  },
  {
    example: "",
    reason: "An account is no other account.",
    vetoes: (query) =>
      now(query).some(
        ({ dimension, isNot }) =>
          isNot !== undefined &&
          (dimension === "account" ? valuesNow(query, dimension).size > 0 : valuesNow(query, dimension).has(isNot)),
      ),
  },
  {
    example: "features used in emea but not in amer",
    reason: "Both may use a feature: the filters choose who used it.",
    vetoes: (query) =>
      query.find === "features" &&
      now(query).some(({ dimension, isNot }) => isNot !== undefined && valuesNow(query, dimension).size > 0),
  },
  {
    example: "what share of customers churned",
    reason: "Those that are in one stage now aren't in the other.",
    vetoes: (query) =>
      query.of?.some(
        ({ dimension, is, asOf }) =>
          dimension === "stage" &&
          asOf === undefined &&
          now(query).some((each) => each.dimension === "stage" && each.is !== is),
      ) === true,
  },
  {
    example: "",
    reason: "All time has no day before it.",
    vetoes: ({ where, of = [], window }, { today }) =>
      window !== undefined &&
      "all" in window &&
      [...where, ...of].some(({ asOf }) => asOf !== undefined && dayOf(asOf) < windowDays(window, today).from),
  },
  {
    example: "",
    reason: "“Now” asks for today as well, and the query is about the past only.",
    vetoes: ({ where, window, compare }, { words, today }) =>
      compare === undefined &&
      (where.some(({ asOf }) => asOf !== undefined) ||
        (window !== undefined && windowDays(window, today).to < today)) &&
      words.some(({ folded }) => /^(?:now|currently|anymore)$/.test(folded)),
  },
];
