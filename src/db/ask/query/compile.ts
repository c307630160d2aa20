/** Compiles a checked query to the statements that answer it, in one round trip. */
import { showsPast, usesWindow } from "../../../core/ask/query/canonical.ts";
import { dimensionOfSubject, isMeasure, isSubject, type Subject } from "../../../core/ask/query/check.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../core/ask/query/result.ts";
import { completeDays, daysOf, DEFAULT_WINDOW, windowBefore } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
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
 * @param query checked against the dimensions; no summary
 * @returns a function that gives the result once the batch has run
 */
export function addQuery(
  batch: Batch,
  query: Query,
  dimensions: readonly Dimension[],
  lookups: Lookups,
): () => QueryResult {
  const { window, before } = windowsOf(query, lookups);
  // Past values are those at the end of a window that is compared, or that a query names.
  const isPast = before !== null || (query.window !== undefined && window.to < lookups.today);
  const compiling = (own: Query): Compiling => ({
    query: own,
    dimensions: new Map(dimensions.map((dimension) => [dimension.name, dimension])),
    values: newValues(lookups.now),
    lookups,
    window,
    asOf: isPast ? window.to : null,
  });
  const readResult = addCompared(batch, compiling(query), before);
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const everyone: Query = { find: query.find, where: [], show: "count" };
  const readPopulation = isCounted ? addPart(batch, compiling(everyone)) : null;
  return () => {
    const { rows, total, matched, population } = readResult();
    return {
      rows,
      total,
      matched,
      population: population ?? readPopulation?.().matched ?? null,
      window: usesWindow(query) || showsPast(query) ? window : null,
      before,
    };
  };
}

/** What is counted, and what it is compared with. Comparisons are of complete days, if there are any. */
function windowsOf({ window, compare }: Query, { today }: Lookups): { window: Window; before: Window | null } {
  const days = daysOf(window ?? DEFAULT_WINDOW, today);
  if (compare === undefined || isSubject(compare.to)) return { window: days, before: null };
  const complete = completeDays(days, today) ?? days;
  if (compare.to === "before") return { window: complete, before: windowBefore(complete) };
  const other = daysOf(compare.to, today);
  return { window: complete, before: completeDays(other, today) ?? other };
}

/**
 * Lists have both values in a row, unless they are about the subject that is compared. Otherwise the query is compiled
 * twice.
 */
function addCompared(batch: Batch, compiling: Compiling, before: Window | null): () => Part {
  const { query } = compiling;
  const { find, compare } = query;
  if (compare === undefined) return addPart(batch, compiling);
  const subject = isSubject(compare.to) ? compare.to : null;
  const other =
    subject === null
      ? { ...compiling, window: before ?? compiling.window, asOf: before?.to ?? null }
      : { ...compiling, query: ofSubject(query, subject) };
  const isOneStatement = subject === null || (find !== "features" && "feature" in subject);
  if (isListed(query) && isOneStatement) return addPart(batch, compiling, other);
  return merged(addPart(batch, compiling), addPart(batch, { ...other, values: newValues(compiling.lookups.now) }));
}

/** The same query about another subject. */
function ofSubject(query: Query, subject: Subject): Query {
  const dimension = dimensionOfSubject(subject);
  const [name = ""] = Object.values(subject);
  const where = query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: name } : filter));
  return { ...query, where };
}

/** Adds the other value to each row; of money, only in the same currency. */
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

/** Whether the result is about entities one by one. A text or a date has no total. */
function isListed({ find, show, measure = "" }: Query): boolean {
  if (find === "events" || show === "count" || show === "share") return false;
  return find === "features" || show !== "value" || !isMeasure(measure);
}

function addPart(batch: Batch, compiling: Compiling, before: Compiling | null = null): () => Part {
  const { find, show } = compiling.query;
  if (find === "events") return addEvents(batch, compiling);
  const isList = isListed(compiling.query);
  if (find === "features") {
    const features = featuresIn(compiling);
    return isList ? addList(batch, compiling, before, features) : addTotals(batch, compiling, features);
  }
  if (find === "items") {
    const items = itemsIn(compiling);
    return isList
      ? addList(batch, compiling, before, items)
      : addTotals(batch, compiling, items, itemGroups(compiling));
  }
  if (show === "share") return addShare(batch, compiling, find);
  return isList ? addList(batch, compiling, before, entitiesIn(compiling, find)) : addTotal(batch, compiling, find);
}
