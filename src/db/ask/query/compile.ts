/** Compiles a checked query to the statements that answer it, in one round trip. */
import { isSubject, type Subject } from "../../../core/ask/query/check.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../core/ask/query/result.ts";
import { completeDays, daysOf, DEFAULT_WINDOW, windowBefore } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import type { Batch } from "../../client/batch.ts";
import type { Lookups } from "./dimension-sql.ts";
import { type Compiled, compileList, compileTotal, isTotal } from "./entities.ts";
import { compileEvents } from "./events.ts";
import { compileFeatures } from "./features.ts";
import { compileItemCount, compileItems } from "./items.ts";
import type { Compiling } from "./tables.ts";
import { newValues } from "./values.ts";

type Part = ReturnType<Compiled<never>["read"]>;

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
  const compiling = (own: Query): Compiling => ({
    query: own,
    dimensions: new Map(dimensions.map((dimension) => [dimension.name, dimension])),
    values: newValues("?2"),
    lookups,
    window,
    asOf: before === null ? null : window.to,
  });
  const readResult = addCompared(batch, compiling(query), before);
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const everyone: Query = { find: query.find, where: [], show: "count" };
  const readPopulation = isCounted ? addPart(batch, compiling(everyone)) : null;
  return () => {
    const { rows, total, matched } = readResult();
    const population = readPopulation?.().rows[0]?.value ?? null;
    return {
      rows,
      total,
      matched,
      population: typeof population === "number" ? population : null,
      window: query.find === "items" ? null : window,
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

/** Lists have both values in a row. Totals are compiled twice. */
function addCompared(batch: Batch, compiling: Compiling, before: Window | null): () => Part {
  const { query } = compiling;
  const then = before === null ? null : { ...compiling, window: before, asOf: before.to };
  if (query.compare !== undefined && isSubject(query.compare.to))
    return merged(
      addPart(batch, compiling),
      addPart(batch, { ...compiling, query: ofSubject(query, query.compare.to), values: newValues("?2") }),
    );
  if (then === null || isListed(query)) return addPart(batch, compiling, then);
  return merged(addPart(batch, compiling), addPart(batch, { ...then, values: newValues("?2") }));
}

/** The same query about another subject. */
function ofSubject(query: Query, subject: Subject): Query {
  const [dimension, name] =
    "account" in subject
      ? ["account", subject.account]
      : "user" in subject
        ? ["user", subject.user]
        : ["event", subject.feature];
  return {
    ...query,
    where: query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: name } : filter)),
  };
}

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
function isListed({ find, show, measure }: Query): boolean {
  if (find === "features") return true;
  if (find === "events" || show === "count") return false;
  return show !== "value" || (measure !== undefined && !isTotal(measure));
}

function addPart(batch: Batch, compiling: Compiling, before: Compiling | null = null): () => Part {
  const { query } = compiling;
  switch (query.find) {
    case "features":
      return added(batch, compileFeatures(compiling, before));
    case "events":
      return added(batch, compileEvents(compiling));
    case "items":
      return query.show === "count" ? added(batch, compileItemCount(compiling)) : added(batch, compileItems(compiling));
    case "accounts":
    case "users":
      return isListed(query)
        ? added(batch, compileList(query.find, compiling, before))
        : added(batch, compileTotal(query.find, compiling));
  }
}

function added<Row>(batch: Batch, { statement, read }: Compiled<Row>): () => Part {
  const rows = batch.addStatement(statement);
  return () => read(rows());
}
