/** Compiles queries about accounts and users: lists, counts, totals and groups. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { type Aggregate, MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell } from "../../../core/ask/query/result.ts";
import type { Health } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { accounts, health, users } from "../../schema/schema.ts";
import {
  type AccountColumns,
  accountColumns,
  accountIn,
  type UserColumns,
  userColumns,
  userIn,
} from "./entity-columns.ts";
import { type Compiled, decoded, finite, groupColumns, groupIn, type GroupRow, groupStatement } from "./groups.ts";
import { countedBy, COUNTS, isCount, measureIn, meetsAll, selectionOf, valueIn } from "./measures.ts";
import { type Compiling, namedDimension, type Owner, type Tables } from "./tables.ts";

const a = columnsOf(accounts, "a");
const h = columnsOf(health, "h");
const u = columnsOf(users, "u");

interface ListRow extends AccountColumns, UserColumns {
  value: Cell;
  before: number | null;
  currency: string | null;
  health: string | null;
  total: number;
  /** The further columns. */
  [further: `w${number}`]: Cell;
}

/** Lists accounts or users with the measure, and in its order. */
export function compileList(owner: Owner, compiling: Compiling, before: Compiling | null): Compiled<ListRow> {
  const { query, values, dimensions } = compiling;
  const tables = selectionOf(compiling, owner);
  const measure = measureIn(tables, compiling);
  const previous = before === null ? "NULL" : measureIn(tables, before);
  const names = query.with ?? [];
  const hasMoney = [query.measure, ...names].some(isMoney);
  const currency = hasMoney ? valueIn(tables, namedDimension(compiling, "currency")) : "NULL";
  const sort = sortOf(tables, { measure, previous });
  const further = names.map((name, place) => [`w${place}`, shownIn(tables, name)] as const);
  const definitions = tables.definitions({
    value: measure,
    before: previous,
    currency,
    sort: sort.key,
    ...Object.fromEntries(further),
  });
  const isWhy = query.show === "why";
  const sql = `WITH ${definitions}
SELECT listed.value, listed.before, listed.currency, ${isWhy ? h.health : "NULL"} AS health, listed.total,
  ${further.map(([column]) => `listed.${column}, `).join("")}
  ${owner === "users" ? userColumns("u") : "NULL AS userId, NULL AS userExternalId, NULL AS personName"},
  ${accountColumns("a")}
FROM (SELECT *, count(*) OVER () AS total FROM matched ORDER BY sort IS NULL, sort ${sort.direction}, name, id LIMIT ${query.limit ?? MAX_ROWS}) listed
${
  owner === "accounts"
    ? `CROSS JOIN ${a.table} ON ${a.number} = listed.id`
    : `CROSS JOIN ${u.table} ON ${u.number} = listed.id LEFT JOIN ${a.table} ON ${a.number} = ${u.account}`
}${isWhy ? ` LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}` : ""}
ORDER BY listed.sort IS NULL, listed.sort ${sort.direction}, listed.name, listed.id`;
  const type = query.measure === undefined ? "date" : dimensions.get(query.measure)?.type;
  const hasValue = query.measure !== undefined || query.show === "when";
  return {
    statement: values.bind<ListRow>(sql),
    read: (rows) => ({
      rows: rows.map((row) => ({
        entity: owner === "accounts" ? accountIn(row) : userIn(row),
        ...(owner === "users" && { account: accountIn(row) }),
        ...(hasValue && { value: decoded(row.value, type) }),
        ...(before !== null && { before: finite(row.before) }),
        ...(hasMoney && { currency: row.currency }),
        ...(query.with !== undefined && {
          with: Object.fromEntries(
            names.map((name, place) => [name, decoded(row[`w${place}`] ?? null, dimensions.get(name)?.type)]),
          ),
        }),
        ...(isWhy && { health: row.health === null ? null : parseHealth(row.health) }),
      })),
      total: rows[0]?.total ?? 0,
      matched: rows[0]?.total ?? 0,
    }),
  };
}

const parseHealth = (text: string): Health => JSON.parse(text);

/** A measure or a dimension besides the measure of the query. */
const shownIn = (tables: Tables, measure: string): string =>
  measureIn(tables, { ...tables.compiling, query: { ...tables.compiling.query, measure } });

/** Money is per currency. */
const isMoney = (measure: string | undefined): boolean => measure === "mrr" || measure === "arr";

/** What a list is sorted by: by default its measure, or else its names. */
function sortOf(tables: Tables, { measure, previous }: { measure: string; previous: string }) {
  const { compiling } = tables;
  const { query } = compiling;
  const by = query.order?.by ?? query.measure;
  const direction = (query.order?.direction ?? (by === undefined ? "up" : "down")) === "up" ? "ASC" : "DESC";
  if (by === undefined) return { key: "s.name", direction };
  if (by === "change") return { key: `${measure} - ${previous}`, direction };
  const key = by === query.measure ? measure : shownIn(tables, by);
  return { key: sortable(key, compiling.dimensions.get(by)), direction };
}

/** Codes are sorted as they are listed. */
export const sortable = (value: string, dimension: Dimension | undefined): string =>
  dimension?.type === "code" ? `instr('${(dimension.values ?? []).join(" ")}', ${value})` : value;

