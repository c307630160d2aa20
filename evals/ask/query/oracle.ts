/** Answers a query by going through everything that is known of a world. */
import { MAX_ROWS, type Query } from "../../../src/core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../src/core/ask/query/result.ts";
import { countEvents, countItems, featureValue, listItems } from "./activity.ts";
import { comparedDays, type Days } from "./days.ts";
import { HISTORIC, isPast, matching, type Measure, measureOf, population } from "./matching.ts";
import {
  accountEntity,
  type All,
  codeOrder,
  entityOf,
  healthOf,
  nameOf,
  type Part,
  shown,
  sortedBy,
  type Surroundings,
  textOf,
} from "./rows.ts";
import { isTotal, share, total } from "./totals.ts";
import { type Row, type Value, valueOf } from "./values.ts";

/** Internal ids in the result are those of `keyOf`, or external ids. */
export function answer(world: Surroundings, query: Query): QueryResult {
  const { window, before } = comparedDays(query, world.today);
  const asked = { ...world, query, window };
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const everyone = population({ ...asked, query: { ...query, where: [] } });
  return {
    population: isCounted ? everyone.length : null,
    ...result(asked, before),
    window: isWindowUsed(asked) ? window : null,
    before,
  };
}

function isWindowUsed(asked: All): boolean {
  const { query, dimensions } = asked;
  const { find, where, of = [], measure, order, compare } = query;
  const isActivity = (name: string | undefined) =>
    dimensions.some((each) => each.name === name && each.isActivity === true);
  const isRead = (name: string) => isActivity(name) || (isPast(asked, null) && HISTORIC.has(name));
  return (
    find === "events" ||
    compare !== undefined ||
    [measure ?? [], order?.by ?? [], query.with ?? []].flat().some(isRead) ||
    [...where, ...of].some(({ dimension, window, became, changed }) => {
      const counts =
        (isActivity(dimension) && (find !== "features" || dimension !== "event")) ||
        became !== undefined ||
        changed !== undefined;
      return window === undefined && counts;
    })
  );
}

function result(asked: All, before: Days | null): Part & Partial<QueryResult> {
  const { find, show, measure } = asked.query;
  switch (find) {
    case "events":
      return compared(asked, before, countEvents);
    case "items":
      return show === "count" ? countItems(asked) : listItems(asked);
    case "features":
      return show === "count" ? countFeatures(asked) : listEntities(asked, before, featureMeasure);
    case "accounts":
    case "users":
      if (show === "share") return share(asked);
      if (show === "count" || (show === "value" && (measure === undefined || isTotal(measure))))
        return compared(asked, before, total);
      return listEntities(asked, before, measureOf);
  }
}

/** A total with that of the other window, or of the other subject. */
function compared(asked: All, before: Days | null, of: (asked: All, day: number | null) => Part): Part {
  const to = asked.query.compare?.to;
  const day = isPast(asked, before) ? asked.window.to : null;
  if (to === undefined) return of(asked, day);
  const now = of(asked, day);
  const then =
    before === null ? of({ ...asked, query: ofOther(asked.query) }, day) : of({ ...asked, window: before }, before.to);
  return { ...now, rows: now.rows.map((row) => ({ ...row, before: beforeIn(then, row) })) };
}

const beforeIn = ({ rows }: Part, { currency }: ResultRow): number | null => {
  const found = rows.find((row) => row.currency === currency)?.value;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

/** The query about what it is compared with. */
function ofOther(query: Query): Query {
  const to = query.compare?.to;
  if (typeof to !== "object") return query;
  const [[kind, name] = ["", ""]] = Object.entries(to);
  const dimension = kind === "feature" ? "event" : kind;
  return {
    ...query,
    where: query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: String(name) } : filter)),
  };
}

function listEntities(asked: All, before: Days | null, of: Measure): Part {
  const { query } = asked;
  const { measure, order, show, find, compare } = query;
  const isPastShown = isPast(asked, before);
  const other = compare !== undefined && before === null ? { ...asked, query: ofOther(query) } : null;
  const otherValue = (row: Row): Value => {
    if (before !== null) return of(asked, row, before, true);
    if (other === null) return null;
    if (find !== "features" && typeof compare?.to === "object" && "feature" in compare.to)
      return of(other, row, asked.window, isPastShown);
    const [only] = matching(other);
    return only === undefined ? null : of(other, only, asked.window, isPastShown);
  };
  const further = (row: Row, name: string): Value =>
    of({ ...asked, query: { ...query, measure: name } }, row, asked.window, isPastShown);
  const listed = matching(asked).map((row) => ({
    row,
    value: of(asked, row, asked.window, isPastShown),
    before: otherValue(row),
  }));
  const sortValue = (each: (typeof listed)[number]): Value => {
    const by = order?.by ?? measure;
    if (by === undefined) return nameOf(each.row);
    if (by === "change")
      return typeof each.value === "number" && typeof each.before === "number" ? each.value - each.before : null;
    if (by === measure) return each.value;
    return further(each.row, by);
  };
  const byName = order === undefined && measure === undefined;
  const isUp = (order?.direction ?? (byName ? "up" : "down")) === "up";
  const codes = asked.dimensions.find(({ name, type }) => name === (order?.by ?? measure) && type === "code")?.values;
  const sorted = sortedBy(
    listed,
    (each) => codeOrder(sortValue(each), codes),
    isUp,
    ({ row }) => nameOf(row),
  );
  const typeOf = (name: string | undefined) => asked.dimensions.find((each) => each.name === name)?.type;
  const type = typeOf(measure) ?? (show === "when" ? "date" : undefined);
  const rows = sorted.map(({ row, value, before: earlier }): ResultRow => ({
    entity: entityOf(asked, row),
    ...(find === "users" && { account: accountEntity(asked, row.account) }),
    ...((measure !== undefined || show === "when") && { value: shown(value, type) }),
    ...(compare !== undefined && { before: typeof earlier === "number" && Number.isFinite(earlier) ? earlier : null }),
    ...([measure, ...(query.with ?? [])].some((name) => name === "mrr" || name === "arr") && {
      currency: textOf(valueOf(asked, row, "currency")),
    }),
    ...(query.with && {
      with: Object.fromEntries(query.with.map((name) => [name, shown(further(row, name), typeOf(name))])),
    }),
    ...(show === "why" && { health: healthOf(asked, row) }),
  }));
  return { rows: rows.slice(0, query.limit ?? MAX_ROWS), total: rows.length, matched: rows.length };
}

const featureMeasure: Measure = (asked, row, window) =>
  asked.query.measure === undefined ? null : featureValue(asked, row, asked.query.measure, window);

function countFeatures(asked: All): Part {
  const count = matching(asked).length;
  return { rows: [{ value: count, count }], total: 1, matched: count };
}
