/** Generates valid queries over a workspace with traits whose names and values are hard to say. */
import * as fc from "fast-check";

import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import { BUILT_IN, type Dimension } from "../../../../src/core/ask/query/dimensions.ts";
import {
  AGGREGATES,
  FINDS,
  type Filter,
  MEASURES,
  type Query,
  querySchema,
  SHOWS,
  type WindowName,
} from "../../../../src/core/ask/query/model.ts";
import type { DisplayNames } from "../../../../src/core/ask/query/display-names.ts";

const OF_ACCOUNT = ["accounts", "users", "features", "items", "events"] as const;
const OF_USER = ["users", "features", "events"] as const;
const trait = (name: string, type: Dimension["type"]): Dimension => ({
  name,
  type,
  of: name.startsWith("account.") ? OF_ACCOUNT : OF_USER,
});

export const dimensions: readonly Dimension[] = [
  ...BUILT_IN,
  trait("account.region", "text"),
  trait("account.industry", "text"),
  trait("account.accountManager", "text"),
  trait("account.plan", "text"),
  trait("account.over 5", "text"),
  trait("account.contractEndsOn", "date"),
  trait("account.contract_end", "date"),
  trait("account.employees", "number"),
  trait("account.sso", "boolean"),
  trait("user.role", "text"),
  trait("user.plan", "text"),
  trait("user.renewsAt", "date"),
];

/** Names of accounts and users by id. Other ids have no name. */
export const NAMES: Readonly<Record<string, string>> = {
  "account:acme": "Acme",
  "account:meridian-air": "Meridian Air",
  "account:odd": "Total events in the last 14 days",
  "user:maria": "Maria Lopez",
  "feature:Report Exported": "Report Exported",
};

export const speech: DisplayNames = { dimensions, nameOf: (type, id) => NAMES[`${type}:${id}`] ?? null };

const ENTITIES = [
  "acme",
  "meridian-air",
  "odd",
  "maria",
  "Report Exported",
  "Acme",
  "the account Acme",
  'say "hi"',
  "2026",
  "x",
];
const TEXTS = [
  "Business",
  "Team",
  "emea",
  "admin",
  "Business plan",
  "or",
  "Team or Business",
  'a "b',
  "14",
  "no",
  "EUR",
  "März 4",
  "at risk",
];

const day = fc
  .integer({ min: 20_400, max: 20_700 })
  .map((value) => new Date(value * 86_400_000).toISOString().slice(0, 10));
const unit = fc.constantFrom("day", "week", "month", "quarter", "year");
const count = fc.constantFrom(1, 2, 7, 14, 28);
export const window: fc.Arbitrary<WindowName> = fc.oneof(
  fc.record({ last: count, unit }),
  fc.record({ next: count, unit }),
  fc.record({ this: unit }),
  fc.record({ previous: unit }),
  fc.record({ from: day, to: day }),
  fc.constant({ from: "2026-10-01", to: "2026-10-31" }),
  fc.constant({ all: true as const }),
);

const number = fc.constantFrom(0, -0, 1, 5, 14, 0.5, 1_000, 1e21, 1e308, -3);

function valueOf({ type, values }: Dimension): fc.Arbitrary<string | number | boolean> {
  switch (type) {
    case "entity":
      return fc.constantFrom(...ENTITIES);
    case "code":
      return fc.constantFrom(...(values ?? []));
    case "text":
      return fc.oneof(fc.constantFrom(...TEXTS), fc.string({ minLength: 1, maxLength: 8 }));
    case "number":
    case "percent":
      return number;
    case "date":
      return day;
    case "boolean":
      return fc.boolean();
  }
}

