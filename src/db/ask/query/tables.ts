/**
 * Builds a selection of accounts or users. `subject` has those that meet the filters on current values; `matched` has
 * those that also meet the filters on activity and changes. Each count and each past value is a table expression of its
 * own, with `id` and `value`.
 */
import type { Window } from "../../../core/health/model.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { a, h, u } from "./aliases.ts";
import type { Compiling } from "./compiling.ts";
import { accountUses, type EventCondition, type Grain, TAIL, userUses } from "./uses-sql.ts";

/** Whose activity is read. */
export type Owner = "accounts" | "users";

/** Collects tables with `id` and `value`, joined to what a statement is about. Their names begin with `prefix`. */
export function newJoins(prefix: string) {
  const tables = new Map<string, { name: string; on: string }>();
  return {
    /** Adds a table. @returns the SQL of its value */
    value(sql: string, on: string): string {
      const table = tables.get(sql) ?? { name: `${prefix}${tables.size}`, on };
      tables.set(sql, table);
      return `${table.name}.value`;
    },
    definitions: (): string[] => Array.from(tables, ([sql, { name }]) => `${name} AS MATERIALIZED (${sql})`),
    /** @returns the SQL that selects columns from `source` and the tables, where all conditions hold */
    select(columns: Readonly<Record<string, string>>, source: string, conditions: readonly string[]): string {
      const joins = Array.from(tables.values(), ({ name, on }) => `LEFT JOIN ${name} ON ${name}.id = ${on}`);
      return `SELECT ${aliased(columns)} FROM ${[source, ...joins].join("\n  ")}
  ${conditions.length === 0 ? "" : `WHERE ${conditions.join("\n  AND ")}`}`;
    },
  };
}

/** @param columns SQL by column name */
export const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");

/** @param filters conditions of `subject` in SQL, each with an `AND` */
export function newTables(compiling: Compiling, owner: Owner, filters: string) {
  const columnNames = new Map<string, string>();
  const joins = newJoins("t");
  const conditions: string[] = [];
  const [number, name, account, from, condition] =
    owner === "accounts"
      ? [a.number, a.externalId, a.number, a.table, `${a.workspace} = ?1`]
      : [
          u.number,
          u.externalId,
          u.account,
          `${u.table} LEFT JOIN ${a.table} ON ${a.number} = ${u.account}`,
          `${u.workspace} = ?1 AND ${isNotErased(u.externalId)}`,
        ];
  return {
    table: "matched",
    compiling,
    owner,
    /** Adds a column to `subject`. @returns its SQL */
    column(sql: string): string {
      const column = columnNames.get(sql) ?? `c${columnNames.size}`;
      columnNames.set(sql, column);
      return `s.${column}`;
    },
    /** Adds a table by accounts or users, or by the accounts of users. @returns the SQL of its value */
    join: (sql: string, by: "id" | "account" = "id"): string => joins.value(sql, `s.${by}`),
    /** Adds a condition of `matched`, over `s` and the tables. */
    require: (sql: string): unknown => conditions.push(sql),
    uses(window: Window, grain: Grain, events: EventCondition): string {
      const selection = { source: "subject", window, grain, events };
      return owner === "accounts" ? accountUses(selection) : userUses(selection, null);
    },
    /** Defines `tail`, `subject`, the tables, and `matched` with `id`, `name` and columns over `s` and the tables. */
    definitions(columns: Readonly<Record<string, string>>): string {
      const own = Object.fromEntries(Array.from(columnNames, ([sql, column]) => [column, sql]));
      const subject = `SELECT ${aliased({ id: number, name, account, ...own })} FROM ${from}
  LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}
  WHERE ${condition} ${filters}`;
      const matched = joins.select({ id: "s.id", name: "s.name", ...columns }, "subject s", conditions);
      return [
        TAIL,
        `subject AS MATERIALIZED (${subject})`,
        ...joins.definitions(),
        `matched AS MATERIALIZED (${matched})`,
      ].join(",\n");
    },
  };
}
export type Tables = ReturnType<typeof newTables>;
