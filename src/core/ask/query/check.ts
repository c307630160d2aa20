/** Checks a query against a workspace's dimensions. A query that passes has an answer or a reason for not answering. */
import { memoizeByIdentity } from "../memoize-by-identity.ts";
import { allowed } from "./allowed.ts";
import { byName, COUNTS, type Dimension, type DimensionType, SEEN } from "./dimensions.ts";
import {
  type Condition,
  CONDITIONS,
  type Filter,
  type Find,
  FINDS,
  MAX_WINDOW_DAYS,
  type Measure,
  MEASURES,
  PERIODS,
  type Query,
  type Show,
  type WindowName,
} from "./model.ts";
import { comparesWithEntity, comparedSubject } from "./subjects.ts";
import { windowDays } from "./windows.ts";

export interface QueryIssue {
  /** As in `where.0.over`. */
  path: string;
  /** Completes a sentence that begins with the path. */
  message: string;
}

const SHOWS_OF: Readonly<Record<Find, readonly Show[]>> = {
  accounts: ["list", "count", "share", "value", "yes_no", "when", "why", "summary"],
  users: ["list", "count", "share", "value", "yes_no", "when", "summary"],
  features: ["list", "count", "value", "yes_no", "when", "summary"],
  items: ["list", "count", "yes_no"],
  events: ["count", "value", "yes_no"],
};

const MONEY = ["mrr", "arr", "mrr_lost"] as const;
/** What can be measured. */
export const MEASURES_OF: Readonly<Record<Find, readonly Measure[]>> = {
  accounts: MEASURES.filter((name) => name !== "active_accounts" && name !== "adoption"),
  users: ["events", "active_days", "features_used"],
  features: ["events", "active_users", "active_accounts", "adoption"],
  items: [],
  events: ["events", "active_users", "active_accounts"],
};

const CONDITIONS_OF: Readonly<Record<DimensionType, readonly Condition[]>> = {
  entity: ["is", "isNot", "in"],
  code: ["is", "isNot", "in", "isUnknown", "became", "newly"],
  text: ["is", "isNot", "in", "isUnknown", "became", "newly"],
  number: ["is", "isNot", "over", "under", "from", "to", "isUnknown", "changed"],
  percent: ["over", "under", "from", "to"],
  date: ["is", "from", "to", "within", "isUnknown"],
  boolean: ["is", "isUnknown"],
};

export const isMeasure = (name: string): name is Measure => MEASURES.some((measure) => measure === name);
export const isMoney = (name: string | undefined): boolean => MONEY.some((money) => money === name);
export const isPeriod = (per: string | undefined): per is (typeof PERIODS)[number] =>
  PERIODS.some((period) => period === per);

/** Tests whether a filter is about a change in a window. */
export const isChange = ({ became, newly, changed }: Filter): boolean => (became ?? newly ?? changed) !== undefined;

type Named = (name: string) => Dimension | undefined;

/** The dimensions of each kind of entity, which failed checks list. */
const namesByFind = memoizeByIdentity(
  (dimensions: readonly Dimension[]) =>
    new Map(
      FINDS.map((find) => [find, dimensions.filter(({ of }) => of.includes(find)).map(({ name }) => name)] as const),
    ),
);

