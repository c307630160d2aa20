/** Checks a query against the dimensions of a workspace. What passes can be answered or has a reason not to be. */
import type { Dimension, DimensionType } from "./dimensions.ts";
import {
  type Condition,
  CONDITIONS,
  type Filter,
  type Find,
  MAX_WINDOW_DAYS,
  type Measure,
  MEASURES,
  PERIODS,
  type Query,
  type Show,
  type WindowName,
} from "./model.ts";
import { dayOf } from "./windows.ts";

export interface Issue {
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

const MEASURES_OF: Readonly<Record<Find, readonly Measure[]>> = {
  accounts: ["events", "active_users", "active_days", "features_used", "mrr", "arr", "seats", "seat_use", "score"],
  users: ["events", "active_days", "features_used"],
  features: ["events", "active_users", "active_accounts", "adoption"],
  items: [],
  events: ["events", "active_users", "active_accounts"],
};

const CONDITIONS_OF: Readonly<Record<DimensionType, readonly Condition[]>> = {
  entity: ["is", "isNot", "in"],
  code: ["is", "isNot", "in", "isUnknown", "became"],
  text: ["is", "isNot", "in", "isUnknown", "became"],
  number: ["is", "isNot", "over", "under", "from", "to", "isUnknown", "changed"],
  percent: ["over", "under", "from", "to"],
  date: ["is", "from", "to", "within", "isUnknown"],
  boolean: ["is", "isUnknown"],
};

/** Measures whose value changes over time, so that two windows can be compared. */
const COMPARABLE: ReadonlySet<string> = new Set<Measure>([
  "events",
  "active_users",
  "active_days",
  "active_accounts",
  "features_used",
  "adoption",
  "mrr",
  "seats",
  "seat_use",
  "score",
]);

const isMeasure = (name: string): name is Measure => MEASURES.some((measure) => measure === name);
export const isPeriod = (per: string): per is (typeof PERIODS)[number] => PERIODS.some((period) => period === per);

/** @returns the first issues found; empty for a query that can be compiled */
export function checkQuery(query: Query, dimensions: readonly Dimension[]): Issue[] {
  const { find, where, show, measure, per, compare, order } = query;
  const named = new Map(dimensions.filter(({ of }) => of.includes(find)).map((each) => [each.name, each]));
  const issues: Issue[] = [];
  const expect = (holds: boolean, path: string, message: string) => holds || issues.push({ path, message });

  expect(SHOWS_OF[find].includes(show), "show", `can't be ${show} for ${find}`);
  for (const [place, filter] of where.entries()) issues.push(...checkFilter(filter, named, `where.${place}`));

  const needsMeasure =
    show === "value" || show === "when"
      ? find !== "events" && !where.some(({ became }) => became !== undefined)
      : false;
  expect(measure !== undefined || !needsMeasure, "measure", "is required");
  if (measure !== undefined) {
    const type = named.get(measure)?.type;
    const known = isMeasure(measure) ? MEASURES_OF[find].includes(measure) : type !== undefined;
    expect(known, "measure", `is no measure or dimension of ${find}`);
    expect(show !== "when" || type === "date", "measure", "must be a date");
  }
  if (per !== undefined) {
    expect(show === "count" || show === "value", "per", "needs a count or a value");
    if (isPeriod(per)) expect(find === "events", "per", "can be a period only for events");
    else expect(GROUPABLE.has(named.get(per)?.type ?? "date"), "per", `is no dimension that ${find} can be grouped by`);
  }
  if (compare !== undefined) {
    expect(per === undefined, "compare", "can't be combined with per");
    expect(COMPARABLE.has(measure ?? (find === "events" ? "events" : "")), "compare", "needs a measure that changes");
  }
  if (order !== undefined) {
    const by = order.by;
    expect(
      by === "change" ? compare !== undefined : by === measure || named.has(by) || isMeasureOf(by, find),
      "order.by",
      "must be a measure, a dimension, or the change of a comparison",
    );
  }
  for (const [path, each] of windowsIn(query)) issues.push(...checkWindow(each, path));
  return issues;
}

const GROUPABLE: ReadonlySet<DimensionType> = new Set(["entity", "code", "text", "boolean"]);

const isMeasureOf = (name: string, find: Find): boolean => isMeasure(name) && MEASURES_OF[find].includes(name);

function checkFilter(filter: Filter, named: ReadonlyMap<string, Dimension>, path: string): Issue[] {
  const dimension = named.get(filter.dimension);
  if (dimension === undefined) return [{ path: `${path}.dimension`, message: "is unknown here" }];
  const given = CONDITIONS.filter((condition) => filter[condition] !== undefined);
  const [condition] = given;
  if (condition === undefined || given.length > 1) return [{ path, message: "must have exactly one condition" }];
  const issues: Issue[] = [];
  const { type, hasHistory, isActivity } = dimension;
  const isChange = condition === "became" || condition === "changed";
  if (!CONDITIONS_OF[type].includes(condition) || (isChange && hasHistory !== true))
    issues.push({ path: `${path}.${condition}`, message: `can't be used with ${filter.dimension}` });
  else if (condition !== "isUnknown" && condition !== "changed" && condition !== "within")
    for (const value of [filter[condition]].flat())
      if (!fits(value, dimension)) issues.push({ path: `${path}.${condition}`, message: `must be ${EXPECTED[type]}` });
  if (filter.asOf !== undefined && hasHistory !== true)
    issues.push({ path: `${path}.asOf`, message: `can't be used with ${filter.dimension}` });
  if (filter.window !== undefined && isActivity !== true && !isChange)
    issues.push({ path: `${path}.window`, message: `can't be used with ${filter.dimension}` });
  return issues;
}

const EXPECTED: Readonly<Record<DimensionType, string>> = {
  entity: "a name or an id",
  code: "one of its codes",
  text: "a text",
  number: "a number",
  percent: "a number",
  date: "a date, as in 2026-11-23",
  boolean: "true or false",
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function fits(value: unknown, { type, values }: Dimension): boolean {
  switch (type) {
    case "number":
    case "percent":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return typeof value === "string" && DATE.test(value);
    case "code":
      return typeof value === "string" && values !== undefined && values.includes(value);
    case "entity":
    case "text":
      return typeof value === "string";
  }
}

function* windowsIn({ where, window, compare }: Query): Generator<[path: string, window: WindowName]> {
  if (window !== undefined) yield ["window", window];
  for (const [place, { window: own, within }] of where.entries()) {
    if (own !== undefined) yield [`where.${place}.window`, own];
    if (within !== undefined) yield [`where.${place}.within`, within];
  }
  if (compare !== undefined && isWindow(compare.to)) yield ["compare.to", compare.to];
}

type ComparedTo = NonNullable<Query["compare"]>["to"];
export type Subject = Extract<ComparedTo, { account: string } | { user: string } | { feature: string }>;

/** Whether a comparison is with another account, user or feature. */
export const isSubject = (to: ComparedTo): to is Subject =>
  typeof to === "object" && ("account" in to || "user" in to || "feature" in to);

const isWindow = (to: ComparedTo): to is WindowName => typeof to === "object" && !isSubject(to);

const DAYS_PER_UNIT = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const;

function checkWindow(window: WindowName, path: string): Issue[] {
  if ("from" in window) {
    const days = dayOf(window.to) - dayOf(window.from) + 1;
    if (days < 1) return [{ path, message: "ends before it begins" }];
    return days > MAX_WINDOW_DAYS ? [tooLong(path)] : [];
  }
  const count = "last" in window ? window.last : "next" in window ? window.next : 1;
  return "unit" in window && count * DAYS_PER_UNIT[window.unit] > MAX_WINDOW_DAYS ? [tooLong(path)] : [];
}

const tooLong = (path: string): Issue => ({ path, message: `is longer than ${MAX_WINDOW_DAYS} days` });
