/** SQL of dimensions and measures over a selection of accounts or users, and of the filters on what they did. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Filter, Measure, WindowName } from "../../../core/ask/query/model.ts";
import { daysOf, dayOf } from "../../../core/ask/query/windows.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { dayOf as dayOfTime } from "../../client/sql-fragments.ts";
import { accounts, activity, userAccounts } from "../../schema/schema.ts";
import { meets, stageOf, valueOf } from "./dimension-sql.ts";
import { changesIn, FIRST_DAYS, type Historic, valueOn } from "./history-sql.ts";
import { type Compiling, isStatic, meetsNow, namedDimension, type Owner, SEEN, Tables } from "./tables.ts";
import type { EventCondition, Grain } from "./uses-sql.ts";

const a = columnsOf(accounts, "a");
const b = columnsOf(activity, "b");
const ua = columnsOf(userAccounts, "ua");

/**
 * Selects the accounts or users that meet filters.
 * @param filters those on accounts or users; by default all
 * @param ofEvents takes accounts for their events, also those that their users have left
 */
export function selectionOf(
  compiling: Compiling,
  owner: Owner,
  filters = compiling.query.where,
  ofEvents = false,
): Tables {
  const tables = new Tables(compiling, owner, filters, ofEvents);
  for (const filter of filters) {
    const dimension = namedDimension(compiling, filter.dimension);
    if (!isStatic(filter, dimension)) tables.require(conditionOf(tables, compiling, filter));
  }
  return tables;
}

/** Whether an account or a user that was selected meets the filters of another query, in SQL: 1 or 0. */
export function meetsAll(tables: Tables, compiling: Compiling): string {
  const conditions = compiling.query.where.map((filter) => {
    const dimension = namedDimension(compiling, filter.dimension);
    return isStatic(filter, dimension)
      ? tables.column(`(${meetsNow(compiling, dimension, filter)})`)
      : conditionOf(tables, compiling, filter);
  });
  return `((${["1", ...conditions].join(") AND (")})) IS TRUE`;
}

/** Counts of what accounts or users did: how each is read, and from what. */
export const COUNTS = {
  events: { sql: "sum(count)", grain: { user: false, event: false, count: true } },
  active_days: { sql: "count(DISTINCT day)", grain: { user: false, event: false, count: false } },
  active_users: { sql: "count(DISTINCT nullif(user, 0))", grain: { user: true, event: false, count: false } },
  active_accounts: {
    sql: "count(DISTINCT account) FILTER (WHERE account NOT IN superseded)",
    grain: { user: false, event: false, count: false },
  },
  features_used: { sql: "count(DISTINCT event)", grain: { user: false, event: true, count: false } },
} as const satisfies Partial<Record<Measure, { sql: string; grain: Grain }>>;
export type Count = keyof typeof COUNTS;

export const isCount = (name: string): name is Count => Object.hasOwn(COUNTS, name);

/** The window of a filter, or else of the query. */
export const windowOf = (own: WindowName | undefined, { window, lookups }: Compiling): Window =>
  own === undefined ? window : daysOf(own, lookups.today);

/** The events that every count is restricted to: those of filters on events without a window of their own. */
function countedEvents({ query, values }: Compiling): EventCondition {
  const names = query.where.flatMap(({ dimension, is, in: several, window }) =>
    dimension !== "event" || window !== undefined ? [] : [is ?? [], several ?? []].flat(),
  );
  if (names.length === 0) return null;
  const list = values.addList(names);
  return (name) => `${name} IN ${list}`;
}

export const countedBy = (compiling: Compiling, measure: string): EventCondition =>
  measure === "seat_use" ? null : countedEvents(compiling);

/** The value of an account or a user in SQL over `subject` and the tables, for filtering, sorting and showing. */
export function valueIn(tables: Tables, dimension: Dimension): string {
  const { compiling } = tables;
  if (SEEN.has(dimension.name))
    return tables.own(seen(tables.owner, dimension.name === "first_seen" ? "first" : "last"));
  if (dimension.isActivity === true) return countIn(tables, dimension.name, compiling.window, countedEvents(compiling));
  return tables.column(valueOf(dimension, compiling.values));
}