/** @returns the first issues found; empty for a query that can be compiled */
export function checkQuery(query: Query, dimensions: readonly Dimension[]): QueryIssue[] {
  const { find, where, show, measure, aggregate, per, compare, order } = query;
  const named: Named = (name) => [byName(dimensions).get(name)].find((each) => each?.of.includes(find));
  const issues: QueryIssue[] = [];
  // Questions are checked in dozens of readings, so only a query that fails lists what is allowed.
  const expect = (holds: boolean, path: string, message: string | (() => string)) =>
    holds || issues.push({ path, message: typeof message === "string" ? message : message() });
  const names = () => namesByFind(dimensions).get(find) ?? [];
  const measures = (given?: string) =>
    allowed(
      [...new Set([...MEASURES, ...names()])].filter((name) => isShown(name, find, named)),
      given,
    );

  expect(SHOWS_OF[find].includes(show), "show", () => `can't be ${show} for ${find}${allowed(SHOWS_OF[find])}`);
  for (const part of ["where", "of"] as const)
    for (const [index, filter] of (query[part] ?? []).entries())
      issues.push(...checkFilter(filter, find, { named, names }, `${part}.${index}`));
  expect(query.of === undefined || show === "share", "of", "can only be used with share");

  const unknownMeasure = (name: string) => () => `is not a measure or dimension of ${find}${measures(name)}`;
  const changes = where.filter(isChange);
  const isDated = show === "when" && find !== "features" && changes.length === 1;
  const needsMeasure = find !== "events" && (show === "value" || (show === "when" && !isDated));
  expect(measure !== undefined || !needsMeasure, "measure", () => `is required${measures()}`);
  if (measure !== undefined) {
    const type = named(measure)?.type;
    // Users can be listed with their account; its value is the account's external id.
    const isMeasured = isShown(measure, find, named) || (measure === "account" && find === "users");
    expect(isMeasured && find !== "items", "measure", unknownMeasure(measure));
    expect(show !== "when" || type === "date", "measure", "must be a date");
    expect(find === "events" || !SHOWS_WITHOUT_MEASURE.has(show), "measure", `can't be used with ${show}`);
  }
  const isOfEntities = find === "accounts" || find === "users";
  const isAggregated = isOfEntities && show === "value" && measure !== undefined && isMeasure(measure);
  expect(aggregate === undefined || isAggregated, "aggregate", "needs a measure of accounts or users");
  expect(query.with === undefined || (isOfEntities && show === "list"), "with", "needs a list of accounts or users");
  for (const [index, name] of (query.with ?? []).entries())
    expect(isShown(name, find, named), `with.${index}`, () => {
      const isFirst = issues.every(({ path }) => !path.startsWith("with."));
      return isFirst ? unknownMeasure(name)() : `is not a measure or dimension of ${find} either`;
    });
  // Each row has one currency, and a loss has the one of its time.
  const [others, isLoss] = [[order?.by, ...(query.with ?? [])], measure === "mrr_lost"];
  const hasOther = others.some((name) => name !== measure && (isLoss ? isMoney(name) : name === "mrr_lost"));
  expect(!hasOther, "measure", "mrr_lost must be the measure, and can't be combined with other amounts of money");
  if (show === "summary")
    for (const name of ["per", "compare", "order", "limit"] as const)
      expect(query[name] === undefined, name, "can't be used with summary");
  if (per !== undefined) {
    const isSummed = show === "count" || (show === "value" && (measure === undefined || isMeasure(measure)));
    expect(isSummed && find !== "features", "per", "needs a count or a sum");
    const isGroup = (name: string): boolean =>
      GROUPABLE.has(named(name)?.type ?? "date") &&
      !(name === "event" && find !== "events") &&
      !isOpenItemDimension(name, find);
    const groups = () => allowed([...(find === "events" ? PERIODS : []), ...names().filter(isGroup)], per);
    if (isPeriod(per)) {
      expect(find === "events", "per", () => `can be a period only for events${groups()}`);
      expect(order === undefined || order.by === (measure ?? "events"), "order.by", "must be the measure");
    } else {
      expect(isGroup(per), "per", () => `can't group ${find}${groups()}`);
    }
  }
  if (compare !== undefined) {
    expect(per === undefined, "compare", "can't be combined with per");
    const compared = measure ?? (find === "events" ? "events" : "");
    expect(isMeasure(compared) && compared !== "arr", "compare", "needs a measure that changes");
    const isCompared =
      show === "value" ||
      (show === "yes_no" && find !== "features") ||
      (show === "list" && !comparesWithEntity(compare.to)) ||
      find === "events";
    expect(isCompared, "compare", `can't be used with ${show}`);
    if (typeof compare.to === "object" && !comparesWithEntity(compare.to))
      issues.push(...checkWindow(compare.to, "compare.to"));
    if (comparesWithEntity(compare.to)) {
      const { type, dimension } = comparedSubject(compare.to);
      const isNamed = where.some((filter) => filter.dimension === dimension && filter.is !== undefined);
      expect(isNamed, "compare.to", `needs a filter that names one ${type}`);
      const isTotal = find === "events" || (find !== "features" && show === "value");
      expect(isTotal || type === "feature" || `${type}s` === find, "compare.to", `can't be used with ${find}`);
    }
  }
  if (order !== undefined) {
    const { by } = order;
    // Lists are sorted by the external id of the account.
    const isByAccount = by === "account" && find !== "events" && find !== "features";
    expect(
      by === "change" ? compare !== undefined : by === measure || isByAccount || isShown(by, find, named),
      "order.by",
      () => `must be a measure, a dimension, or the change of a comparison${measures(by)}`,
    );
  }
  if (query.window !== undefined) issues.push(...checkWindow(query.window, "window"));
  return issues;
}

/** What rows can be grouped by. */
export const GROUPABLE: ReadonlySet<DimensionType> = new Set(["entity", "code", "text", "boolean"]);

