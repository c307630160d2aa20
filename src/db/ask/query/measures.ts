/** SQL of dimensions and measures of selected accounts or users, and of filters on their activity and past. */
import { isChange } from "../../../core/ask/query/canonical.ts";
import { ACTIVITY, HISTORY } from "../../../core/ask/query/dimensions.ts";
import type { Filter } from "../../../core/ask/query/model.ts";
import { namesIn } from "../../../core/ask/query/subjects.ts";
import { dayOf } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { dayOf as dayOfTime, isSuperseded } from "../../client/sql-fragments.ts";
import { a, b, ua } from "./aliases.ts";
import { type Compiling, windowOf } from "./compiling.ts";
import { isStatic, LABELS, meets, meetsNow, SEEN, stageOf, staticConditions, valueOf } from "./dimension-sql.ts";
import { changesIn, FIRST_DAYS, valueOn } from "./history-sql.ts";
import { newTables, type Owner, type Tables } from "./tables.ts";
import type { EventCondition, Grain } from "./uses-sql.ts";

/** Selects the accounts or users that meet filters; `ofEvents` also takes accounts that their users have left. */
export function selectionOf(
  compiling: Compiling,
  owner: Owner,
  filters: readonly Filter[] = compiling.query.where,
  ofEvents = false,
): Tables {
  const isCurrent = owner === "accounts" && !ofEvents ? `AND NOT ${isSuperseded("a")}` : "";
  const tables = newTables(compiling, owner, `${isCurrent} ${staticConditions(compiling, filters)}`);
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
  if (SEEN.has(name)) return tables.join(seen(tables.owner, name === "first_seen" ? "first" : "last"));
  if (ACTIVITY.has(name)) return countIn(tables, name, at.window, countedEvents(at));
  return tables.column(valueOf(at, name));
}

/** A measure or a dimension to show; with an `asOf`, its value at the end of that day. */
export function measureIn(tables: Tables, name: string, at = tables.compiling): string {
  if (name === "arr") return `12 * ${measureIn(tables, "mrr", at)}`;
  if (name === "account") return tables.column(a.externalId);
  if (at.asOf === null || !HISTORY.has(name)) return valueIn(tables, name, at);
  const stored = tables.join(valueOn(name, at.asOf), "account");
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
  if (name === "active") return `(${countIn(tables, "active_days", window, events)} > 0)`;
  if (name === "seat_use")
    return `(100.0 * ${countIn(tables, "active_users", window, null)} / nullif(${valueIn(tables, "seats")}, 0))`;
  const { sql, grain } = countOf(name);
  const uses = tables.uses(window, grain, events);
  return `coalesce(${tables.join(`SELECT id, ${sql} AS value FROM (${uses}) GROUP BY id`)}, 0)`;
}

/** Selects the first or last day with an event of each account or user. An account's first day is that of any message. */
function seen(owner: Owner, end: "first" | "last"): string {
  if (owner === "accounts" && end === "first") return FIRST_DAYS;
  const [day, stored] =
    owner === "accounts"
      ? [dayOfTime(b.lastEventAt), `${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`]
      : [end === "first" ? ua.firstDay : ua.lastDay, `${ua.table} ON ${ua.user} = s.id`];
  return `SELECT id, ${end === "first" ? "min" : "max"}(day) AS value FROM (
  SELECT s.id, ${day} AS day FROM subject s CROSS JOIN ${stored}
  UNION ALL
  SELECT s.id, tail.day FROM tail CROSS JOIN subject s ON s.id = tail.${owner === "accounts" ? "account" : "user"}) GROUP BY id`;
}

/** Whether an account or a user meets a filter on its activity or past. */
function conditionOf(tables: Tables, compiling: Compiling, filter: Filter): string {
  const { dimension: name, window, asOf } = filter;
  if (isChange(filter)) return `${changeIn(tables, filter)} IS NOT NULL`;
  if (name === "event") return usesEvent(tables, filter, windowOf(filter, compiling));
  const day = asOf === undefined ? null : dayOf(asOf);
  const query = window === undefined ? compiling.query : { ...compiling.query, where: [] };
  const value = measureIn(tables, name, { ...compiling, query, window: windowOf(filter, compiling), asOf: day });
  return meets(compiling, filter, value, day === null ? undefined : tables.join(valueOn(name, day), "account"));
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
  return tables.join(`SELECT id, max(day) AS value FROM (${changes}) WHERE ${wanted} GROUP BY id`, "account");
}

/** Whether one of the filter's events was used; with `isNot`, whether none was. */
function usesEvent(tables: Tables, filter: Filter, window: Window): string {
  const list = tables.compiling.values.addList(namesIn(filter));
  const count = countIn(tables, "active_days", window, (name) => `${name} IN ${list}`);
  return `${count} ${filter.isNot === undefined ? ">" : "="} 0`;
}
