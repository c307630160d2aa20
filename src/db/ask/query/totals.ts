/** Compiles counts, totals and shares of what a query finds, per group if the query has `per`. */
import { defaultAggregate } from "../../../core/ask/query/canonical.ts";
import { isMoney, isPeriod } from "../../../core/ask/query/check.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { type Aggregate, MAX_ROWS, type Period, type Query } from "../../../core/ask/query/model.ts";
import type { Cell, Entity } from "../../../core/ask/query/result.ts";
import { valuesNamedBy } from "../../../core/ask/query/subjects.ts";
import { isoDate, startOf } from "../../../core/ask/query/windows.ts";
import { eventName } from "./aliases.ts";
import type { Compiling, EventCondition, PartResult } from "./compiler-types.ts";
import type { Owner } from "./entities.ts";
import { accountIn, type EntityRow, featureOf, userIn } from "./entity-columns.ts";
import {
  aggregateOf,
  countedEvents,
  countOf,
  currencyIn,
  groupColumns,
  isOneOf,
  measureIn,
  meetsAll,
  selectionOf,
  valueIn,
} from "./measures.ts";
import { addRanked, decoded } from "./rows.ts";
import { eventScopeOf } from "./event-scope.ts";
import type { Selection } from "./selection.ts";

/** The rows to group, with `grp`, `label` and `currency`, and the SQL of a group's value. */
interface Aggregation {
  source: string;
  value: string;
}

/** Sums, averages and medians of money are per currency. */
const isMoneyValue = ({ show, measure }: Query): boolean => (show === "value" || show === "yes_no") && isMoney(measure);

/**
 * Selects the groups with the highest values, or the lowest if the query says so. Without `per` there is one row, or one
 * per currency.
 */
function addGroups(compiling: Compiling, { source, value }: Aggregation, limit?: number): () => PartResult {
  const { query, dimensions } = compiling;
  const { per, find } = query;
  const isGrouped = per !== undefined || isMoneyValue(query);
  const subject = (name: string): string => (per === name ? "min(grp)" : "NULL");
  const shown = (column: string): string => `${per === "event" ? nameOfKey(`grouped.${column}`) : column} AS ${column}`;
  const ranking = {
    columns: ["id", "name", "value", "currency"],
    source: `(SELECT ${shown("id")}, ${shown("name")}, account, user, currency, value FROM (
    SELECT min(grp) AS id, min(label) AS name, ${subject("account")} AS account, ${subject("user")} AS user,
      min(currency) AS currency, ${value} AS value
    FROM ${source} ${isGrouped ? "GROUP BY grp, currency" : ""}
  ) grouped) ${find === "events" && isGrouped ? "WHERE value > 0" : ""}`,
    by: "value",
    ...(limit !== undefined && { limit }),
  } as const;
  return addRanked(compiling, ranking, (row) => ({
    ...(per !== undefined && { group: groupIn(row, per, dimensions.get(per)?.type) }),
    ...(isMoneyValue(query) && { currency: row.currency }),
    value: decoded(row.value, "number"),
  }));
}

/** The name of an event, from its key in uses. */
const nameOfKey = (key: string): string =>
  `iif(typeof(${key}) = 'integer',
    (SELECT ${eventName.name} FROM ${eventName.table} WHERE ${eventName.number} = ${key}), ${key})`;

function groupIn(row: EntityRow & { id: Cell }, per: string, type: Dimension["type"] | undefined): Entity | Cell {
  if (per === "account") return accountIn(row);
  if (per === "event") return featureOf(String(row.id));
  return per === "user" ? userIn(row) : decoded(row.id, type);
}

/** Counts what a query finds, or totals a measure of it. */
export function addTotal(selection: Selection): () => PartResult {
  const { compiling } = selection;
  const { show, measure, per, aggregate = defaultAggregate(measure) } = compiling.query;
  const isSum = isMoneyValue(compiling.query);
  const columns = {
    ...(per === undefined ? { grp: "NULL", label: "NULL" } : groupColumns(selection, per)),
    currency: isSum ? currencyIn(selection, measure) : "NULL",
  };
  if (show === "count" || measure === undefined)
    return addGroups(compiling, { source: selection.select(columns), value: "count(*)" });
  if (aggregate !== undefined) {
    const v = measureIn(selection, measure);
    return addGroups(compiling, AGGREGATES[aggregate](selection.select({ ...columns, v })));
  }
  const v = measure === "seat_use" ? valueIn(selection, "seats") : "NULL";
  return addGroups(compiling, totalCount(selection, measure, selection.select({ ...columns, v })));
}

/** The SQL of each aggregate, and the rows that it reads. */
const AGGREGATES: Readonly<Record<Aggregate, (matched: string) => Aggregation>> = {
  sum: (matched) => ({ source: `${matched} WHERE v IS NOT NULL`, value: "iif(count(*) > 0, total(v), NULL)" }),
  average: (matched) => ({ source: `${matched} WHERE v IS NOT NULL`, value: "avg(v)" }),
  median: (matched) => ({
    source: `(SELECT *, row_number() OVER (PARTITION BY grp, currency ORDER BY v) AS position,
    count(*) OVER (PARTITION BY grp, currency) AS size FROM ${matched} WHERE v IS NOT NULL)`,
    // The middle value, or the average of the two middle values.
    value: "avg(v) FILTER (WHERE position IN ((size + 1) / 2, (size + 2) / 2))",
  }),
};

