/**
 * Compiles checked queries to two statements: one limits what they read, the other answers them. `addQuery` splits a
 * query into parts; `addPart` compiles a part in three steps, each with its own SQL:
 *
 * 1. Find the subjects that meet the filters (`measures.ts`, `selection.ts`), by their current values (`entities.ts`,
 *    `dimension-sql.ts`), their uses (`uses-sql.ts`) and their past (`history-sql.ts`).
 * 2. Rank them with their measures (`rows.ts`), or count and group them or their events (`totals.ts`, `event-scope.ts`).
 * 3. Join all parts, so that each table is computed once (`shared-statement.ts`).
 *
 * The SQL text depends on the query, so each call prepares it. Its values are `:workspace` and `:values`.
 */
import { isListed, showsPast, usesWindow, withOpenItems } from "../../../core/ask/query/canonical.ts";
import { withImpliedOrder, supposedState, withoutChurned } from "../../../core/ask/query/implied.ts";
import { comparedWindows } from "../../../core/ask/query/compared-windows.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import type { Cell, QueryResult, ResultRow } from "../../../core/ask/query/result.ts";
import { comparesWithEntity, comparedSubject } from "../../../core/ask/query/subjects.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import type { Batch } from "../../client/batch.ts";
import type { Compiling, Lookups, PartResult, SharedByParts } from "./compiler-types.ts";
import { isOfEvents, selectionOf } from "./measures.ts";
import { addFirst, addList } from "./rows.ts";
import { eventScopeOf } from "./event-scope.ts";
import { newSharedStatement } from "./shared-statement.ts";
import { addEvents, addShare, addTotal } from "./totals.ts";
import { TAIL } from "./uses-sql.ts";
import { newValues } from "./values.ts";

/**
 * Adds the statements of queries to a batch.
 * @param queries checked against the dimensions; no summaries
 * @returns a function that reads their results once the batch has run
 */
export function addQueries(batch: Batch, queries: readonly Query[], lookups: Lookups): () => QueryResult[] {
  const values = newValues(lookups.now);
  const statement = newSharedStatement(batch, values);
  const shared = { statement, values, subjects: new Map() };
  const readParts = queries.map((query) => addQuery(query, lookups, shared));
  statement.finish(TAIL);
  return () => readParts.map((read) => read());
}

function addQuery(given: Query, lookups: Lookups, shared: SharedByParts): () => QueryResult {
  const supposed = supposedState(given);
  const query = withOpenItems({ ...given, where: given.where.filter((filter) => filter !== supposed) });
  const { window, before } = comparedWindows(query, lookups.today);
  // Comparisons of two times, and queries with a past window, show values as of the end of the window. Items always
  // show current ones.
  const isPast =
    query.find !== "items" && (before !== null || (query.window !== undefined && window.to < lookups.today));
  const compiling: Compiling = {
    ...lookups,
    ...shared,
    query,
    dimensions: new Map(lookups.dimensions.map((dimension) => [dimension.name, dimension])),
    window,
    asOf: isPast ? window.to : null,
  };
  const readPart =
    query.compare === undefined
      ? addPart(compiling)
      : addCompared(compiling, otherOf(compiling, before), query.compare);
  const readScore = before !== null && isOneScore(query) ? addScore(compiling, before) : null;
  const readPopulation = isCounted(query) ? addPopulation(compiling) : null;
  return () => {
    const { rows, total, population } = readPart();
    return {
      rows: readScore === null ? rows : rows.map(readScore()),
      total,
      population: population ?? readPopulation?.() ?? null,
      window: usesWindow(query) || showsPast(query) ? window : null,
      before,
    };
  };
}

/** Whether a query shows the score of one account. */
const isOneScore = ({ show, measure, where }: Query): boolean =>
  show === "value" &&
  measure === "score" &&
  where.some(({ dimension, is }) => dimension === "account" && is !== undefined);

