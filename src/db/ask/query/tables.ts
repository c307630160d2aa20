/**
 * Builds the statement of a query about accounts or users. `subject` holds those that meet the filters on what they
 * are; `matched` those that also meet the filters on what they did and on what changed. Each count and each past value
 * is a table expression of its own, with `id` and `value`.
 */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { type Filter, type Measure, type Query, type WindowName } from "../../../core/ask/query/model.ts";
import { daysOf, dayOf, DEFAULT_WINDOW } from "../../../core/ask/query/windows.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import { DAY_MS } from "../../../core/durations.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { dayOf as dayOfTime } from "../../client/sql-fragments.ts";
import { accounts, activity, health, messages, userAccounts, users } from "../../schema/schema.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { isSuperseded } from "../entity-rows.ts";
import { IN_TAIL } from "../tail.ts";
import { type Lookups, meets, stageOf, valueOf } from "./dimension-sql.ts";
import { changesIn, type Historic, valueOn } from "./history-sql.ts";
import { accountUses, type Grain, type Selection, TAIL, userUses } from "./uses-sql.ts";
import type { Values } from "./values.ts";

const a = columnsOf(accounts, "a");
const b = columnsOf(activity, "b");
const h = columnsOf(health, "h");
const m = columnsOf(messages, "m");
const u = columnsOf(users, "u");
const ua = columnsOf(userAccounts, "ua");

/** Whose activity is read. */
export type Owner = "accounts" | "users";

export interface Compiling {
  query: Query;
  dimensions: ReadonlyMap<string, Dimension>;
  values: Values;
  lookups: Lookups;
  /** The days that are counted. */
  window: Window;
  /** Past values are read at the end of this day; `null` reads current ones. */
  asOf: Day | null;
}

/** Counts of what accounts or users did: how each is read, and from what. */
export const COUNTS = {
  events: { sql: "sum(count)", grain: { user: false, event: false, count: true } },
  active_days: { sql: "count(DISTINCT day)", grain: { user: false, event: false, count: false } },
  active_users: { sql: "count(DISTINCT nullif(user, 0))", grain: { user: true, event: false, count: false } },
  active_accounts: { sql: "count(DISTINCT id)", grain: { user: false, event: false, count: false } },
  features_used: { sql: "count(DISTINCT event)", grain: { user: false, event: true, count: false } },
} as const satisfies Partial<Record<Measure, { sql: string; grain: Grain }>>;
export type Count = keyof typeof COUNTS;

export const isCount = (name: string): name is Count => Object.hasOwn(COUNTS, name);

/** A statement in the making: `subject` with its columns, then tables by their SQL. */
export class Tables {
  readonly #columns = new Map<string, string>();
  readonly #tables = new Map<string, string>();
  readonly #conditions: string[] = [];

  readonly compiling: Compiling;
  readonly owner: Owner;

  constructor(compiling: Compiling, owner: Owner) {
    this.compiling = compiling;
    this.owner = owner;
  }

  /** Adds a column to `subject`. @returns its name */
  column(sql: string): string {
    const name = this.#columns.get(sql) ?? `c${this.#columns.size}`;
    this.#columns.set(sql, name);
    return name;
  }

  /** Adds a table with `id` and `value`. @returns its name */
  table(sql: string): string {
    const name = this.#tables.get(sql) ?? `t${this.#tables.size}`;
    this.#tables.set(sql, name);
    return name;
  }

  require(condition: string): void {
    this.#conditions.push(condition);
  }

  uses(selection: Selection): string {
    return this.owner === "accounts" ? accountUses(selection) : userUses(selection);
  }

