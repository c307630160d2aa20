/** Compiles queries about accounts and users: lists, counts, totals and groups. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
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
import { countedBy, COUNTS, isCount, measureIn, selectionOf, valueIn } from "./measures.ts";
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
}

/** Lists accounts or users with the measure, and in its order. */
export function compileList(owner: Owner, compiling: Compiling, before: Compiling | null): Compiled<ListRow> {
  const { query, values, dimensions } = compiling;
  const tables = selectionOf(compiling, owner);
  const measure = measureIn(tables, compiling);
  const previous = before === null ? "NULL" : measureIn(tables, before);
  const currency = isMoney(query.measure) ? valueIn(tables, namedDimension(compiling, "currency")) : "NULL";
  const sort = sortOf(tables, { measure, previous });
  const definitions = tables.definitions({ value: measure, before: previous, currency, sort: sort.key });
  const isWhy = query.show === "why";
  const sql = `WITH ${definitions}
SELECT listed.value, listed.before, listed.currency, ${isWhy ? h.health : "NULL"} AS health, listed.total,
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
        ...(isMoney(query.measure) && { currency: row.currency }),
        ...(isWhy && { health: row.health === null ? null : parseHealth(row.health) }),
      })),
      total: rows[0]?.total ?? 0,
      matched: rows[0]?.total ?? 0,
    }),
  };
}

const parseHealth = (text: string): Health => JSON.parse(text);

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
  const key =
    by === query.measure ? measure : measureIn(tables, { ...compiling, asOf: null, query: { ...query, measure: by } });
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
  const { per } = query;
  const tables = selectionOf(compiling, owner);
  const measure = query.show === "value" ? (query.measure ?? "count") : "count";
  const stored = measure === "arr" ? "mrr" : measure === "seat_use" ? "seats" : measure;
  const asOf = measure === "seat_use" ? null : compiling.asOf;
  const isStored = Object.hasOwn(TOTALS, stored);
  const columns = {
    ...(per === undefined ? { grp: "NULL", label: "NULL" } : groupColumns(tables, per)),
    v: isStored ? measureIn(tables, { ...compiling, asOf, query: { ...query, measure: stored } }) : "NULL",
    currency: isMoney(measure) ? valueIn(tables, namedDimension(compiling, "currency")) : "NULL",
  };
  const { source, total } = totalOf(tables, measure);
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
