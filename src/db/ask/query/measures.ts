/** SQL of dimensions and measures of what a query finds, and of filters on their activity and past. */
import { isChange } from "../../../core/ask/query/canonical.ts";
import { ACTIVITY, HISTORY, SEEN } from "../../../core/ask/query/dimensions.ts";
import type { Filter } from "../../../core/ask/query/model.ts";
import { namesIn } from "../../../core/ask/query/subjects.ts";
import { dayOf, daysOf } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { dayOf as dayOfTime, isSuperseded } from "../../client/sql-fragments.ts";
import { a, b, i, ua } from "./aliases.ts";
import { type Compiling, windowOf } from "./compiling.ts";
import { isStatic, LABELS, meets, meetsNow, stageOf, staticConditions, valueOf } from "./dimension-sql.ts";
import { changesIn, FIRST_DAYS, valueOn } from "./history-sql.ts";
import { newTables, type Owner, type Scope, type Tables } from "./tables.ts";
import type { EventCondition, Grain } from "./uses-sql.ts";

/** Whether a filter is on events or features. Other filters of queries about events choose accounts and users. */
export const isOfEvents = ({ dimension }: Filter): boolean => ACTIVITY.has(dimension) || SEEN.has(dimension);

/** Selects what meets filters. Events of accounts that their users have left count; the accounts aren't found. */
export function selectionOf(
  compiling: Compiling,
  owner: Owner,
  filters: readonly Filter[] = compiling.query.where,
  scope: Scope | null = null,
): Tables {
  const isUnresolved = filters.some(({ dimension, is = "resolved" }) => dimension === "status" && is !== "resolved");
  const conditions = [
    compiling.query.find === "accounts" ? `AND NOT ${isSuperseded("a")}` : "",
    // The index of unresolved items is smaller.
    isUnresolved ? `AND ${i.resolvedDay} IS NULL` : "",
    staticConditions(compiling, filters),
  ];
  const tables = newTables(compiling, owner, conditions.join(" "), scope);
  for (const filter of filters) if (!isStatic(filter)) tables.require(conditionOf(tables, compiling, filter));
  return tables;
}

/** Whether a selected account or user also meets the filters of `compiling`, in SQL: 1 or 0. */
export function meetsAll(tables: Tables, compiling: Compiling): string {
  const conditions = compiling.query.where.map((filter) =>
    isStatic(filter) ? tables.column(`(${meetsNow(compiling, filter)})`) : conditionOf(tables, compiling, filter),
  );
  return `((${["1", ...conditions].join(") AND (")})) IS TRUE`;
}

interface Count {
  sql: string;
  grain: Grain;
}

export const DAYS: Grain = { user: false, event: false, count: false };

/** The SQL of each count, and the grain of the uses that it reads. */
const COUNTS: Readonly<Record<string, Count>> = {
  events: { sql: "sum(count)", grain: { ...DAYS, count: true } },
  active_days: { sql: "count(DISTINCT day)", grain: DAYS },
  active_users: { sql: "count(DISTINCT nullif(user, 0))", grain: { ...DAYS, user: true } },
  active_accounts: { sql: "count(DISTINCT account) FILTER (WHERE account NOT IN superseded)", grain: DAYS },
  features_used: { sql: "count(DISTINCT event)", grain: { ...DAYS, event: true } },
};

/** @throws if the name isn't that of a count */
export function countOf(name: string): Count {
  const count = COUNTS[name];
  if (count === undefined) throw new Error(`${name} is no count.`);
  return count;
}

/** The events to which all counts are restricted, by filters on events without a window of their own. */
export function countedEvents({ query, values }: Compiling): EventCondition {
  const names = query.where
    .filter(({ dimension, isNot, window }) => dimension === "event" && isNot === undefined && window === undefined)
    .flatMap(namesIn);
  if (names.length === 0) return null;
  const list = values.addList(names);
  return (name) => `${name} IN ${list}`;
}

/** The current value of a dimension, or a count in the window, in SQL over `subject` and the tables. */
export function valueIn(tables: Tables, name: string, at = tables.compiling): string {
  if (SEEN.has(name)) return tables.join(seen(tables, name === "first_seen" ? "first" : "last"));
  if (ACTIVITY.has(name)) return countIn(tables, name, at.window, countedEvents(at));
  return tables.column(valueOf(at, name));
}

