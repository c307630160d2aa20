/** Compiles queries about accounts and users: lists, counts, totals and groups. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell, Entity, ResultRow } from "../../../core/ask/query/result.ts";
import { isoDate } from "../../../core/ask/query/windows.ts";
import type { Health } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { type Statement, statement } from "../../client/statements.ts";
import { accounts, health, users } from "../../schema/schema.ts";
import {
  type AccountColumns,
  accountColumns,
  accountIn,
  type UserColumns,
  userColumns,
  userIn,
} from "./entity-columns.ts";
import {
  changeTable,
  type Compiling,
  countedEvents,
  COUNTS,
  countIn,
  HISTORIC,
  isCount,
  type Owner,
  requireFilters,
  Tables,
  valueIn,
  windowOf,
} from "./tables.ts";

const a = columnsOf(accounts, "a");
const h = columnsOf(health, "h");
const u = columnsOf(users, "u");

/** A compiled query: its statement, and how to read what comes back. */
export interface Compiled<Row> {
  statement: Statement<Row>;
  read: (rows: readonly Row[]) => { rows: ResultRow[]; total: number; matched: number | null };
}

interface ListRow extends AccountColumns, UserColumns {
  value: Cell;
  before: number | null;
  currency: string | null;
  health: string | null;
  total: number;
}

/** Lists accounts or users with the measure, and in its order. */
export function compileList(owner: Owner, compiling: Compiling, before: Compiling | null): Compiled<ListRow> {
  const { query } = compiling;
  const tables = new Tables(compiling, owner);
  requireFilters(tables);
  const measure = measureIn(tables, compiling);
  const previous = before === null ? "NULL" : measureIn(tables, before);
  const currency = isMoney(query.measure) ? dimensionIn(tables, "currency") : "NULL";
  const by = query.order?.by ?? (query.measure === undefined ? "name" : query.measure);
  const direction = (query.order?.direction ?? (by === "name" ? "up" : "down")) === "up" ? "ASC" : "DESC";
  const key = by === "change" ? `${measure} - ${previous}` : by === "name" ? "s.name" : orderIn(tables, by, measure);
  const sql = `${tables.matched({ value: measure, before: previous, currency, sort: key })}
SELECT r.value, r.before, r.currency, ${query.show === "why" ? h.health : "NULL"} AS health, r.total,
  ${owner === "users" ? userColumns("u") : "NULL AS userId, NULL AS userExternalId, NULL AS personName"},
  ${accountColumns("a")}
FROM (SELECT *, count(*) OVER () AS total FROM matched ORDER BY sort IS NULL, sort ${direction}, name, id LIMIT ${query.limit ?? MAX_ROWS}) r
${
  owner === "accounts"
    ? `CROSS JOIN ${a.table} ON ${a.number} = r.id`
    : `CROSS JOIN ${u.table} ON ${u.number} = r.id LEFT JOIN ${a.table} ON ${a.number} = ${u.account}`
}${query.show === "why" ? ` LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}` : ""}
ORDER BY r.sort IS NULL, r.sort ${direction}, r.name, r.id`;
  const type = compiling.dimensions.get(query.measure ?? "")?.type;
  return {
    statement: statement<ListRow>(sql, compiling.values.json(), compiling.lookups.now),
    read: (rows) => ({
      rows: rows.map((row) => ({
        entity: owner === "accounts" ? accountIn(row) : userIn(row),
        ...(owner === "users" && { account: accountIn(row) }),
        ...(query.measure !== undefined && { value: decoded(row.value, type) }),
        ...(query.show === "when" && query.measure === undefined && { value: decoded(row.value, "date") }),
        ...(before !== null && { before: row.before }),
        ...(isMoney(query.measure) && { currency: row.currency }),
        ...(query.show === "why" && { health: row.health === null ? null : parseHealth(row.health) }),
      })),
      total: rows[0]?.total ?? 0,
      matched: rows[0]?.total ?? 0,
    }),
  };
}

const parseHealth = (text: string): Health => JSON.parse(text);

/** Money is per currency. */
export const isMoney = (measure: string | undefined): boolean => measure === "mrr" || measure === "arr";

export function namedDimension({ dimensions }: Compiling, name: string): Dimension {
  const found = dimensions.get(name);
  if (found === undefined) throw new Error(`There is no dimension called ${name}.`);
  return found;
}

const dimensionIn = (tables: Tables, name: string): string => valueIn(tables, namedDimension(tables.compiling, name));

/** The measure of each account or user, or the day of the change that the query asks for. */
function measureIn(tables: Tables, compiling: Compiling): string {
  const { measure, where, show } = compiling.query;
  const changed = where.find(({ became, changed: direction }) => became !== undefined || direction !== undefined);
  if (measure === undefined && show === "when" && changed !== undefined) {
    const window = changed.window === undefined ? compiling.window : windowOf(changed.window, compiling);
    const past = HISTORIC[changed.dimension];
    if (past === undefined) throw new Error(`${changed.dimension} has no history.`);
    return `${changeTable(tables, namedDimension(compiling, changed.dimension), changed, past, window)}.value`;
  }
  if (measure === undefined) return "NULL";
  if (measure === "arr") return `12 * ${valueIn(tables, namedDimension(compiling, "mrr"), compiling)}`;
  return (
    countIn(tables, measure, compiling.window, countedEvents(compiling)) ??
    valueIn(tables, namedDimension(compiling, measure), compiling)
  );
}

