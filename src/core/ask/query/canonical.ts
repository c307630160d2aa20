/**
 * Brings queries that ask the same to one form: filters sorted, no defaults spelled out, nothing that has no effect. Two
 * queries can be compared by their canonical forms, and a canonical form is what is restated.
 */
import { isPeriod, isSubject } from "./check.ts";
import { BUILT_IN, type Dimension } from "./dimensions.ts";
import { type Aggregate, type Filter, MAX_ROWS, MEASURES, type Query, type WindowName } from "./model.ts";
import { DEFAULT_WINDOW } from "./windows.ts";

const ACTIVITY: ReadonlySet<string> = new Set(
  BUILT_IN.flatMap((dimension: Dimension) => (dimension.isActivity === true ? [dimension.name] : [])),
);

/** What is shown as of the end of a past window: values with a history. */
const STATES: ReadonlySet<string> = new Set([
  "arr",
  ...BUILT_IN.flatMap((dimension: Dimension) => (dimension.hasHistory === true ? [dimension.name] : [])),
]);

const shownIn = ({ measure, order, with: columns = [] }: Query): string[] =>
  [measure, order?.by, ...columns].filter((name) => name !== undefined);

const isPast = (window: WindowName | undefined): boolean =>
  window !== undefined && ("from" in window || "previous" in window);

/** Whether values are those at the end of the query's window. A comparison of windows says so by itself. */
export const showsPast = (query: Query): boolean =>
  (query.compare === undefined || isSubject(query.compare.to)) &&
  isPast(query.window) &&
  shownIn(query).some((name) => STATES.has(name));

export const isChange = ({ became, changed }: Filter): boolean => became !== undefined || changed !== undefined;

/** Whether a filter counts in a window: its own, or else the query's. */
export const isWindowed = (filter: Filter): boolean => ACTIVITY.has(filter.dimension) || isChange(filter);

/** Whether the days of the query's window matter. */
export function usesWindow(query: Query): boolean {
  const { find, where, of = [], compare } = query;
  return (
    find === "events" ||
    (compare !== undefined && !isSubject(compare.to)) ||
    shownIn(query).some((name) => ACTIVITY.has(name)) ||
    [...where, ...of].some(
      (filter) =>
        isWindowed(filter) && filter.window === undefined && !(find === "features" && filter.dimension === "event"),
    )
  );
}

/** Whether rows are entities one by one, so that their order matters. */
export function isListed({ find, show, measure = "" }: Query): boolean {
  if (find === "events") return false;
  if (show === "value") return find === "features" || !(MEASURES as readonly string[]).includes(measure);
  return show === "list" || show === "when" || show === "why";
}

/** @param query checked */
export function canonical(query: Query): Query {
  const show = query.find === "events" && query.show === "count" ? "value" : query.show;
  const where = sorted(query.where.map((filter) => canonicalFilter(filter, query)));
  const of = sorted((query.of ?? []).map((filter) => canonicalFilter(filter, query)));
  const plain = withoutEffectless({ ...query, show, where, of });
  const window = query.window === undefined ? undefined : canonicalWindow(query.window);
  const { compare } = plain;
  const to =
    compare === undefined || typeof compare.to === "string" || isSubject(compare.to)
      ? compare?.to
      : canonicalWindow(compare.to);
  return withWindow({ ...plain, ...(to !== undefined && { compare: { to } }) }, window);
}

function withoutEffectless(query: Query): Query {
  const { find, where, show, of = [], measure, aggregate, per, compare, order, limit } = query;
  const isRanked = show === "yes_no" && compare !== undefined && order?.direction === "up";
  const isUnused =
    (find === "events" && measure === "events") ||
    (find !== "events" && show === "yes_no" && compare === undefined) ||
    find === "items";
  const result: Query = { find, where, show, ...(measure !== undefined && !isUnused && { measure }) };
  const listed = isListed(result);
  const isDefault = order?.direction === "down" && order.by === measure;
  const columns = [...new Set(query.with)].filter((name) => name !== measure);
  if (of.length > 0) result.of = of;
  if (aggregate !== undefined && aggregate !== DEFAULT_AGGREGATES[measure ?? ""]) result.aggregate = aggregate;
  if (columns.length > 0) result.with = columns;
  if (per !== undefined) result.per = per;
  if (compare !== undefined) result.compare = compare;
  if (isRanked) result.order = { by: "change", direction: "up" };
  else if (order !== undefined && listed && !isDefault) result.order = order;
  else if (order !== undefined && per !== undefined && isPeriod(per))
    result.order = { by: result.measure ?? "events", direction: order.direction };
  const isLimited = listed || per !== undefined;
  if (limit !== undefined && limit < MAX_ROWS && isLimited) result.limit = limit;
  return result;
}

