/** Totals, averages and shares of the accounts, users, features, items or events of a query. */
import { type Aggregate, MAX_ROWS, PERIODS, type Query } from "../../../src/core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../src/core/ask/query/result.ts";
import { startOf } from "./days.ts";
import { distinct } from "./fold.ts";
import { currencyOf, isLeftOut, isMoneyName, matching, measureOf, meets } from "./filters.ts";
import { type OracleInput, finite, groupsOf, isoDay, type OracleRows, sortedBy, textOf } from "./rows.ts";
import { countOf, isIn, restrictedTo, type Row, valueOf } from "./values.ts";

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  mrr: "sum",
  arr: "sum",
  mrr_lost: "sum",
  seats: "sum",
  unused_seats: "sum",
  score: "average",
};

/** Counts or totals what a query finds, per group and currency. */
export function total(asked: OracleInput): OracleRows {
  const { per, order, limit = MAX_ROWS, find, measure } = asked.query;
  const rows = matching(asked);
  const isMoney = isOfValues(asked.query) && isMoneyName(measure);
  const sums = groupsOf(asked, rows, per).flatMap((group) => {
    const known = group.rows.flatMap((row) => {
      const value = countedValue(asked, row);
      return value === null ? [] : [{ row, value, currency: isMoney ? textOf(currencyOf(asked, row, measure)) : null }];
    });
    const currencies = per === undefined && !isMoney ? [null] : distinct(known.map(({ currency }) => currency));
    return currencies.map((currency) => {
      const own = known.filter((each) => each.currency === currency);
      return { ...group, currency, value: totalOf(asked, own) };
    });
  });
  const isUp = order?.direction === "up";
  const byCurrency = sortedBy(
    sums.filter(({ value }) => find !== "events" || per === undefined || value !== 0),
    ({ currency }) => currency,
    true,
    () => null,
  );
  const sorted = sortedBy(
    byCurrency,
    ({ value }) => value,
    isUp,
    ({ label }) => label,
  );
  const shownRows = sorted.map(({ shown: group, currency, value }): ResultRow => ({
    ...(per !== undefined && { group }),
    ...(isMoney && { currency }),
    value: finite(value),
  }));
  return { rows: shownRows.slice(0, limit), total: shownRows.length };
}

const aggregateOf = ({ query }: OracleInput): Aggregate | undefined =>
  isOfValues(query) ? (query.aggregate ?? AGGREGATES[query.measure ?? ""]) : undefined;

/** Tests whether values are combined: "is it higher than before" asks for the same ones. */
const isOfValues = ({ show }: Query): boolean => show === "value" || show === "yes_no";

/** Returns what a row adds to a total of stored values; 1 for a count. `null` if it does not count. */
function countedValue(asked: OracleInput, row: Row): number | null {
  const { show, measure } = asked.query;
  const isSeatUse = show !== "count" && measure === "seat_use";
  if (aggregateOf(asked) === undefined && !isSeatUse) return 1;
  const value = aggregateOf(asked) === undefined ? valueOf(asked, row, "seats") : measureOf(asked, row, asked.window);
  return typeof value === "number" && (value > 0 || aggregateOf(asked) !== undefined) ? value : null;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function totalOf(asked: OracleInput, known: readonly { row: Row; value: number }[]): number | null {
  const { find, show, measure = find === "events" ? "events" : "count" } = asked.query;
  const values = known.map(({ value }) => value);
  const aggregate = aggregateOf(asked);
  if (aggregate !== undefined) return aggregated(aggregate, values);
  if (find === "events")
    return countOf(
      known.flatMap(({ row }) => row.event ?? []),
      measure,
      asked,
    );
  if (show === "count" || measure === "count") return known.length;
  const only = measure === "seat_use" ? null : restrictedTo(asked.query);
  const used = asked.events.filter(
    ({ day, name, account, user }) =>
      isIn(asked.window, day) &&
      (only === null || only.includes(name)) &&
      known.some(({ row }) => (row.user === undefined ? row.account === account : row.user === user)),
  );
  if (measure !== "seat_use") return countOf(used, measure, asked);
  return known.length === 0 ? null : (100 * countOf(used, "active_users", asked)) / sum(values);
}

function aggregated(aggregate: Aggregate, values: readonly number[]): number | null {
  if (values.length === 0) return null;
  if (aggregate === "sum") return sum(values);
  if (aggregate === "average") return sum(values) / values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const rest = Math.ceil(sorted.length / 2) - 1;
  const middle = sorted.slice(rest, sorted.length - rest);
  return sum(middle) / middle.length;
}

/** Returns the events of each period of the window, also of those without any. */
export function periods(asked: OracleInput): OracleRows {
  const { per, measure = "events", order, limit = MAX_ROWS } = asked.query;
  const period = PERIODS.find((each) => each === per) ?? "day";
  const events = matching(asked).flatMap(({ event }) => event ?? []);
  const { from, to } = asked.window;
  const starts = distinct(Array.from({ length: to - from + 1 }, (_, index) => startOf(period, from + index)));
  const rows = starts.map((start) => {
    const own = events.filter(({ day }) => startOf(period, day) === start);
    return { group: isoDay(start), value: countOf(own, measure, asked) };
  });
  const sorted = sortedBy(
    rows,
    ({ value }) => value,
    order?.direction === "up",
    ({ group }) => group,
  );
  return { rows: order === undefined ? rows.slice(-limit) : sorted.slice(0, limit), total: rows.length };
}

/** Returns how many of the entities that meet `of` also meet `where`. */
export function share(asked: OracleInput): OracleRows & Pick<QueryResult, "population"> {
  const all = matching({ ...asked, query: { ...asked.query, where: asked.query.of ?? [] } }).filter(
    (row) => !isLeftOut(asked, row),
  );
  const count = all.filter((row) => asked.query.where.every((filter) => meets(asked, row, filter))).length;
  const value = all.length === 0 ? null : (100 * count) / all.length;
  return { rows: [{ value, count }], total: 1, population: all.length };
}