/** Counts the uses of a group's accounts or users. Those without a use have a row too, so that their group shows 0. */
function totalCount(selection: Selection, measure: string, matched: string): Aggregation {
  const isSeatUse = measure === "seat_use";
  const count = countOf(isSeatUse ? "active_users" : measure);
  const { compiling } = selection;
  const counted = selection.uses(compiling.window, count.grain, isSeatUse ? null : countedEvents(compiling));
  const withSeats = isSeatUse ? " WHERE chosen.v > 0" : "";
  return {
    source: `(
    SELECT id, grp, label, currency, v, NULL AS account, NULL AS day, NULL AS user, NULL AS event, NULL AS count
    FROM ${matched} chosen${withSeats}
    UNION ALL
    SELECT chosen.id, grp, label, currency, NULL, use.account, use.day, use.user, use.event, use.count
    FROM (${counted}) use CROSS JOIN ${matched} chosen ON chosen.id = use.id${withSeats})`,
    value: isSeatUse ? `100.0 * ${aggregateOf(count)} / sum(v)` : `coalesce(${aggregateOf(count)}, 0)`,
  };
}

/** Adds the share of the entities of `of` that also meet `where`. Each counts only the events in its own filters. */
export function addShare(compiling: Compiling, owner: Owner): () => PartResult {
  const { statement, query } = compiling;
  const selection = selectionOf({ ...compiling, query: { ...query, where: query.of ?? [] } }, owner);
  const table = selection.select({ is_met: meetsAll(selection, compiling) });
  const sql = `SELECT count(*) FILTER (WHERE is_met) AS value, count(*) AS total FROM ${table}`;
  const rows = statement.addPart(["value", "total"], sql);
  return () => {
    const [row] = rows();
    const [count, population] = [Number(row?.value ?? 0), row?.total ?? 0];
    const value = population === 0 ? null : (100 * count) / population;
    return { rows: [{ value, count }], total: 1, population };
  };
}

/** The first day of the period that contains `day`, in SQL. Weeks begin on Monday. */
const PERIOD_STARTS: Readonly<Record<Period, string>> = {
  day: "use.day",
  week: "use.day - (use.day + 3) % 7",
  month: "unixepoch(use.day * 86400, 'unixepoch', 'start of month') / 86400",
};

/** Exceeds the number of days in the longest window. */
const MAX_PERIODS = 1_000;

/** Counts events, or the users or accounts that had them: in total, per period, or per value of a dimension. */
export function addEvents(compiling: Compiling): () => PartResult {
  const { query, window } = compiling;
  const { per, measure = "events" } = query;
  const period = isPeriod(per) ? per : null;
  const own =
    period === null ? (per === "event" ? "use.event" : per === undefined ? "NULL" : null) : PERIOD_STARTS[period];
  const scope = eventScopeOf(compiling, own === null ? per : undefined);
  const count = countOf(measure);
  const uses = scope.uses(window, { ...count.grain, ...(per === "event" && { event: true }) }, chosenEvents(compiling));
  const total = {
    source: `(SELECT use.*, ${own === null ? "grp, label" : `${own} AS grp, ${own} AS label`}, NULL AS currency
    FROM (${uses}) use ${scope.groups})`,
    value: `coalesce(${aggregateOf(count)}, 0)`,
  };
  if (period === null) return addGroups(compiling, total);
  const readGroups = addGroups(compiling, total, MAX_PERIODS);
  return () => periodsOf(period, compiling, readGroups());
}

/** The events that meet all filters on events. */
function chosenEvents(compiling: Compiling): EventCondition {
  const filters = compiling.query.where.filter(({ dimension }) => dimension === "event");
  const conditions = filters.map((filter) => {
    const { holds } = isOneOf(compiling, valuesNamedBy(filter));
    return (key: string) => `${filter.isNot === undefined ? "" : "NOT "}(${holds(key)})`;
  });
  if (conditions.length === 0) return null;
  return {
    holds: (key) => conditions.map((holds) => holds(key)).join(" AND "),
    leavesFew: filters.some(({ isNot }) => isNot === undefined),
  };
}

/** The newest periods of the window, oldest first, or those that an order puts first. Periods without events show 0. */
function periodsOf(period: Period, { window, query }: Compiling, { rows }: PartResult): PartResult {
  const { from, to } = window;
  const { limit = MAX_ROWS, order } = query;
  const values = new Map(rows.map(({ group, value }) => [Number(group), Number(value)]));
  const starts = [...new Set(Array.from({ length: to - from + 1 }, (_, index) => startOf(period, from + index)))];
  const all = starts.map((start) => ({ group: isoDate(start), value: values.get(start) ?? 0 }));
  const sign = order?.direction === "up" ? 1 : -1;
  const first = () => all.toSorted((a, b) => sign * (a.value - b.value)).slice(0, limit);
  return { rows: order === undefined ? all.slice(-limit) : first(), total: all.length };
}
