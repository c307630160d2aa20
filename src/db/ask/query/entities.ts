/** Compiles queries about accounts and users: lists, totals, groups and shares. */
import { defaultAggregate, isChange } from "../../../core/ask/query/canonical.ts";
import { isMoney } from "../../../core/ask/query/check.ts";
import type { Aggregate } from "../../../core/ask/query/model.ts";
import { a, h, u } from "./aliases.ts";
import type { Compiling, Part } from "./compiling.ts";
import { accountIn, ENTITY_COLUMNS, type EntityRow, userIn } from "./entity-columns.ts";
import { addTotals } from "./groups.ts";
import type { Selection } from "./lists.ts";
import {
  changeIn,
  countedEvents,
  countOf,
  groupColumns,
  measureIn,
  meetsAll,
  selectionOf,
  valueIn,
} from "./measures.ts";
import type { Owner, Tables } from "./tables.ts";

/** Selects the accounts or users of a query for a list. */
export function entitiesIn(compiling: Compiling, owner: Owner): Selection<EntityRow & { health: string | null }> {
  const { show, where } = compiling.query;
  const tables = selectionOf(compiling, owner);
  const change = show === "when" ? where.find(isChange) : undefined;
  const [account, user] = owner === "accounts" ? ["listed.id", "NULL"] : [u.account, "listed.id"];
  const explained = `(SELECT ${h.health} FROM ${h.table} WHERE ${h.workspace} = ?1 AND ${h.account} = ${a.number})`;
  return {
    ...tables,
    valueIn(name, at) {
      if (name !== undefined) return measureIn(tables, name, at);
      return change === undefined ? "NULL" : changeIn(tables, change);
    },
    columns: `${ENTITY_COLUMNS}, ${show === "why" ? explained : "NULL"} AS health`,
    joins: `LEFT JOIN ${u.table} ON ${u.number} = ${user} LEFT JOIN ${a.table} ON ${a.number} = ${account}`,
    read: (row) => ({
      entity: owner === "accounts" ? accountIn(row) : userIn(row),
      ...(owner === "users" && { account: accountIn(row) }),
      ...(show === "why" && { health: row.health === null ? null : JSON.parse(row.health) }),
    }),
  };
}

/** Counts accounts or users, or totals a measure of them; per group, if the query has `per`. */
export function addTotal(compiling: Compiling, owner: Owner): () => Part {
  const { show, measure, per, aggregate = defaultAggregate(measure) } = compiling.query;
  const tables = selectionOf(compiling, owner);
  const group = per === undefined ? {} : groupColumns(tables, per);
  if (show === "count" || measure === undefined) return addTotals(compiling, tables, group);
  const currency = isMoney(measure) ? valueIn(tables, "currency") : "NULL";
  if (aggregate !== undefined) {
    const columns = { ...group, currency, v: measureIn(tables, measure) };
    return addTotals(compiling, tables, columns, AGGREGATES[aggregate]);
  }
  const columns = { ...group, v: measure === "seat_use" ? valueIn(tables, "seats") : "NULL" };
  return addTotals(compiling, tables, columns, totalCount(tables, measure));
}

/** The SQL of each aggregate, and the rows that it reads. */
const AGGREGATES: Readonly<Record<Aggregate, { source: string; total: string }>> = {
  sum: { source: "matched WHERE v IS NOT NULL", total: "iif(count(*) > 0, total(v), NULL)" },
  average: { source: "matched WHERE v IS NOT NULL", total: "avg(v)" },
  median: {
    source: `(SELECT *, row_number() OVER (PARTITION BY grp, currency ORDER BY v) AS place,
    count(*) OVER (PARTITION BY grp, currency) AS size FROM matched WHERE v IS NOT NULL)`,
    // The middle value, or the average of the two middle values.
    total: "avg(v) FILTER (WHERE place IN ((size + 1) / 2, (size + 2) / 2))",
  },
};

/** A count of the uses of all accounts or users together. Accounts and users without a use also have a row. */
function totalCount(tables: Tables, measure: string): { source: string; total: string } {
  const isSeatUse = measure === "seat_use";
  const { sql, grain } = countOf(isSeatUse ? "active_users" : measure);
  const { compiling } = tables;
  const uses = tables.uses(compiling.window, grain, isSeatUse ? null : countedEvents(compiling));
  const withSeats = isSeatUse ? " WHERE matched.v > 0" : "";
  return {
    source: `(
    SELECT id, grp, label, currency, v, NULL AS account, NULL AS day, NULL AS user, NULL AS event, NULL AS count
    FROM matched${withSeats}
    UNION ALL
    SELECT matched.id, grp, label, currency, NULL, x.account, x.day, x.user, x.event, x.count
    FROM (${uses}) x CROSS JOIN matched ON matched.id = x.id${withSeats})`,
    total: isSeatUse ? `100.0 * ${sql} / sum(v)` : `coalesce(${sql}, 0)`,
  };
}

/** Adds the share of the entities that meet `of` that also meet `where`. Each list has its own filters on events. */
export function addShare(compiling: Compiling, owner: Owner): () => Part {
  const { batch, query, values } = compiling;
  const tables = selectionOf({ ...compiling, query: { ...query, where: query.of ?? [] } }, owner);
  const definitions = tables.definitions({ is_met: meetsAll(tables, compiling) });
  const sql = `WITH ${definitions} SELECT count(*) FILTER (WHERE is_met) AS matched, count(*) AS population FROM matched`;
  const rows = batch.addStatement(values.bind<{ matched: number; population: number }>(sql));
  return () => {
    const { matched, population } = rows()[0] ?? { matched: 0, population: 0 };
    const value = population === 0 ? null : (100 * matched) / population;
    return { rows: [{ value, count: matched }], total: 1, population };
  };
}