const filter: fc.Arbitrary<Filter> = fc.constantFrom(...dimensions).chain((dimension) => {
  const value = valueOf(dimension);
  const bound = dimension.type === "date" ? day : number;
  const condition: fc.Arbitrary<Partial<Filter>> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ is: value }) },
    fc.record({ isNot: value }),
    fc.record({ in: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ over: number }),
    fc.record({ under: number }),
    fc.record({ from: bound }),
    fc.record({ to: bound }),
    fc.record({ within: window }),
    fc.record({ isUnknown: fc.boolean() }),
    fc.record({ became: value }),
    fc.record({ newly: value }),
    fc.record({ became: value, after: value }),
    fc.record({ became: value, first: fc.constant(true as const) }),
    fc.record({ changed: fc.constantFrom("up" as const, "down" as const) }),
  );
  const when: fc.Arbitrary<Partial<Filter>> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.record({ window }),
    fc.record({ asOf: day }),
  );
  return fc.tuple(condition, when).map(([a, b]) => ({ dimension: dimension.name, ...a, ...b }));
});

const isFine = (given: Query): boolean => checkQuery(given, dimensions).length === 0;

/** Returns a filter that fits the entities found. Most random filters don't. */
const fittingFilter = (find: Query["find"]): fc.Arbitrary<Filter> =>
  filter.filter((each) => isFine({ find, where: [each], show: find === "events" ? "value" : "count" }));

/** Leaves an option out about half the time. */
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const PARTS = [
  "where",
  "show",
  "of",
  "measure",
  "aggregate",
  "with",
  "per",
  "window",
  "compare",
  "order",
  "limit",
] as const;

/** Returns a query, and the same with one part of another query. */
export const neighbors = (): fc.Arbitrary<readonly Query[]> =>
  fc.tuple(queries, queries).map(([a, b]) => {
    return [
      a,
      ...PARTS.map((part) => ({ ...a, [part]: b[part] })),
      ...a.where.map((_, place) => ({ ...a, where: a.where.toSpliced(place, 1) })),
    ]
      .map((each) => querySchema.parse(defined(each)))
      .filter(isFine);
  });

/** Returns queries that pass the schema and the check. */
export const queries: fc.Arbitrary<Query> = fc.constantFrom(...FINDS).chain((find) => {
  const named = fc.constantFrom<string>(
    ...MEASURES,
    ...dimensions.filter(({ of }) => of.includes(find)).map(({ name }) => name),
  );
  const rough = fc.record({
    where: fc.array(fittingFilter(find), { maxLength: 3 }),
    show: fc.constantFrom(...SHOWS),
    of: maybe(fc.array(fittingFilter(find), { maxLength: 2 })),
    measure: maybe(named),
    aggregate: maybe(fc.constantFrom(...AGGREGATES)),
    with: maybe(fc.array(named, { minLength: 1, maxLength: 2 })),
    per: maybe(fc.oneof(named, fc.constantFrom("day", "week", "month"))),
    window: maybe(window),
    compare: maybe(
      fc.record({
        to: fc.oneof(
          fc.constant("before" as const),
          window,
          fc.record({ account: fc.constantFrom(...ENTITIES) }),
          fc.record({ user: fc.constantFrom(...ENTITIES) }),
          fc.record({ feature: fc.constantFrom(...ENTITIES) }),
        ),
      }),
    ),
    order: maybe(
      fc.record({
        by: fc.oneof(named, fc.constant("change")),
        direction: fc.constantFrom("up" as const, "down" as const),
      }),
    ),
    limit: maybe(fc.constantFrom(1, 5, 10, 100)),
  });
  return rough.map((each) => repaired({ find, ...defined(each) }));
});

const defined = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** Removes the parts that the check rejects, one by one. */
function repaired(rough: object): Query {
  let parsed = querySchema.parse(rough);
  for (const part of ["compare", "of", "aggregate", "with", "per", "order", "measure", "window", "limit"] as const) {
    if (isFine(parsed)) return parsed;
    const { [part]: _, ...rest } = parsed;
    const without: Query = rest;
    if (checkQuery(without, dimensions).length < checkQuery(parsed, dimensions).length) parsed = without;
  }
  const listed: Query = { find: parsed.find, where: [], show: parsed.find === "events" ? "value" : "list" };
  if (isFine(parsed)) return parsed;
  const filtered = { ...listed, where: parsed.where };
  return isFine(filtered) ? filtered : listed;
}