const orderIn = (tables: Tables, by: string, measure: string): string =>
  by === tables.compiling.query.measure
    ? measure
    : (countIn(tables, by, tables.compiling.window, countedEvents(tables.compiling)) ?? dimensionIn(tables, by));

/** Numbers of days become dates, and 1 or 0 of a boolean true or false. */
export function decoded(value: Cell, type: Dimension["type"] | undefined): Cell {
  if (value === null) return null;
  if (type === "date") return isoDate(Number(value));
  return type === "boolean" ? value === 1 : value;
}

interface TotalRow extends AccountColumns, UserColumns {
  grp: Cell;
  currency: string | null;
  value: number | null;
  count: number;
  groups: number;
}

/** How the values of a set of accounts or users come to one. */
const TOTALS: Readonly<Record<string, string>> = {
  count: "count(*)",
  mrr: "sum(r.v)",
  arr: "12 * sum(r.v)",
  seats: "sum(r.v)",
  score: "avg(r.v)",
};

/** Counts accounts or users, or sums up a measure over them; per value of a dimension, if the query says so. */
export function compileTotal(owner: Owner, compiling: Compiling): Compiled<TotalRow> {
  const { query, values, lookups } = compiling;
  const tables = new Tables(compiling, owner);
  requireFilters(tables);
  const measure = query.show === "value" ? (query.measure ?? "count") : "count";
  const per = query.per === undefined ? null : namedDimension(compiling, query.per);
  const group = per === null ? "NULL" : valueIn(tables, per);
  const stored = measure === "mrr" || measure === "arr" ? "mrr" : measure;
  const own = measure === "count" || isUsed(measure) ? "NULL" : dimensionIn(tables, stored);
  const currency = isMoney(measure) ? dimensionIn(tables, "currency") : "NULL";
  const seats = measure === "seat_use" ? dimensionIn(tables, "seats") : "NULL";
  const columns = { grp: group, v: own, currency, seats };
  const source = isUsed(measure)
    ? usedBy(tables, measure)
    : `matched r${measure === "count" ? "" : " WHERE r.v IS NOT NULL"}`;
  const total = isUsed(measure) ? usedTotal(measure) : TOTALS[measure];
  if (total === undefined) throw new Error(`${measure} can't be summed up.`);
  const sql = `${tables.matched(columns)}
SELECT w.*, ${accountColumns("a")}, ${userColumns("u")}
FROM (
  SELECT r.grp, r.currency, ${total} AS value, count(DISTINCT r.id) AS count, count(*) OVER () AS groups
  FROM ${source} GROUP BY r.grp, r.currency ORDER BY value DESC, r.grp LIMIT ${query.limit ?? MAX_ROWS}
) w
LEFT JOIN ${a.table} ON ${per?.name === "account" ? `${a.number} = w.grp` : "FALSE"}
LEFT JOIN ${u.table} ON ${per?.name === "user" ? `${u.number} = w.grp` : "FALSE"}
ORDER BY w.value DESC, w.grp`;
  return {
    statement: statement<TotalRow>(sql, values.json(), lookups.now),
    read: (rows) => ({
      rows: rows.map((row) => ({
        ...(per !== null && { group: groupIn(row, per) }),
        ...(isMoney(measure) && { currency: row.currency }),
        value: row.value,
        count: row.count,
      })),
      total: rows[0]?.groups ?? 0,
      matched: null,
    }),
  };
}

const groupIn = (row: TotalRow, per: Dimension): Entity | Cell => {
  if (per.name === "account") return accountIn(row);
  return per.name === "user" ? userIn(row) : decoded(row.grp, per.type);
};

const isUsed = (measure: string): boolean => isCount(measure) || measure === "seat_use";

/** Whether a measure of several accounts or users comes to one value. */
export const isTotal = (measure: string): boolean => isUsed(measure) || Object.hasOwn(TOTALS, measure);

/** What the matched accounts or users did. Those who did nothing have a row without a use. */
function usedBy(tables: Tables, measure: string): string {
  const { compiling } = tables;
  const count = measure === "seat_use" ? "active_users" : measure;
  if (!isCount(count)) throw new Error(`${measure} is no count.`);
  const uses = tables.uses({ window: compiling.window, grain: COUNTS[count].grain, events: countedEvents(compiling) });
  return `(SELECT r.grp, r.currency, r.seats, r.id, x.day, x.user, x.event, x.count
    FROM matched r LEFT JOIN (${uses}) x ON x.id = r.id${measure === "seat_use" ? " WHERE r.seats > 0" : ""}) r`;
}

function usedTotal(measure: string): string {
  if (measure === "seat_use")
    return `100.0 * count(DISTINCT nullif(r.user, 0)) / (SELECT sum(m.seats) FROM matched m WHERE m.seats > 0 AND m.grp IS r.grp)`;
  return isCount(measure) ? `coalesce(${COUNTS[measure].sql}, 0)` : "NULL";
}
