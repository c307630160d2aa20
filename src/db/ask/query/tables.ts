/**
 * Builds a selection of accounts or users. `subject` holds those that meet the filters on what they are; `matched` those
 * that also meet the filters on what they did and on what changed. Each count and each past value is a table expression
 * of its own, with `id` and `value`.
 */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { isOfOpenItems } from "../../../core/ask/query/check.ts";
import type { Filter, Query } from "../../../core/ask/query/model.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { accounts, health, users } from "../../schema/schema.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { isSuperseded } from "../../accounts/superseded-sql.ts";
import { type Lookups, meets, openItemMeets, valueOf } from "./dimension-sql.ts";
import { accountUses, type EventCondition, type Grain, TAIL, userUses } from "./uses-sql.ts";
import type { Values } from "./values.ts";

const a = columnsOf(accounts, "a");
const h = columnsOf(health, "h");
const u = columnsOf(users, "u");

/** Whose activity is read. */
export type Owner = "accounts" | "users";

export interface Compiling {
  query: Query;
  dimensions: ReadonlyMap<string, Dimension>;
  values: Values;
  lookups: Lookups;
  /** The days that are counted. */
  window: Window;
  /** What is shown is read at the end of this day; `null` reads current values. */
  asOf: Day | null;
}

export function namedDimension({ dimensions }: Pick<Compiling, "dimensions">, name: string): Dimension {
  const found = dimensions.get(name);
  if (found === undefined) throw new Error(`There is no dimension called ${name}.`);
  return found;
}

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

  joins(): string {
    return [...this.#tables.values()].map(({ name, on }) => `LEFT JOIN ${name} ON ${name}.id = ${on}`).join("\n  ");
  }
}

/** A selection of accounts or users in the making. */
export class Tables {
  readonly compiling: Compiling;
  readonly owner: Owner;
  readonly filters: readonly Filter[];
  readonly #columns = new Map<string, string>();
  readonly #joins = new Joins("t");
  readonly #conditions: string[] = [];
  readonly #ofEvents: boolean;

  /**
   * @param filters those on accounts or users; by default all
   * @param ofEvents takes accounts for their events, also those that their users have left
   */
  constructor(compiling: Compiling, owner: Owner, filters = compiling.query.where, ofEvents = false) {
    this.compiling = compiling;
    this.owner = owner;
    this.filters = filters;
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
    const selected = Object.entries(columns).map(([name, sql]) => `, ${sql} AS ${name}`);
    const matched = `matched AS MATERIALIZED (SELECT s.id, s.name${selected.join("")} FROM subject s ${this.#joins.joins()}
  ${this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join("\n  AND ")}`})`;
    const subject = `subject AS MATERIALIZED (${this.#subject()})`;
    return [TAIL, subject, ...this.#joins.definitions(), matched].join(",\n");
  }

  #subject(): string {
    const columns = [...this.#columns].map(([sql, name]) => `, ${sql} AS ${name}`).join("");
    const joined = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
    const filters = staticConditions(this.compiling, this.filters);
    return this.owner === "accounts"
      ? `SELECT ${a.number} AS id, ${a.externalId} AS name, ${a.number} AS account${columns} FROM ${a.table} ${joined}
  WHERE ${a.workspace} = ?1 ${this.#ofEvents ? "" : `AND NOT ${isSuperseded("a")}`} ${filters}`
      : `SELECT ${u.number} AS id, ${u.externalId} AS name, ${u.account} AS account${columns}
  FROM ${u.table} LEFT JOIN ${a.table} ON ${a.number} = ${u.account} ${joined}
  WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)} ${filters}`;
  }
}

/** The conditions on what accounts or users are now, over `a`, `h` and `u`. */
export const staticConditions = (compiling: Compiling, filters: readonly Filter[]): string =>
  filters
    .flatMap((filter) => {
      const dimension = namedDimension(compiling, filter.dimension);
      return isStatic(filter, dimension) ? [`AND ${meetsNow(compiling, dimension, filter)}`] : [];
    })
    .join("\n  ");

/** Whether an account or a user meets a filter on what it is now. */
export const meetsNow = ({ query, values, lookups }: Compiling, dimension: Dimension, filter: Filter): string =>
  isOfOpenItems(dimension.name, query.find)
    ? openItemMeets(dimension, filter, values, lookups)
    : meets(valueOf(dimension, values), dimension, filter, values, lookups);

/** Whether a filter is about what an account or a user is now. */
export const isStatic = (filter: Filter, { name, isActivity }: Dimension): boolean =>
  isActivity !== true &&
  !SEEN.has(name) &&
  filter.became === undefined &&
  filter.changed === undefined &&
  filter.asOf === undefined;

export const SEEN: ReadonlySet<string> = new Set(["first_seen", "last_seen"]);
