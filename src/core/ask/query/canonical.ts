/**
 * Brings queries with the same meaning into one form: sorted filters, no defaults, no parts without effect. Queries are
 * compared and restated in this form.
 */
import { isChange, isMeasure, isMoney, isPeriod } from "./check.ts";
import { ACTIVITY, HISTORY, SEEN } from "./dimensions.ts";
import { type Aggregate, type Filter, type Find, MAX_ROWS, type Query, type WindowName } from "./model.ts";
import { comparesWithEntity } from "./subjects.ts";
import { DEFAULT_WINDOW, IN_SMALLER } from "./windows.ts";

const shownIn = ({ measure, order, with: columns = [] }: Query): string[] =>
  [measure, order?.by, ...columns].filter((name) => name !== undefined);

/** Tests whether a query shows values as of the end of its window. Comparisons of windows say so anyway. */
export const showsPast = (query: Query): boolean =>
  (query.compare === undefined || comparesWithEntity(query.compare.to)) &&
  query.window !== undefined &&
  ("from" in query.window || "previous" in query.window) &&
  shownIn(query).some((name) => HISTORY.has(name) || name === "arr");

/** Tests whether a filter depends on a window: its own, or else the query's. */
export const isWindowed = (filter: Filter): boolean => ACTIVITY.has(filter.dimension) || isChange(filter);

const isFeatureName = (find: Find, { dimension }: Filter): boolean => find === "features" && dimension === "event";

/** Tests whether the days of the query's window matter. */
export function usesWindow(query: Query): boolean {
  const { find, where, of = [], compare } = query;
  return (
    find === "events" ||
    (compare !== undefined && !comparesWithEntity(compare.to)) ||
    shownIn(query).some((name) => ACTIVITY.has(name)) ||
    [...where, ...of].some((each) => isWindowed(each) && each.window === undefined && !isFeatureName(find, each))
  );
}

/** Tests whether the answer depends on the recompute, or on messages that it hasn't processed yet. */
export function countsDays(query: Query): boolean {
  const { find, where, of = [], per = "" } = query;
  const filters = [...where, ...of];
  const names = [...shownIn(query), per, ...filters.map(({ dimension }) => dimension)];
  return (
    find === "features" ||
    usesWindow(query) ||
    showsPast(query) ||
    names.some((name) => ACTIVITY.has(name) || SEEN.has(name)) ||
    filters.some((filter) => isChange(filter) || filter.asOf !== undefined)
  );
}

/** Tests whether rows are entities one by one, so that their order matters. */
export function isListed({ find, show, measure = "" }: Query): boolean {
  if (find === "events") return false;
  if (show === "value") return find === "features" || !isMeasure(measure);
  return show === "list" || show === "when" || show === "why";
}

const NAMES_STATUS = /^(?:status|resolved|dismissed|snoozed_until)$/;

/** Adds that inbox items are open, unless the query names their status or the day on which they were opened. */
export function withOpenItems(query: Query): Query {
  const { find, show, where, per = "", order } = query;
  const ranked = show === "list" && order !== undefined ? order.by : "";
  const names = [per, ranked, ...where.map(({ dimension }) => dimension.replace("opened", "status"))];
  if (find !== "items" || names.some((name) => NAMES_STATUS.test(name))) return query;
  return { ...query, where: [...where, { dimension: "status", is: "open" }] };
}

/** @param given checked */
export function canonical(given: Query): Query {
  const query = withOpenItems(given);
  const show = query.find === "events" && query.show === "count" ? "value" : query.show;
  const where = canonicalFilters(query.where, query);
  const of = canonicalFilters(query.of ?? [], query);
  const { window } = query;
  return withWindow(withoutEffectless({ ...query, show, where, of }), window && canonicalWindow(window));
}

function withoutEffectless(query: Query): Query {
  const { find, where, show, of = [], measure, aggregate, per, compare, order, limit } = query;
  const isUnused =
    (find === "events" && measure === "events") ||
    (find !== "events" && show === "yes_no" && compare === undefined) ||
    find === "items";
  const result: Query = { find, where, show, ...(measure !== undefined && !isUnused && { measure }) };
  const listed = isListed(result);
  const columns = [...new Set(query.with)].filter((name) => name !== measure);
  if (of.length > 0) result.of = of;
  // The average of one account is its value.
  if (aggregate !== undefined && aggregate !== defaultAggregate(measure) && `${per}s` !== find)
    result.aggregate = aggregate;
  if (columns.length > 0) result.with = columns;
  if (per !== undefined) result.per = per;
  if (compare !== undefined) {
    const { to } = compare;
    result.compare = { to: typeof to === "string" || comparesWithEntity(to) ? to : canonicalWindow(to) };
  }
  if (order !== undefined) {
    const { direction } = order;
    const isDefault = isSame(order, endsOrder(result) ?? { by: measure, direction: "down" });
    if (show === "yes_no" && compare !== undefined && direction === "up") result.order = { by: "change", direction };
    else if (listed && !isDefault) result.order = order;
    // Groups have the highest first, unless the query says otherwise; periods are in the order of time.
    else if (per !== undefined && (isPeriod(per) || direction === "up"))
      result.order = { by: result.measure ?? (find === "events" ? "events" : per), direction };
  }
  if (limit !== undefined && limit < MAX_ROWS && (listed || per !== undefined)) result.limit = limit;
  return result;
}