/** By measure: how the values of several accounts come to one. Others are counted. */
export const DEFAULT_AGGREGATES: Readonly<Record<string, Aggregate>> = {
  mrr: "sum",
  arr: "sum",
  seats: "sum",
  score: "average",
};

/** A window that only one filter needs is the query's, so that there is one way to say it. */
function withWindow(query: Query, window: WindowName | undefined): Query {
  const isSummary = query.show === "summary";
  if (usesWindow(query) || isSummary)
    return window === undefined || isSame(window, DEFAULT_WINDOW) ? query : { ...query, window };
  if (window !== undefined && showsPast({ ...query, window })) return { ...query, window };
  const { where, of = [] } = query;
  const filter = [...of, ...where].findLast((each) => each.window !== undefined);
  const own = filter?.window;
  if (own === undefined || showsPast({ ...query, window: own })) return query;
  const hoisted = (filters: readonly Filter[]) =>
    sorted(filters.map((each) => (each === filter ? withoutOwn(each) : each)));
  return {
    ...query,
    where: hoisted(where),
    ...(of.length > 0 && { of: hoisted(of) }),
    ...(!isSame(own, DEFAULT_WINDOW) && { window: own }),
  };
}

function withoutOwn(filter: Filter): Filter {
  const own = { ...filter };
  delete own.window;
  return own;
}

function canonicalFilter(filter: Filter, { find }: Query): Filter {
  const { window, within, in: several, ...rest } = filter;
  const values = several === undefined ? [] : sorted(several);
  const [only] = values;
  const days = within === undefined ? undefined : canonicalWindow(within);
  const isDay = days !== undefined && "from" in days && days.from === days.to;
  return {
    ...positive(rest),
    ...(only !== undefined && (values.length === 1 ? { is: unsigned(only) } : { in: values })),
    ...(days !== undefined && (isDay ? { is: days.from } : { within: days })),
    ...(window !== undefined &&
      !(find === "features" && filter.dimension === "event") && { window: canonicalWindow(window) }),
  };
}

/** Negative zero is zero. */
const unsigned = <Value>(value: Value): Value | 0 => (Object.is(value, -0) ? 0 : value);
const positive = (filter: Filter): Filter => ({
  ...filter,
  ...Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, unsigned(value)])),
});

/** The same days in as few ways as possible: weeks are days, quarters and years are months. */
export function canonicalWindow(window: WindowName): WindowName {
  if ("last" in window) {
    const { count, unit } = counted(window.last, window.unit);
    return count === 1 && unit === "day" ? { this: "day" } : { last: count, unit };
  }
  if ("next" in window) {
    const { count, unit } = counted(window.next, window.unit);
    return { next: count, unit };
  }
  return window;
}

const IN_SMALLER = {
  day: [1, "day"],
  week: [7, "day"],
  month: [1, "month"],
  quarter: [3, "month"],
  year: [12, "month"],
} as const;
const counted = (count: number, unit: keyof typeof IN_SMALLER) => ({
  count: count * IN_SMALLER[unit][0],
  unit: IN_SMALLER[unit][1],
});

const keyOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? `{${Object.entries(value)
        .map(([key, each]) => `${key}:${keyOf(each)}`)
        .toSorted()
        .join()}}`
    : JSON.stringify(value);

const sorted = <Value>(values: readonly Value[]): Value[] =>
  [...new Map(values.map((value) => [keyOf(value), value]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

/** Whether two canonical queries, or two windows, are the same. */
export const isSame = (a: object, b: object): boolean => keyOf(a) === keyOf(b);
