/**
 * Builds a selection of accounts or users. `subject` holds those that meet the filters on what they are; `matched` those
 * that also meet the filters on what they did and on what changed. Each count and each past value is a table expression
 * of its own, with `id` and `value`.
 */
import type { Filter } from "../../../core/ask/query/model.ts";
import type { Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { isSuperseded } from "../../accounts/superseded-sql.ts";
import { accounts, health, users } from "../../schema/schema.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import type { Compiling } from "./compiling.ts";
import { isStatic, meetsNow } from "./dimension-sql.ts";
import { accountUses, type EventCondition, type Grain, TAIL, userUses } from "./uses-sql.ts";

const a = columnsOf(accounts, "a");
const h = columnsOf(health, "h");
const u = columnsOf(users, "u");

/** Whose activity is read. */
export type Owner = "accounts" | "users";

/** Tables with `id` and `value` by their SQL, joined to what a statement is about. */
export class Joins {
  readonly #tables = new Map<string, { name: string; on: string }>();
  readonly #prefix: string;

  /** @param prefix of the names of the tables */
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
    return `SELECT ${aliased(columns).join(", ")} FROM ${[source, ...joins].join("\n  ")}
  ${conditions.length === 0 ? "" : `WHERE ${conditions.join("\n  AND ")}`}`;
  }
}

/** @param columns SQL by the name of the column */
const aliased = (columns: Readonly<Record<string, string>>): string[] =>
  Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);

/** A selection of accounts or users in the making. */
export class Tables {
  readonly table = "matched";
  readonly compiling: Compiling;
  readonly owner: Owner;
  readonly #filters: readonly Filter[];
  readonly #columns = new Map<string, string>();
  readonly #joins = new Joins("t");
  readonly #conditions: string[] = [];
  readonly #ofEvents: boolean;

  /** For the parameters see `selectionOf`. */
  constructor(compiling: Compiling, owner: Owner, filters: readonly Filter[], ofEvents: boolean) {
    this.compiling = compiling;
    this.owner = owner;
    this.#filters = filters;
    this.#ofEvents = ofEvents;
  }

  /** Adds a column to `subject`. @returns its SQL */
  column(sql: string): string {
    const name = this.#columns.get(sql) ?? `c${this.#columns.size}`;
    this.#columns.set(sql, name);
    return `s.${name}`;
  }

  /** Adds a table by accounts or users. @returns the SQL of its value */
  own(sql: string): string {
    return this.#joins.value(sql, "s.id");
  }

  /** Adds a table by accounts, also for users. @returns the SQL of its value */
  ofAccount(sql: string): string {
    return this.#joins.value(sql, "s.account");
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
   * `tail`, `subject`, the tables, and `matched` with `id`, `name` and the given columns.
   * @param columns by name, over `s` and the tables
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
    const joined = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
    const filters = staticConditions(this.compiling, this.#filters);
    if (this.owner === "accounts")
      return `SELECT ${aliased({ id: a.number, name: a.externalId, account: a.number, ...own }).join(", ")} FROM ${a.table} ${joined}
  WHERE ${a.workspace} = ?1 ${this.#ofEvents ? "" : `AND NOT ${isSuperseded("a")}`} ${filters}`;
    return `SELECT ${aliased({ id: u.number, name: u.externalId, account: u.account, ...own }).join(", ")}
  FROM ${u.table} LEFT JOIN ${a.table} ON ${a.number} = ${u.account} ${joined}
  WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)} ${filters}`;
  }
}

/** The conditions on what accounts or users are now, over `a`, `h` and `u`. */
export const staticConditions = (compiling: Compiling, filters: readonly Filter[]): string =>
  filters
    .filter((filter) => isStatic(compiling, filter))
    .map((filter) => `AND ${meetsNow(compiling, filter)}`)
    .join("\n  ");