/** How the stored values of a set of accounts or users come to one. */
const TOTALS: Readonly<Record<string, string>> = {
  mrr: "total(v)",
  arr: "12 * total(v)",
  seats: "iif(count(*) > 0, total(v), NULL)",
  score: "avg(v)",
};

/** Whether a measure of several accounts or users comes to one value. */
export const isTotal = (measure: string): boolean =>
  isCount(measure) || measure === "seat_use" || Object.hasOwn(TOTALS, measure);

/** Counts accounts or users, or sums up a measure over them; per value of a dimension, if the query says so. */
export function compileTotal(owner: Owner, compiling: Compiling): Compiled<GroupRow> {
  const { query } = compiling;
  const { per, aggregate } = query;
  const tables = selectionOf(compiling, owner);
  const measure = query.show === "value" ? (query.measure ?? "count") : "count";
  const stored = measure === "arr" ? "mrr" : measure === "seat_use" ? "seats" : measure;
  const asOf = measure === "seat_use" ? null : compiling.asOf;
  const isStored = Object.hasOwn(TOTALS, stored);
  const storedIn = () => measureIn(tables, { ...compiling, asOf, query: { ...query, measure: stored } });
  const columns = {
    ...(per === undefined ? { grp: "NULL", label: "NULL" } : groupColumns(tables, per)),
    v: aggregate !== undefined ? measureIn(tables, compiling) : isStored ? storedIn() : "NULL",
    currency: isMoney(measure) ? valueIn(tables, namedDimension(compiling, "currency")) : "NULL",
  };
  const { source, total } = aggregate === undefined ? totalOf(tables, measure) : AGGREGATES[aggregate];
  const groups = `
  SELECT min(grp) AS grp, min(label) AS label, min(currency) AS currency, ${total} AS value, count(DISTINCT id) AS count
  FROM ${source} ${per === undefined && !isMoney(measure) ? "" : "GROUP BY grp, currency"}`;
  const definitions = tables.definitions(columns);
  const dimension = per === undefined ? null : namedDimension(compiling, per);
  return {
    statement: groupStatement(compiling, { definitions, groups, matched: "(SELECT count(*) FROM matched)" }),
    read: (rows) => ({
      rows: rows.flatMap((row) => {
        if (row.groups === null) return [];
        const group = dimension !== null && { group: groupIn(row, dimension) };
        const currency = isMoney(measure) && { currency: row.currency };
        return [{ ...group, ...currency, value: finite(row.value), count: row.count }];
      }),
      total: rows[0]?.groups ?? 0,
      matched: rows[0]?.matched ?? 0,
    }),
  };
}

/** How the values of accounts or users come to one, and what they are read from. */
const AGGREGATES: Readonly<Record<Aggregate, { source: string; total: string }>> = {
  sum: { source: "matched WHERE v IS NOT NULL", total: "iif(count(*) > 0, total(v), NULL)" },
  average: { source: "matched WHERE v IS NOT NULL", total: "avg(v)" },
  median: {
    source: `(SELECT *, row_number() OVER (PARTITION BY grp, currency ORDER BY v) AS place,
    count(*) OVER (PARTITION BY grp, currency) AS size FROM matched WHERE v IS NOT NULL)`,
    // The value in the middle, or the two of an even number.
    total: "avg(v) FILTER (WHERE place IN ((size + 1) / 2, (size + 2) / 2))",
  },
};

/** What a total is read from, and how. Accounts or users who did nothing have a row without a use. */
function totalOf(tables: Tables, measure: string): { source: string; total: string } {
  if (measure === "count") return { source: "matched", total: "count(*)" };
  const stored = TOTALS[measure];
  if (stored !== undefined) return { source: "matched WHERE v IS NOT NULL", total: stored };
  const isSeatUse = measure === "seat_use";
  const count = isSeatUse ? "active_users" : measure;
  if (!isCount(count)) throw new Error(`${measure} has no total.`);
  const { sql, grain } = COUNTS[count];
  const { compiling } = tables;
  const uses = tables.uses(compiling.window, grain, countedBy(compiling, measure));
  const withSeats = isSeatUse ? " WHERE matched.v > 0" : "";
  return {
    source: `(
    SELECT *, NULL AS account, NULL AS day, NULL AS user, NULL AS event, NULL AS count FROM matched${withSeats}
    UNION ALL
    SELECT matched.id, name, grp, label, NULL, currency, x.account, x.day, x.user, x.event, x.count
    FROM (${uses}) x CROSS JOIN matched ON matched.id = x.id${withSeats})`,
    total: isSeatUse ? `100.0 * ${sql} / sum(v)` : `coalesce(${sql}, 0)`,
  };
}

/** The share of those that meet `of` which also meet `where`. Each has its own filters on events. */
export function compileShare(owner: Owner, compiling: Compiling): Compiled<{ matched: number; population: number }> {
  const { query, values } = compiling;
  const tables = selectionOf({ ...compiling, query: { ...query, where: query.of ?? [] } }, owner);
  const definitions = tables.definitions({ is_met: meetsAll(tables, compiling) });
  const sql = `WITH ${definitions} SELECT count(*) FILTER (WHERE is_met) AS matched, count(*) AS population FROM matched`;
  return {
    statement: values.bind(sql),
    read([{ matched, population } = { matched: 0, population: 0 }]) {
      const value = population === 0 ? null : (100 * matched) / population;
      return { rows: [{ value, count: matched }], total: 1, matched, population };
    },
  };
}
