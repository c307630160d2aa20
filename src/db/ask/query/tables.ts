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

/** Tables with `id` and `value`, each defined once and joined to the statement. */
export class Joins {
  readonly #tables = new Map<string, { name: string; on: string }>();
  readonly #prefix: string;

  /** @param prefix begins the names of the tables */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Adds a table. @returns the SQL of its value */
  value(sql: string, on: string): string {
    const table = this.#tables.get(sql) ?? { name: `${this.#prefix}${this.#tables.size}`, on };
    this.#tables.set(sql, table);
    return `${table.name}.value`;
  }

  definitions(): string[] {
    return [...this.#tables].map(([sql, { name }]) => `${name} AS MATERIALIZED (${sql})`);
  }

  /** @returns the SQL that selects columns from `source` and the tables, where all conditions hold */
  select(columns: Readonly<Record<string, string>>, source: string, conditions: readonly string[]): string {
    const joins = [...this.#tables.values()].map(({ name, on }) => `LEFT JOIN ${name} ON ${name}.id = ${on}`);
    return `SELECT ${aliased(columns)} FROM ${[source, ...joins].join("\n  ")}
  ${conditions.length === 0 ? "" : `WHERE ${conditions.join("\n  AND ")}`}`;
  }
}

/** @param columns SQL by column name */
export const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");

/** Builds a selection of accounts or users. */
export class Tables {
  readonly table = "matched";
  readonly compiling: Compiling;
  readonly owner: Owner;
  readonly #filters: string;
  readonly #columns = new Map<string, string>();
  readonly #joins = new Joins("t");
  readonly #conditions: string[] = [];

  /** @param filters further conditions of `subject` in SQL, each with an `AND` */
  constructor(compiling: Compiling, owner: Owner, filters: string) {
    this.compiling = compiling;
    this.owner = owner;
    this.#filters = filters;
  }

  /** Adds a column to `subject`. @returns its SQL */
  column(sql: string): string {
    const name = this.#columns.get(sql) ?? `c${this.#columns.size}`;
    this.#columns.set(sql, name);
    return `s.${name}`;
  }

  /** Joins a table by account or user, or by the account of a user. @returns the SQL of its value */
  join(sql: string, by: "id" | "account" = "id"): string {
    return this.#joins.value(sql, `s.${by}`);
  }

  /** Adds a condition of `matched`, over `s` and the tables. */
  require(condition: string): void {
    this.#conditions.push(condition);
  }

  uses(window: Window, grain: Grain, events: EventCondition): string {
    const selection = { source: "subject", window, grain, events };
    return this.owner === "accounts" ? accountUses(selection) : userUses(selection, null);
  }

  /**
   * Defines `tail`, `subject`, the tables, and `matched` with `id`, `name` and the given columns.
   * @param columns SQL by column name, over `s` and the tables
   */
  definitions(columns: Readonly<Record<string, string>>): string {
    const matched = this.#joins.select({ id: "s.id", name: "s.name", ...columns }, "subject s", this.#conditions);
    return [
      TAIL,
      `subject AS MATERIALIZED (${this.#subject()})`,
      ...this.#joins.definitions(),
      `matched AS MATERIALIZED (${matched})`,
    ].join(",\n");
  }

  #subject(): string {
    const own = Object.fromEntries(Array.from(this.#columns, ([sql, name]) => [name, sql]));
    const [number, name, account, from, condition] =
      this.owner === "accounts"
        ? [a.number, a.externalId, a.number, a.table, `${a.workspace} = ?1`]
        : [
            u.number,
            u.externalId,
            u.account,
            `${u.table} LEFT JOIN ${a.table} ON ${a.number} = ${u.account}`,
            `${u.workspace} = ?1 AND ${isNotErased(u.externalId)}`,
          ];
    return `SELECT ${aliased({ id: number, name, account, ...own })} FROM ${from}
  LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}
  WHERE ${condition} ${this.#filters}`;
  }
}
