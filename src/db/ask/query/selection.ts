/**
 * Builds a selection of accounts, users, features or items. `subject` has those that meet the filters on current values;
 * `matched` has those that also meet the filters on activity and changes. Each count and each past value is a table
 * expression of its own, with `id` and `value`.
 */
import type { Find } from "../../../core/ask/query/model.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { a, e, h, i, k, u } from "./aliases.ts";
import type { Compiling } from "./compiling.ts";
import { TAIL, type Uses, usesOf } from "./uses-sql.ts";

export type Owner = Exclude<Find, "events">;

const HEALTH = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
const accountWithHealth = (number: string): string => `LEFT JOIN ${a.table} ON ${a.number} = ${number} ${HEALTH}`;

/** What a query can find: the names that rows are sorted by, the accounts and users that they belong to, the tables. */
const SOURCES: Readonly<Record<Owner, Record<"id" | "name" | "account" | "user" | "from", string>>> = {
  accounts: {
    id: a.number,
    name: a.externalId,
    account: a.number,
    user: "NULL",
    from: `${a.table} ${HEALTH} WHERE ${a.workspace} = ?1`,
  },
  users: {
    id: u.number,
    name: u.externalId,
    account: u.account,
    user: u.number,
    from: `${u.table} ${accountWithHealth(u.account)} WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)}`,
  },
  items: {
    id: i.number,
    // Among items of the same rank, the newest come first.
    name: `-${i.number}`,
    account: i.account,
    user: `iif(${i.kind} = 'key_user_quiet', CAST(${i.subject} AS INTEGER), NULL)`,
    from: `${i.table} LEFT JOIN ${k.table} ON ${k.item} = ${i.number} ${accountWithHealth(i.account)} WHERE ${i.workspace} = ?1`,
  },
  features: {
    id: "n.name",
    name: "n.name",
    account: "NULL",
    user: "NULL",
    from: `(SELECT ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1 UNION SELECT event FROM tail) n WHERE TRUE`,
  },
};

/** The events that a query about events or features counts. */
export interface Scope {
  definitions: string;
  uses: Uses;
}

/** Selects the uses of each feature. */
const usesOfFeatures =
  ({ uses }: Scope): Uses =>
  (window, grain, events) =>
    `SELECT event AS id, account, day, user, event, count FROM (${uses(window, { ...grain, event: true }, events)})`;

/** @param columns SQL by column name */
const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");

/**
 * @param filters conditions of `subject` in SQL, each with an `AND`
 * @param scope the events by which features are counted. It has a selection of accounts and users in it already, so
 * features have tables of other names
 */
export function newSelection(compiling: Compiling, owner: Owner, filters: string, scope: Scope | null) {
  const columnNames = new Map<string, string>();
  const joins = new Map<string, { name: string; on: string }>();
  const conditions: string[] = [];
  const [subject, table, prefix] = scope === null ? ["subject", "matched", "t"] : ["named", "features", "f"];
  const uses = scope === null ? usesOf(owner === "accounts" ? "account" : "user", subject) : usesOfFeatures(scope);
  return {
    table,
    compiling,
    owner,
    /** Adds a column to `subject`. @returns its SQL */
    column(sql: string): string {
      const column = columnNames.get(sql) ?? `c${columnNames.size}`;
      columnNames.set(sql, column);
      return `s.${column}`;
    },
    /** Adds a table by the subjects' ids, or by another value of them. @returns the SQL of its value */
    join(sql: string, on = "s.id"): string {
      const join = joins.get(sql) ?? { name: `${prefix}${joins.size}`, on };
      joins.set(sql, join);
      return `${join.name}.value`;
    },
    /** Adds a condition of `matched`, over `s` and the tables. */
    require: (sql: string): unknown => conditions.push(sql),
    uses,
    /** Selects the uses of all features together, if the selection is of features. */
    allUses: scope?.uses ?? uses,
    /** Defines the tables, and last `table` with `id`, `name`, `account`, `user` and columns over `s` and the tables. */
    definitions(columns: Readonly<Record<string, string>>): string {
      const { from, ...keys } = SOURCES[owner];
      const own = Object.fromEntries(Array.from(columnNames, ([sql, column]) => [column, sql]));
      const joined = Array.from(joins.values(), ({ name, on }) => `LEFT JOIN ${name} ON ${name}.id = ${on}`);
      const shown = { id: "s.id", name: "s.name", account: "s.account", user: "s.user", ...columns };
      return [
        scope?.definitions ?? TAIL,
        `${subject} AS MATERIALIZED (SELECT ${aliased({ ...keys, ...own })} FROM ${from} ${filters})`,
        ...Array.from(joins, ([sql, { name }]) => `${name} AS MATERIALIZED (${sql})`),
        `${table} AS MATERIALIZED (
  SELECT ${aliased(shown)} FROM ${[`${subject} s`, ...joined].join("\n  ")}
  WHERE ${["TRUE", ...conditions].join("\n  AND ")})`,
      ].join(",\n");
    },
  };
}
export type Selection = ReturnType<typeof newSelection>;