/** Tests whether a filter chooses trials or contracts by their end, but not by one day. A trait may be such an end. */
const choosesByEnd = ({ dimension, from, to, within }: Filter): boolean =>
  (isEnd(dimension) || dimension.startsWith("account.")) &&
  (typeof (from ?? to) === "string" || (within !== undefined && !("from" in within && within.from === within.to)));
const isEnd = (name: string): boolean => name === "trial_ends" || name === "contract_ends";
const isOver = ({ to, within }: Filter): boolean =>
  to !== undefined || (within !== undefined && ("last" in within || "previous" in within));

/**
 * Returns the order of accounts that are listed by the end of a trial or a contract, if the query has none: the nearest
 * end comes first. `undefined` for other lists: the highest value of the measure comes first.
 */
export function endsOrder({ find, show, where, measure = "", compare }: Query): Query["order"] {
  const isOfOne = where.some(({ dimension, is }) => dimension === "account" && is !== undefined);
  if (find !== "accounts" || show === "why" || compare !== undefined || isOfOne) return undefined;
  if (isEnd(measure)) return { by: measure, direction: "up" };
  const ends = where.filter(choosesByEnd).toSorted((a, b) => (a.dimension < b.dimension ? -1 : 1));
  const [by] = ends.map(({ dimension }) => dimension);
  if (by === undefined || (show === "value" && isMeasure(measure)) || show === "count" || show === "share")
    return undefined;
  const areOver = ends.every((filter) => filter.dimension !== by || isOver(filter));
  return { by, direction: areOver ? "down" : "up" };
}

/** Returns how values are combined into one, if the query doesn't say. */
export function defaultAggregate(measure: string | undefined): Aggregate | undefined {
  if (measure === "score") return "average";
  return isMoney(measure) || measure === "seats" || measure === "unused_seats" ? "sum" : undefined;
}

/** Moves a window that only one filter needs to the query, so that there is one way to say it. */
function withWindow(query: Query, window: WindowName | undefined): Query {
  if (usesWindow(query) || query.show === "summary")
    return window === undefined || isSame(window, DEFAULT_WINDOW) ? query : { ...query, window };
  if (window !== undefined && showsPast({ ...query, window })) return { ...query, window };
  const { where, of = [] } = query;
  const filter = [...of, ...where].findLast((each) => each.window !== undefined);
  const own = filter?.window;
  if (filter === undefined || own === undefined || showsPast({ ...query, window: own })) return query;
  const { window: _, ...rest } = filter;
  const hoisted = (filters: readonly Filter[]) => sorted(filters.map((each) => (each === filter ? rest : each)));
  return withWindow({ ...query, where: hoisted(where), ...(of.length > 0 && { of: hoisted(of) }) }, own);
}

function canonicalFilters(filters: readonly Filter[], { find }: Query): Filter[] {
  return sorted(
    filters.map((filter) => {
      const { window, within, in: several, ...rest } = filter;
      const values = several === undefined ? [] : sorted(several);
      const days = within && canonicalWindow(within);
      const isDay = days !== undefined && "from" in days && days.from === days.to;
      return {
        ...rest,
        ...(values.length > 1 && { in: values }),
        ...(values[0] !== undefined && values.length === 1 && { is: values[0] }),
        ...(days !== undefined && (isDay ? { is: days.from } : { within: days })),
        ...(window !== undefined && !isFeatureName(find, filter) && { window: canonicalWindow(window) }),
      };
    }),
  );
}

/** Writes a window in the smaller unit: weeks as days, quarters and years as months. */
function canonicalWindow(window: WindowName): WindowName {
  if (!("unit" in window)) return window;
  const [factor, unit] = IN_SMALLER[window.unit];
  if ("next" in window) return { next: window.next * factor, unit };
  const last = window.last * factor;
  return last === 1 && unit === "day" ? { this: "day" } : { last, unit };
}

/** JSON with sorted keys. Negative zero becomes zero. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const sorted = <Value>(values: readonly Value[]): Value[] =>
  [...new Map(values.map((value) => [keyOf(value), value]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

/** Tests whether two canonical queries, or two windows, are the same. */
export const isSame = (a: object, b: object): boolean => keyOf(a) === keyOf(b);
