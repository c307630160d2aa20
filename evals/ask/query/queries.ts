/** Draws valid queries about a world. */
import { DAY_MS } from "../../../src/core/durations.ts";
import { checkQuery } from "../../../src/core/ask/query/check.ts";
import type { Dimension } from "../../../src/core/ask/query/dimensions.ts";
import * as model from "../../../src/core/ask/query/model.ts";
import type { Filter, Query, WindowName } from "../../../src/core/ask/query/model.ts";
import { chance, pick, type Random, wholeBetween } from "../../simulator/random.ts";
import { EVENTS, TODAY } from "./world.ts";

/** The names and values for filters. */
export interface Names {
  account: readonly string[];
  user: readonly string[];
}

const SHOWS = ["list", "list", "count", "share", "value", "value", "yes_no", "when", "why"] as const;

/** Draws until a query is valid. */
export function drawQuery(random: Random, dimensions: readonly Dimension[], names: Names): Query {
  const validated = (query: unknown): Query | null => {
    const { data } = model.querySchema.safeParse(query);
    return data !== undefined && checkQuery(data, dimensions).length === 0 ? data : null;
  };
  for (;;) {
    const find = pick(random, model.FINDS);
    const own = dimensions.filter(({ of }) => of.includes(find));
    const anyFilters = (counts: readonly [number, ...number[]]): Filter[] => {
      const count = pick(random, counts);
      const filters = Array.from({ length: 5 * count }, () => anyFilter(random, own, names));
      return filters.filter((filter) => validated({ find, where: [filter], show: "count" })).slice(0, count);
    };
    const where = anyFilters([0, 1, 1, 2, 3]);
    const of = anyFilters([0, 1, 2]);
    const show = pick(random, SHOWS);
    for (let attempts = 0; attempts < 20; attempts += 1) {
      const query = validated(anyQuery(random, { find, where, of, show }, own, names));
      if (query !== null) return query;
    }
  }
}

function anyQuery(
  random: Random,
  { find, where, of, show }: Pick<Query, "find" | "where" | "of" | "show">,
  own: readonly Dimension[],
  names: Names,
): unknown {
  const anyName = () => oneOf(random, own).name;
  const measure = chance(random, 0.6) ? pick(random, model.MEASURES) : anyName();
  const per = find === "events" && chance(random, 0.5) ? pick(random, model.PERIODS) : anyName();
  const compare = { to: pick(random, ["before", "before", anyWindow(random)]) };
  const by =
    find === "events" ? pick(random, [measure, "events"]) : pick(random, [measure, measure, "change", anyName()]);
  const named = where.find(({ is }) => is !== undefined)?.dimension ?? "";
  const other = new Map<string, readonly string[]>([...Object.entries(names), ["event", EVENTS]]).get(named);
  const subject = other && { to: { [named === "event" ? "feature" : named]: nameIn(random, other) } };
  return {
    find,
    where,
    show,
    ...(chance(random, show === "when" ? 0.3 : 0.7) && { measure }),
    ...(show === "share" && { of }),
    ...(show === "value" && chance(random, 0.4) && { aggregate: pick(random, model.AGGREGATES) }),
    ...(show === "list" && chance(random, 0.3) && { with: [anyName(), pick(random, model.MEASURES)] }),
    ...(chance(random, find === "events" ? 0.8 : 0.4) && { per }),
    ...(chance(random, 0.6) && { window: anyWindow(random) }),
    ...(chance(random, 0.3) && { compare: subject ?? compare }),
    ...(chance(random, 0.3) && { order: { by, direction: pick(random, ["up", "down"]) } }),
    ...(chance(random, 0.3) && { limit: wholeBetween(random, 1, 4) }),
  };
}

const oneOf = (random: Random, dimensions: readonly Dimension[]): Dimension => {
  const found = dimensions[Math.floor(random() * dimensions.length)];
  if (found === undefined) throw new Error("There are no dimensions.");
  return found;
};

const nameIn = (random: Random, names: readonly string[]): string =>
  names[Math.floor(random() * names.length)] ?? "nobody";

const anyDay = (random: Random): string =>
  new Date((TODAY - wholeBetween(random, -5, 62)) * DAY_MS).toISOString().slice(0, 10);

function anyWindow(random: Random): WindowName {
  const unit = pick(random, model.UNITS);
  const days = [anyDay(random), anyDay(random)].toSorted();
  const [from = "", to = ""] = days;
  return pick<WindowName>(random, [
    { last: wholeBetween(random, 1, 3), unit },
    { last: wholeBetween(random, 1, 60), unit: "day" },
    { next: wholeBetween(random, 1, 2), unit },
    { this: unit },
    { previous: unit },
    { from, to },
    { all: true },
  ]);
}

function anyFilter(random: Random, dimensions: readonly Dimension[], names: Names): Filter {
  const dimension = oneOf(random, dimensions);
  const condition = pick(random, ["is", ...model.CONDITIONS]);
  const value = anyValue(random, dimension, names);
  const others = new Map<string, unknown>([
    ["in", [value, anyValue(random, dimension, names)]],
    ["within", anyWindow(random)],
    ["isUnknown", chance(random, 0.5)],
    ["changed", pick(random, ["up", "down"])],
  ]);
  return {
    dimension: dimension.name,
    [condition]: others.get(condition) ?? value,
    ...(chance(random, 0.2) && { window: anyWindow(random) }),
    ...(chance(random, 0.15) && { asOf: anyDay(random) }),
    ...(condition === "became" && chance(random, 0.3) && { after: anyValue(random, dimension, names) }),
    ...(condition === "became" && chance(random, 0.3) && { first: true }),
  };
}

function anyValue(random: Random, { name, type, values = [] }: Dimension, names: Names): string | number | boolean {
  switch (type) {
    case "entity":
      if (name === "event") return pick(random, [...EVENTS, "never.sent"]);
      return nameIn(random, name === "account" ? names.account : names.user);
    case "code":
    case "text":
      return chance(random, 0.9) ? nameIn(random, values) : "qwertz";
    case "number":
    case "percent":
      return pick(random, [0, 1, 2, 5, 20, 49.5, 60, 100]);
    case "date":
      return anyDay(random);
    case "boolean":
      return chance(random, 0.5);
  }
}
