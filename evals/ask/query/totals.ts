/** What accounts or users come to together: totals, averages and shares. */
import { type Aggregate, MAX_ROWS } from "../../../src/core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../src/core/ask/query/result.ts";
import { meets } from "./filters.ts";
import { distinct } from "./fold.ts";
import { matching, measureOf } from "./matching.ts";
import { type All, finite, groupsOf, type Part, sortedBy, textOf } from "./rows.ts";
import { countOf, isIn, pastValue, restrictedTo, type Row, valueOf } from "./values.ts";

const COUNTS = ["events", "active_days", "active_users", "active_accounts", "features_used"];
export const isTotal = (measure: string): boolean =>
  [...COUNTS, "mrr", "arr", "seats", "seat_use", "score"].includes(measure);

/** What the matching accounts or users come to together, per group and currency. */
export function total(asked: All, pastDay: number | null): Part {
  const { query } = asked;
  const { show, per, order, limit, find, aggregate } = query;
  const measure = show === "value" ? (query.measure ?? "count") : "count";
  const rows = matching(asked);
  const isMoney = measure === "mrr" || measure === "arr";
  const groups = groupsOf(asked, rows, per);
  const all = groups.length > 0 || per !== undefined ? groups : [{ key: null, label: null, shown: null, rows: [] }];
  const ownValue = (row: Row): number | null => {
    const value = measureOf(asked, row, asked.window, pastDay !== null);
    return typeof value === "number" ? value : null;
  };
  const sums = all.flatMap((group) => {
    const known = group.rows.filter((row) =>
      aggregate !== undefined
        ? ownValue(row) !== null
        : measure === "count" || COUNTS.includes(measure) || storedValue(asked, row, measure, pastDay) !== null,
    );
    if (known.length === 0 && (per !== undefined || isMoney)) return [];
    const currencies = isMoney ? distinct(known.map((row) => textOf(valueOf(asked, row, "currency")))) : [null];
    return currencies.map((currency) => {
      const own = isMoney ? known.filter((row) => valueOf(asked, row, "currency") === currency) : known;
      const value =
        aggregate === undefined
          ? sumOf(asked, own, measure, pastDay)
          : aggregated(
              aggregate,
              own.flatMap((row) => ownValue(row) ?? []),
            );
      return { group, currency, value, count: own.length };
    });
  });
  const isUp = order?.direction === "up";
  const byCurrency = sortedBy(
    sums,
    () => 0,
    true,
    ({ currency }) => currency,
  );
  const sorted = sortedBy(
    byCurrency,
    ({ value }) => value,
    isUp,
    ({ group }) => group.label,
  );
  const shownRows = sorted.map(({ group, currency, value, count }): ResultRow => ({
    ...(per !== undefined && { group: group.shown }),
    ...(isMoney && { currency }),
    value: finite(value),
    count,
  }));
  return {
    rows: shownRows.slice(0, limit ?? MAX_ROWS),
    total: shownRows.length,
    matched: find === "accounts" || find === "users" ? rows.length : null,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function aggregated(aggregate: Aggregate, values: readonly number[]): number | null {
  if (values.length === 0) return null;
  if (aggregate === "sum") return sum(values);
  if (aggregate === "average") return sum(values) / values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const rest = Math.ceil(sorted.length / 2) - 1;
  const middle = sorted.slice(rest, sorted.length - rest);
  return sum(middle) / middle.length;
}

/** How many of those that meet `of` also meet `where`. */
export function share(asked: All): Part & Pick<QueryResult, "population"> {
  const all = matching({ ...asked, query: { ...asked.query, where: asked.query.of ?? [] } });
  const count = all.filter((row) => asked.query.where.every((filter) => meets(asked, row, filter))).length;
  const value = all.length === 0 ? null : (100 * count) / all.length;
  return { rows: [{ value, count }], total: 1, matched: count, population: all.length };
}

/** What an account has of money, seats or a score; for the use of seats, its seats. */
function storedValue(asked: All, row: Row, measure: string, pastDay: number | null): number | null {
  const name = measure === "arr" ? "mrr" : measure === "seat_use" ? "seats" : measure;
  const value =
    pastDay === null || measure === "seat_use"
      ? valueOf(asked, row, name)
      : pastValue(asked, row.account, name, pastDay);
  return typeof value === "number" && (measure !== "seat_use" || value > 0) ? value : null;
}

function sumOf(asked: All, rows: readonly Row[], measure: string, pastDay: number | null): number | null {
  if (measure === "count") return rows.length;
  const only = measure === "seat_use" ? null : restrictedTo(asked.query);
  const used = asked.events.filter(
    ({ day, name, account, user }) =>
      isIn(asked.window, day) &&
      (only === null || only.includes(name)) &&
      rows.some((row) => (row.user === undefined ? row.account === account : row.user === user)),
  );
  if (COUNTS.includes(measure)) return countOf(used, measure, asked);
  const stored = sum(rows.map((row) => storedValue(asked, row, measure, pastDay) ?? 0));
  if (rows.length === 0) return null;
  if (measure === "arr") return 12 * stored;
  if (measure === "score") return stored / rows.length;
  return measure === "seat_use" ? (100 * countOf(used, "active_users", asked)) / stored : stored;
}