  /** `WITH tail, subject` and the tables. */
  head(): string {
    const tables = [...this.#tables].map(([sql, name]) => `${name} AS MATERIALIZED (${sql})`);
    return `WITH ${[TAIL, `subject AS MATERIALIZED (${this.#subject()})`, ...tables].join(",\n")}`;
  }

  /** Joins the tables to what `id` names. */
  joins(id: string): string {
    return [...this.#tables.values()].map((name) => `LEFT JOIN ${name} ON ${name}.id = ${id}`).join("\n  ");
  }

  where(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join("\n  AND ")}`;
  }

  /**
   * The head and `matched`, which has `id`, `name` and the given columns.
   * @param columns by name, over `s` and the tables
   */
  matched(columns: Readonly<Record<string, string>>): string {
    const selected = Object.entries(columns).map(([name, sql]) => `, ${sql} AS ${name}`);
    return `${this.head()},
matched AS MATERIALIZED (SELECT s.id, s.name${selected.join("")} FROM subject s ${this.joins("s.id")} ${this.where()})`;
  }

  #subject(): string {
    const { query, dimensions, values, lookups } = this.compiling;
    const filters = query.where.flatMap((filter) => {
      const dimension = dimensions.get(filter.dimension);
      if (dimension === undefined || !isStatic(filter, dimension)) return [];
      return [`AND ${meets(valueOf(dimension, values), dimension, filter, values, lookups)}`];
    });
    const columns = [...this.#columns].map(([sql, name]) => `, ${sql} AS ${name}`).join("");
    const joined = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
    return this.owner === "accounts"
      ? `SELECT ${a.number} AS id, ${a.externalId} AS name${columns} FROM ${a.table} ${joined}
  WHERE ${a.workspace} = ?1 AND NOT ${isSuperseded("a")} ${filters.join("\n  ")}`
      : `SELECT ${u.number} AS id, ${u.externalId} AS name${columns}
  FROM ${u.table} LEFT JOIN ${a.table} ON ${a.number} = ${u.account} ${joined}
  WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)} ${filters.join("\n  ")}`;
  }
}

/** Whether a filter is about what an account or a user is now. */
const isStatic = (filter: Filter, { name, isActivity }: Dimension): boolean =>
  isActivity !== true &&
  !SEEN.has(name) &&
  filter.became === undefined &&
  filter.changed === undefined &&
  filter.asOf === undefined;

const SEEN: ReadonlySet<string> = new Set(["first_seen", "last_seen"]);

/** The window of a filter or of the query, in days. */
export const windowOf = (window: WindowName | undefined, { lookups }: Compiling): Window =>
  daysOf(window ?? DEFAULT_WINDOW, lookups.today);

/**
 * The event names that a query counts: those of its filters on events, unless a filter has a window of its own.
 * @returns SQL for `IN`; `null` for all
 */
export function countedEvents({ query, values }: Compiling): string | null {
  const names = query.where.flatMap(({ dimension, is, in: several, window }) =>
    dimension !== "event" || window !== undefined ? [] : [is ?? [], several ?? []].flat().map(String),
  );
  return names.length === 0 ? null : values.addList(names);
}

/**
 * The value of an account or a user in SQL over `subject` and the tables, for filtering, sorting and showing.
 * @param compiling says of what days; by default those of the query
 */
export function valueIn(tables: Tables, dimension: Dimension, compiling = tables.compiling): string {
  const { name } = dimension;
  if (SEEN.has(name)) return `${tables.table(seen(tables, name === "first_seen" ? "first" : "last"))}.value`;
  if (dimension.isActivity === true)
    return countIn(tables, name, compiling.window, countedEvents(compiling)) ?? `s.id IS NULL`;
  const past = HISTORIC[name];
  if (compiling.asOf !== null && past !== undefined) return pastValue(tables, name, past, compiling.asOf);
  return `s.${tables.column(valueOf(dimension, compiling.values))}`;
}

/** By dimension: what is stored of it over time. */
const HISTORIC: Readonly<Record<string, Historic>> = {
  stage: "stage",
  plan: "plan",
  seats: "seats",
  mrr: "mrr",
  health: "state",
  score: "score",
};

const readPast = (dimension: string) => (value: string) => (dimension === "stage" ? stageOf(value) : value);

const pastValue = (tables: Tables, dimension: string, past: Historic, day: Day): string =>
  readPast(dimension)(`${tables.table(valueOn(past, day))}.value`);

/** A count of what each account or user did in a window; `null` for what is no count. */
export function countIn(tables: Tables, name: string, window: Window, events: string | null): string | null {
  if (name === "active") return `(${countIn(tables, "events", window, events)} > 0)`;
  if (name === "seat_use") {
    const seats = `s.${tables.column(seatsOf(tables))}`;
    return `(100.0 * ${countIn(tables, "active_users", window, null)} / nullif(${seats}, 0))`;
  }
  if (!isCount(name)) return null;
  const { sql, grain } = COUNTS[name];
  const uses = tables.uses({ window, grain, events });
  return `coalesce(${tables.table(`SELECT id, ${sql} AS value FROM (${uses}) GROUP BY id`)}.value, 0)`;
}

function seatsOf({ compiling: { dimensions, values } }: Tables): string {
  const seats = dimensions.get("seats");
  if (seats === undefined) throw new Error("There is no dimension called seats.");
  return valueOf(seats, values);
}

/** Selects the first or the last day of each account or user: of any message, or of an event. */
function seen({ owner }: Tables, end: "first" | "last"): string {
  const day = dayOfTime(m.occurredAt);
  const aggregate = end === "first" ? "min" : "max";
  const [stored, inTail, event] =
    owner === "accounts"
      ? [
          `SELECT s.id, ${end === "first" ? b.firstAt : b.lastEventAt} / ${DAY_MS} AS day
  FROM subject s CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`,
          m.account,
          end === "last",
        ]
      : [
          `SELECT s.id, ${end === "first" ? ua.firstDay : ua.lastDay} AS day
  FROM subject s CROSS JOIN ${ua.table} ON ${ua.user} = s.id`,
          m.user,
          true,
        ];
  return `SELECT id, ${aggregate}(day) AS value FROM (${stored}
  UNION ALL
  SELECT s.id, ${day} FROM ${m.table} CROSS JOIN subject s ON s.id = ${inTail}
  WHERE ${IN_TAIL} AND ${m.account} IS NOT NULL${event ? ` AND ${m.type} = 'track'` : ""}) GROUP BY id`;
}

/** Requires the filters on what accounts or users did, and on what changed. */
export function requireFilters(tables: Tables): void {
  const { query, dimensions } = tables.compiling;
  for (const filter of query.where) {
    const dimension = dimensions.get(filter.dimension);
    if (dimension === undefined || isStatic(filter, dimension)) continue;
    tables.require(conditionOf(tables, dimension, filter));
  }
}

function conditionOf(tables: Tables, dimension: Dimension, filter: Filter): string {
  const { compiling } = tables;
  const { values, lookups } = compiling;
  const { became, changed, asOf } = filter;
  const past = HISTORIC[dimension.name];
  const window = filter.window === undefined ? compiling.window : windowOf(filter.window, compiling);
  if (past !== undefined && (became !== undefined || changed !== undefined))
    return `${changeTable(tables, dimension, filter, past, window)}.id IS NOT NULL`;
  if (past !== undefined && asOf !== undefined)
    return meets(pastValue(tables, dimension.name, past, dayOf(asOf)), dimension, filter, values, lookups);
  if (dimension.name === "event") return usesEvent(tables, filter, window);
  const events = filter.window === undefined ? countedEvents(compiling) : null;
  const value = countIn(tables, dimension.name, window, events) ?? valueIn(tables, dimension);
  return meets(value, dimension, filter, values, lookups);
}

/** The table of the accounts whose value changed in a window as a filter says, with the day of the last such change. */
export function changeTable(
  tables: Tables,
  dimension: Dimension,
  { became, changed }: Filter,
  past: Historic,
  window: Window,
): string {
  const { values, lookups } = tables.compiling;
  const changes = changesIn(past, window, readPast(dimension.name));
  const wanted =
    became === undefined
      ? `value ${changed === "up" ? ">" : "<"} before`
      : meets("value", dimension, { dimension: dimension.name, is: became }, values, lookups);
  return tables.table(`SELECT id, max(day) AS value FROM (${changes}) WHERE ${wanted} GROUP BY id`);
}

/** Whether events of certain names were used; `isNot`: whether none was. */
function usesEvent(tables: Tables, { is, isNot, in: several }: Filter, window: Window): string {
  const names = [is ?? [], several ?? [], isNot ?? []].flat().map(String);
  const count = countIn(tables, "events", window, tables.compiling.values.addList(names));
  return `${count} ${isNot === undefined ? ">" : "="} 0`;
}

export { HISTORIC };