/** The value of the query's measure, or the day of the change that it asks for. */
export function measureIn(tables: Tables, compiling: Compiling): string {
  const { measure, where, show } = compiling.query;
  if (measure === undefined) {
    const changed = where.find(({ became, changed: direction }) => became !== undefined || direction !== undefined);
    return show === "when" && changed !== undefined ? changeIn(tables, changed) : "NULL";
  }
  if (measure === "arr")
    return `12 * ${measureIn(tables, { ...compiling, query: { ...compiling.query, measure: "mrr" } })}`;
  if (measure === "account") return tables.column(a.externalId);
  const dimension = namedDimension(compiling, measure);
  if (dimension.isActivity === true) return countIn(tables, measure, compiling.window, countedEvents(compiling));
  return compiling.asOf === null || dimension.hasHistory !== true
    ? valueIn(tables, dimension)
    : pastValue(tables, dimension, compiling.asOf).value;
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

function historyOf({ name }: Dimension): Historic {
  const past = HISTORIC[name];
  if (past === undefined) throw new Error(`${name} has no history.`);
  return past;
}

function pastValue(tables: Tables, dimension: Dimension, day: Day): { value: string; stored: string } {
  const stored = tables.ofAccount(valueOn(historyOf(dimension), day));
  if (dimension.name !== "stage") return { value: stored, stored };
  // An account without a row was not there yet.
  return { value: `iif(${stored.replace(".value", ".id")} IS NULL, NULL, ${stageOf(stored)})`, stored };
}

/** A count of what each account or user did in a window. */
export function countIn(tables: Tables, name: string, window: Window, events: EventCondition): string {
  if (name === "active") return `(${countIn(tables, "active_days", window, events)} > 0)`;
  if (name === "seat_use") {
    const seats = valueIn(tables, namedDimension(tables.compiling, "seats"));
    return `(100.0 * ${countIn(tables, "active_users", window, null)} / nullif(${seats}, 0))`;
  }
  if (!isCount(name)) throw new Error(`${name} is no count.`);
  const { sql, grain } = COUNTS[name];
  const uses = tables.uses(window, grain, events);
  return `coalesce(${tables.own(`SELECT id, ${sql} AS value FROM (${uses}) GROUP BY id`)}, 0)`;
}

/** Selects the first or the last day of each account or user: an account begins with any message, otherwise events count. */
function seen(owner: Owner, end: "first" | "last"): string {
  if (owner === "accounts" && end === "first") return FIRST_DAYS;
  const [stored, inTail] =
    owner === "accounts"
      ? [
          `SELECT s.id, ${dayOfTime(b.lastEventAt)} AS day
  FROM subject s CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`,
          "tail.account",
        ]
      : [
          `SELECT s.id, ${end === "first" ? ua.firstDay : ua.lastDay} AS day
  FROM subject s CROSS JOIN ${ua.table} ON ${ua.user} = s.id`,
          "tail.user",
        ];
  return `SELECT id, ${end === "first" ? "min" : "max"}(day) AS value FROM (${stored}
  UNION ALL
  SELECT s.id, tail.day FROM tail CROSS JOIN subject s ON s.id = ${inTail}) GROUP BY id`;
}

/** Whether an account or a user meets a filter on what it did, or on the past. */
function conditionOf(tables: Tables, compiling: Compiling, filter: Filter): string {
  const { values, lookups } = compiling;
  const dimension = namedDimension(compiling, filter.dimension);
  if (filter.became !== undefined || filter.changed !== undefined) return `${changeIn(tables, filter)} IS NOT NULL`;
  if (filter.asOf !== undefined) {
    const { value, stored } = pastValue(tables, dimension, dayOf(filter.asOf));
    return meets(value, dimension, filter, values, lookups, stored);
  }
  if (SEEN.has(dimension.name)) return meets(valueIn(tables, dimension), dimension, filter, values, lookups);
  const window = windowOf(filter.window, compiling);
  if (dimension.name === "event") return usesEvent(tables, filter, window);
  const events = filter.window === undefined ? countedEvents(compiling) : null;
  return meets(countIn(tables, dimension.name, window, events), dimension, filter, values, lookups);
}

/** The last day of the window on which an account's value changed as a filter says; NULL without one. */
function changeIn(tables: Tables, filter: Filter): string {
  const { compiling } = tables;
  const { values, lookups } = compiling;
  const { dimension: name, became, changed } = filter;
  const dimension = namedDimension(compiling, name);
  const read = (stored: string) => (name === "stage" ? stageOf(stored) : stored);
  const changes = changesIn(historyOf(dimension), windowOf(filter.window, compiling), read, changed !== undefined);
  const is = (value: string) => meets(value, dimension, { dimension: name, is: became }, values, lookups);
  const wanted =
    became === undefined
      ? `value ${changed === "up" ? ">" : "<"} before`
      : `${is("value")} AND (${is("before")}) IS NOT TRUE`;
  return tables.ofAccount(`SELECT id, max(day) AS value FROM (${changes}) WHERE ${wanted} GROUP BY id`);
}

/** Whether events of certain names were used; `isNot`: whether none was. */
function usesEvent(tables: Tables, { is, isNot, in: several }: Filter, window: Window): string {
  const list = tables.compiling.values.addList([is ?? [], several ?? [], isNot ?? []].flat());
  const count = countIn(tables, "active_days", window, (name) => `${name} IN ${list}`);
  return `${count} ${isNot === undefined ? ">" : "="} 0`;
}