/** A measure or a dimension to show; with an `asOf`, its value at the end of that day. */
export function measureIn(tables: Tables, name: string, at = tables.compiling): string {
  if (name === "arr") return `12 * ${measureIn(tables, "mrr", at)}`;
  if (name === "account") return tables.column(a.externalId);
  if (at.asOf === null || !HISTORY.has(name)) return valueIn(tables, name, at);
  const stored = tables.join(valueOn(name, at.asOf), "s.account");
  // An account without a row didn't exist yet.
  return name === "stage" ? `iif(${stored.replace(".value", ".id")} IS NULL, NULL, ${stageOf(stored)})` : stored;
}

/** The columns for grouping: the value of the group, and the label that breaks ties in the order. */
export function groupColumns(tables: Tables, per: string): { grp: string; label: string } {
  const label = LABELS[per];
  const grp = valueIn(tables, per);
  return { grp, label: label === undefined ? grp : tables.column(label) };
}

function countIn(tables: Tables, name: string, window: Window, events: EventCondition): string {
  const counted = (count: string) => countIn(tables, count, window, events);
  if (name === "active") return `(${counted("active_days")} > 0)`;
  if (name === "seat_use")
    return `(100.0 * ${countIn(tables, "active_users", window, null)} / nullif(${valueIn(tables, "seats")}, 0))`;
  const { sql, grain } = countOf(name === "adoption" ? "active_accounts" : name);
  if (name === "adoption") {
    const all = tables.join(`SELECT 1 AS id, ${sql} AS value FROM (${tables.allUses(window, grain, null)})`, "1");
    return `(100.0 * ${counted("active_accounts")} / nullif(${all}, 0))`;
  }
  const uses = tables.uses(window, grain, events);
  return `coalesce(${tables.join(`SELECT id, ${sql} AS value FROM (${uses}) GROUP BY id`)}, 0)`;
}

/** Selects the first or last day with an event of each subject. An account's first day is that of any message. */
function seen(tables: Tables, end: "first" | "last"): string {
  const { owner, compiling } = tables;
  const day = end === "first" ? "min(day)" : "max(day)";
  if (owner === "features") {
    const days = daysOf({ all: true }, compiling.today);
    return `SELECT id, ${day} AS value FROM (${tables.uses(days, DAYS, null)}) GROUP BY id`;
  }
  if (owner === "accounts" && end === "first") return FIRST_DAYS;
  const [stored, from] =
    owner === "accounts"
      ? [dayOfTime(b.lastEventAt), `${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`]
      : [end === "first" ? ua.firstDay : ua.lastDay, `${ua.table} ON ${ua.user} = s.id`];
  return `SELECT id, ${day} AS value FROM (
  SELECT s.id, ${stored} AS day FROM subject s CROSS JOIN ${from}
  UNION ALL
  SELECT s.id, tail.day FROM tail CROSS JOIN subject s ON s.id = tail.${owner === "accounts" ? "account" : "user"}) GROUP BY id`;
}

/** Whether an account, a user or a feature meets a filter on its activity or past. */
function conditionOf(tables: Tables, compiling: Compiling, filter: Filter): string {
  const { dimension: name, window, asOf } = filter;
  if (isChange(filter)) return `${changeIn(tables, filter)} IS NOT NULL`;
  if (name === "event" && tables.owner === "features") return meets(compiling, filter, "s.id");
  if (name === "event") {
    const list = compiling.values.addList(namesIn(filter));
    const isUsed = countIn(tables, "active", windowOf(filter, compiling), (event) => `${event} IN ${list}`);
    return filter.isNot === undefined ? isUsed : `NOT ${isUsed}`;
  }
  const day = asOf === undefined ? null : dayOf(asOf);
  const query = window === undefined ? compiling.query : { ...compiling.query, where: [] };
  const value = measureIn(tables, name, { ...compiling, query, window: windowOf(filter, compiling), asOf: day });
  return meets(compiling, filter, value, day === null ? undefined : tables.join(valueOn(name, day), "s.account"));
}

/** The last day of the window on which an account's value changed as a filter says; NULL if it didn't. */
export function changeIn(tables: Tables, filter: Filter): string {
  const { compiling } = tables;
  const { dimension, became, changed } = filter;
  const changes = changesIn(dimension, windowOf(filter, compiling), changed !== undefined);
  const is = (value: string) => meets(compiling, { dimension, is: became }, value);
  const wanted =
    became === undefined
      ? `value ${changed === "up" ? ">" : "<"} before`
      : `${is("value")} AND (${is("before")}) IS NOT TRUE`;
  return tables.join(`SELECT id, max(day) AS value FROM (${changes}) WHERE ${wanted} GROUP BY id`, "s.account");
}
