/** Compiles a checked query to the statements that answer it, in one round trip. */
import { isListed, showsPast, usesWindow } from "../../../core/ask/query/canonical.ts";
import { windowsOf } from "../../../core/ask/query/compared-windows.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../core/ask/query/result.ts";
import { comparesWithEntity, subjectOf } from "../../../core/ask/query/subjects.ts";
import type { Batch } from "../../client/batch.ts";
import { type Compiling, type Lookups, newValues, type Part } from "./compiling.ts";
import { addShare, addTotal, entitiesIn } from "./entities.ts";
import { addEvents } from "./events.ts";
import { featuresIn } from "./features.ts";
import { addTotals } from "./groups.ts";
import { itemGroups, itemsIn } from "./items.ts";
import { addList } from "./lists.ts";

/**
 * Adds a query's statements to a batch.
 * @param query checked against the dimensions; not a summary
 * @returns a function that reads the result once the batch has run
 */
export function addQuery(batch: Batch, query: Query, lookups: Lookups): () => QueryResult {
  const { window, before } = windowsOf(query, lookups.today);
  // Comparisons, and queries with a window that is over, show values as of the end of the window.
  const isPast = before !== null || (query.window !== undefined && window.to < lookups.today);
  const compiling = (own: Query, days = window): Compiling => ({
    query: own,
    batch,
    dimensions: new Map(lookups.dimensions.map((dimension) => [dimension.name, dimension])),
    values: newValues(lookups.now),
    lookups,
    window: days,
    asOf: isPast ? days.to : null,
  });
  const { compare } = query;
  const other = () => (before === null ? compiling(ofOther(query)) : compiling(query, before));
  const readResult =
    compare === undefined ? addPart(compiling(query)) : addCompared(compiling(query), other(), compare);
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const readEveryone = isCounted ? addPart(compiling({ find: query.find, where: [], show: "count" })) : null;
  return () => {
    const part = readResult();
    const everyone = readEveryone?.().rows[0]?.value;
    return {
      ...part,
      population: part.population ?? (typeof everyone === "number" ? everyone : null),
      window: usesWindow(query) || showsPast(query) ? window : null,
      before,
    };
  };
}

/** The same query about the other subject of the comparison. */
function ofOther({ compare, ...query }: Query): Query {
  if (compare === undefined || !comparesWithEntity(compare.to)) return query;
  const { dimension, name } = subjectOf(compare.to);
  const where = query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: name } : filter));
  return { ...query, where };
}

/** Lists compare in each row, with one statement, unless the list is about the subject. Others take two statements. */
function addCompared(compiling: Compiling, other: Compiling, { to }: NonNullable<Query["compare"]>): () => Part {
  const { query, values } = compiling;
  const hasBoth = !comparesWithEntity(to) || (query.find !== "features" && "feature" in to);
  if (isOfEach(query) && hasBoth) return addPart(compiling, { ...other, values });
  return merged(addPart(compiling), addPart(other));
}

/** Adds the other value to each row; for money, the one in the same currency. */
const merged = (now: () => Part, then: () => Part) => (): Part => {
  const { rows, ...rest } = now();
  const earlier = new Map(then().rows.map((row) => [row.currency, row.value]));
  return {
    ...rest,
    rows: rows.map((row): ResultRow => {
      const before = earlier.get(row.currency);
      return { ...row, before: typeof before === "number" ? before : null };
    }),
  };
};

/** Whether the result is about entities one by one, as it is for yes or no, too. */
const isOfEach = (query: Query): boolean => isListed(query) || (query.show === "yes_no" && query.find !== "events");

function addPart(compiling: Compiling, before: Compiling | null = null): () => Part {
  const { find, show } = compiling.query;
  if (find === "events") return addEvents(compiling);
  const isList = isOfEach(compiling.query);
  if (find === "features") {
    const features = featuresIn(compiling);
    return isList ? addList(compiling, before, features) : addTotals(compiling, features);
  }
  if (find === "items") {
    const items = itemsIn(compiling);
    return isList ? addList(compiling, before, items) : addTotals(compiling, items, itemGroups(compiling));
  }
  if (show === "share") return addShare(compiling, find);
  return isList ? addList(compiling, before, entitiesIn(compiling, find)) : addTotal(compiling, find);
}