/** Adds the states at both times of a comparison of one account's scores, and its first score if it had none before. */
function addScore(compiling: Compiling, before: Window): () => (row: ResultRow) => ResultRow {
  const readNow = addState(compiling, compiling.window.to);
  const readThen = addState(compiling, before.to);
  const readFirst = addFirstScore(compiling, before);
  return () => {
    const states = [readNow(), readThen()] as const;
    return (row) => ({ ...row, states, ...(row.value !== null && row.before === null && readFirst()) });
  };
}

/** The health state at the end of a day of the account that a query is about. */
function addState(compiling: Compiling, day: Day): () => Cell {
  const { find, where } = compiling.query;
  const read = addPart({ ...compiling, query: { find, where, show: "value", measure: "health" }, asOf: day });
  return () => read().rows[0]?.value ?? null;
}

/** The first score of the account that a query is about, if it is later than the time to compare with. */
function addFirstScore(compiling: Compiling, before: Window): () => Pick<ResultRow, "before" | "since"> {
  const query: Query = { find: "accounts", where: compiling.query.where, show: "list" };
  return addFirst(selectionOf({ ...compiling, query }, "accounts"), { from: before.to + 1, to: compiling.window.to });
}

const isCounted = ({ show, find }: Query): boolean => show === "count" && (find === "accounts" || find === "users");

/** Counts all accounts or users. "On 1 October" counts the accounts that existed then. */
function addPopulation(compiling: Compiling): () => number | null {
  const { find, where } = compiling.query;
  const [lastDay] = where.flatMap(({ asOf }) => asOf ?? []).toSorted((a, b) => (a < b ? 1 : -1));
  const isOfPast = lastDay !== undefined && find === "accounts";
  const existing = isOfPast ? [{ dimension: "first_seen", to: lastDay }] : [];
  const read = addPart({ ...compiling, query: { find, where: existing, show: "count" } });
  return () => {
    const count = read().rows[0]?.value;
    return typeof count === "number" ? count : null;
  };
}

/** Returns the same query about the other window or the other subject of its comparison. */
function otherOf(compiling: Compiling, before: Window | null): Compiling {
  if (before !== null) return { ...compiling, window: before, asOf: before.to };
  const { compare, ...query } = compiling.query;
  if (compare === undefined || !comparesWithEntity(compare.to)) return compiling;
  const { dimension, name } = comparedSubject(compare.to);
  const where = query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: name } : filter));
  return { ...compiling, query: { ...query, where } };
}

/**
 * Adds both sides of a comparison. A list compares within each row, in one part. Totals, events, and comparisons with
 * another subject of the kind that the query finds take two parts.
 */
function addCompared(compiling: Compiling, other: Compiling, { to }: NonNullable<Query["compare"]>): () => PartResult {
  const { query } = compiling;
  const hasBoth = !comparesWithEntity(to) || (query.find !== "features" && "feature" in to);
  if (hasRowPerEntity(query) && hasBoth) return addPart(compiling, other);
  return merged(addPart(compiling), addPart(other));
}

/** Adds the other value to each row; for money, the value in the same currency. */
const merged = (now: () => PartResult, then: () => PartResult) => (): PartResult => {
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

/** Whether the result has a row for each entity. "Is the MRR higher than before" is about the total. */
const hasRowPerEntity = (query: Query): boolean =>
  isListed(query) || (query.show === "yes_no" && query.find !== "events" && query.compare === undefined);

function addPart(given: Compiling, before: Compiling | null = null): () => PartResult {
  const compiling = { ...given, query: withoutChurned(withImpliedOrder(given.query), given.asOf) };
  const { find, show, where } = compiling.query;
  if (find === "events") return addEvents(compiling);
  if (show === "share") return addShare(compiling, find);
  const found =
    find === "features"
      ? selectionOf(compiling, find, where.filter(isOfEvents), eventScopeOf(compiling))
      : selectionOf(compiling, find);
  return hasRowPerEntity(compiling.query) ? addList(found, before) : addTotal(found);
}