/** Tests whether rows can show a measure or dimension. Features don't have those of the accounts that used them. */
function isShown(name: string, find: Find, named: Named): boolean {
  if (isMeasure(name)) return MEASURES_OF[find].includes(name);
  if (find === "events" || isOpenItemDimension(name, find)) return false;
  return find === "features" ? SEEN.has(name) : (named(name)?.type ?? "entity") !== "entity";
}

/** Values of `show` that don't take a measure. */
const SHOWS_WITHOUT_MEASURE: ReadonlySet<Show> = new Set(["count", "share", "why", "summary"]);

/** Tests whether a filter is about the open inbox items of an account, which may be several. */
export const isOpenItemDimension = (name: string, find: Find): boolean =>
  find === "accounts" && (name === "item_kind" || name === "severity");

function checkFilter(
  filter: Filter,
  find: Find,
  { named, names }: { named: Named; names: () => readonly string[] },
  path: string,
): QueryIssue[] {
  const dimension = named(filter.dimension);
  if (dimension === undefined) {
    const message = `is not a dimension of ${find}${allowed(names(), filter.dimension)}`;
    return [{ path: `${path}.dimension`, message }];
  }
  const given = CONDITIONS.filter((condition) => filter[condition] !== undefined);
  const [condition] = given;
  const issues: QueryIssue[] = [];
  const reject = (field: string, message: string) => issues.push({ path: `${path}.${field}`, message });
  const { type, values } = dimension;
  const expected = () => (type === "code" ? `one of its codes${allowed(values ?? [])}` : VALUES_OF[type].expected);
  const hasHistory = dimension.hasHistory === true && find !== "items";
  // Filters on the names of events and features don't depend on a window.
  const isActivity =
    dimension.isActivity === true && !(type === "entity" && (find === "events" || find === "features"));
  const isOfChange = isChange(filter);
  // A count is 0 where nothing is counted.
  const isFit = (name: Condition) =>
    CONDITIONS_OF[type].includes(name) &&
    (hasHistory || !OF_HISTORY.has(name)) &&
    !(name === "isUnknown" && COUNTS.has(dimension.name));
  const conditions = () => allowed(CONDITIONS.filter(isFit));
  if (condition === undefined || given.length > 1)
    return [{ path, message: `must have exactly one condition${conditions()}` }];
  const unfit = `can't be used with ${filter.dimension}`;
  if (!isFit(condition)) reject(condition, `${unfit}${conditions()}`);
  else if (condition !== "isUnknown" && condition !== "changed" && condition !== "within")
    for (const value of [filter[condition]].flat())
      if (!VALUES_OF[type].fits(value, values)) reject(condition, `must be ${expected()}`);
  if (filter.asOf !== undefined && (!hasHistory || isOfChange)) reject("asOf", unfit);
  if (filter.window !== undefined && !isActivity && !isOfChange) reject("window", unfit);
  const { became, after, first } = filter;
  if (after !== undefined && (became === undefined || after === became))
    reject("after", "needs became, with a different value");
  else if (after !== undefined && !VALUES_OF[type].fits(after, values)) reject("after", `must be ${expected()}`);
  // Scores are stored for each day, so the first of all days may be too many to read.
  if (first !== undefined && (became === undefined || dimension.name === "health"))
    reject("first", "needs became, on stage or plan");
  for (const field of ["window", "within"] as const)
    if (filter[field] !== undefined) issues.push(...checkWindow(filter[field], `${path}.${field}`));
  return issues;
}

const OF_HISTORY: ReadonlySet<Condition> = new Set(["became", "newly", "changed"]);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";

const VALUES_OF: Readonly<
  Record<DimensionType, { expected: string; fits: (value: unknown, values?: readonly string[]) => boolean }>
> = {
  entity: { expected: "a name or an id", fits: isText },
  code: { expected: "one of its codes", fits: (value, values) => isText(value) && values?.includes(value) === true },
  text: { expected: "a string", fits: isText },
  number: { expected: "a number", fits: isNumber },
  percent: { expected: "a number", fits: isNumber },
  date: { expected: "a date, such as 2026-11-23", fits: (value) => isText(value) && DATE.test(value) },
  boolean: { expected: "true or false", fits: (value) => typeof value === "boolean" },
};

/** Any day would do: 26 months never exceed the limit, and 27 always do. */
const REFERENCE_DAY = 20_000;

function checkWindow(window: WindowName, path: string): QueryIssue[] {
  const { from, to } = windowDays(window, REFERENCE_DAY);
  if (to < from) return [{ path, message: "ends before it begins" }];
  // "The next 7 days" are today and seven more.
  const days = to - from + ("next" in window ? 0 : 1);
  return days > MAX_WINDOW_DAYS ? [{ path, message: `is longer than ${MAX_WINDOW_DAYS} days` }] : [];
}
