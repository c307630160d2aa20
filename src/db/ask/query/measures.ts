/** SQL of the dimensions and measures of the entities that a query finds, and of filters on their activity and past. */
import { isChange } from "../../../core/ask/query/check.ts";
import { ACTIVITY, HISTORY, SEEN } from "../../../core/ask/query/dimensions.ts";
import type { Filter, FilterValue } from "../../../core/ask/query/model.ts";
import { valuesNamedBy } from "../../../core/ask/query/subjects.ts";
import { dayOf, windowDays } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { dayOf as dayOfTime, isSuperseded } from "../../client/sql-fragments.ts";
import { account, eventName, item, membership, progress } from "./aliases.ts";
import { type Compiling, type Count, type EventCondition, type Grain, windowOf } from "./compiler-types.ts";
import { isStatic, LABELS, meets, meetsNow, staticConditions, valueOf } from "./dimension-sql.ts";
import type { Owner } from "./entities.ts";
import { stageOf } from "./stage-sql.ts";
import { firstDays, lastChange, lostMrr, valueOn } from "./history-sql.ts";
import { newSelection, type EventScope, type Selection } from "./selection.ts";
import { keyOf } from "./uses-sql.ts";

/** Whether a filter is on events or features. Other filters of queries about events choose accounts and users. */
export const isOfEvents = ({ dimension }: Filter): boolean => ACTIVITY.has(dimension) || SEEN.has(dimension);

/** Selects the subjects that meet filters. It doesn't find superseded accounts, but their events count. */
export function selectionOf(
  compiling: Compiling,
  owner: Owner,
  filters: readonly Filter[] = compiling.query.where,
  scope: EventScope | null = null,
): Selection {
  const isUnresolved = filters.some(({ dimension, is = "resolved" }) => dimension === "status" && is !== "resolved");
  const conditions = [
    ...(compiling.query.find === "accounts" ? [`NOT ${isSuperseded("account")}`] : []),
    // The index of unresolved items is smaller.
    ...(isUnresolved ? [`${item.resolvedDay} IS NULL`] : []),
    ...staticConditions(compiling, filters),
  ];
  const chosen = { filters: filters.filter(isStatic), conditions };
  const selection = newSelection(compiling, owner, chosen, scope);
  for (const filter of filters) if (!isStatic(filter)) selection.require(conditionOf(selection, compiling, filter));
  return selection;
}

/** Whether a selected account or user also meets the filters of `compiling`, in SQL: 1 or 0. */
export function meetsAll(selection: Selection, compiling: Compiling): string {
  const conditions = compiling.query.where.map((filter) =>
    isStatic(filter)
      ? selection.column(`(${meetsNow(compiling, filter)})`, filter.dimension)
      : conditionOf(selection, compiling, filter),
  );
  return `((${["1", ...conditions].join(") AND (")})) IS TRUE`;
}

export const DAY_GRAIN: Grain = { user: false, event: false, count: false };

/** By name. */
const COUNTS: Readonly<Record<string, Count>> = {
  events: { sql: "sum(count)", grain: { ...DAY_GRAIN, count: true } },
  active_days: { sql: "count(DISTINCT day)", grain: DAY_GRAIN },
  active_users: { sql: "count(DISTINCT nullif(user, 0))", grain: { ...DAY_GRAIN, user: true } },
  active_accounts: { sql: "count(DISTINCT account)", where: "account NOT IN superseded", grain: DAY_GRAIN },
  features_used: { sql: "count(DISTINCT event)", grain: { ...DAY_GRAIN, event: true } },
};

/** @throws if no count has the name */
export function countOf(name: string): Count {
  const count = COUNTS[name];
  if (count === undefined) throw new Error(`${name} isn't a count.`);
  return count;
}

/** The SQL of a count over uses. */
export const aggregateOf = ({ sql, where }: Count): string =>
  where === undefined ? sql : `${sql} FILTER (WHERE ${where})`;

/** Filters on events without a window of their own restrict all counts to these events. */
export function countedEvents(compiling: Compiling): EventCondition {
  const names = compiling.query.where
    .filter(({ dimension, isNot, window }) => dimension === "event" && isNot === undefined && window === undefined)
    .flatMap(valuesNamedBy);
  return names.length === 0 ? null : isOneOf(compiling, names);
}

/** Whether an event has one of the names. */
export function isOneOf({ values }: Compiling, names: readonly FilterValue[]): NonNullable<EventCondition> {
  const list = `(SELECT ${keyOf("wanted.value")} FROM ${values.addList(names)} wanted)`;
  return { holds: (key) => `${key} IN ${list}`, leavesFew: true };
}

/** The current value of a dimension, or a count in the window, in SQL over the subjects and the tables. */
export function valueIn(selection: Selection, name: string, at = selection.compiling): string {
  if (SEEN.has(name)) return seen(selection, name === "first_seen" ? "first" : "last");
  if (name === "mrr_lost") return `${lossesIn(selection, at.window)}.value`;
  if (ACTIVITY.has(name)) return countIn(selection, name, at.window, countedEvents(at));
  return selection.column(valueOf(at, name), name);
}

/** A measure or a dimension to show; with an `asOf`, its value at the end of that day. */
export function measureIn(selection: Selection, name: string, at = selection.compiling): string {
  if (name === "arr") return `12 * ${measureIn(selection, "mrr", at)}`;
  if (name === "account") return selection.column(account.externalId);
  if (at.asOf === null || !HISTORY.has(name)) return valueIn(selection, name, at);
  const table = valueOn(selection, name, at.asOf);
  // An account without a row didn't exist yet.
  return name === "stage" ? `iif(${table}.id IS NULL, NULL, ${stageOf(`${table}.value`)})` : `${table}.value`;
}

function lossesIn(selection: Selection, window: Window): string {
  const wanted = `value = 'churned' AND before = 'active'`;
  return lostMrr(selection, window, lastChange(selection, "stage", window, { wanted }));
}

/** The currency of a measure of money. */
export const currencyIn = (selection: Selection, name: string | undefined): string =>
  name === "mrr_lost" ? `${lossesIn(selection, selection.compiling.window)}.currency` : valueIn(selection, "currency");

/** The columns for grouping: the value of the group, and the label that breaks ties in the order. */
export function groupColumns(selection: Selection, per: string): { grp: string; label: string } {
  const label = LABELS[per];
  const grp = valueIn(selection, per);
  return { grp, label: label === undefined ? grp : selection.column(label) };
}

function countIn(selection: Selection, name: string, window: Window, events: EventCondition): string {
  const counted = (count: string) => countIn(selection, count, window, events);
  if (name === "active") return `(${counted("active_days")} > 0)`;
  const activeUsers = () => countIn(selection, "active_users", window, null);
  if (name === "seat_use") return `(100.0 * ${activeUsers()} / nullif(${valueIn(selection, "seats")}, 0))`;
  if (name === "unused_seats") return `max(${valueIn(selection, "seats")} - ${activeUsers()}, 0)`;
  const count = countOf(name === "adoption" ? "active_accounts" : name);
  if (name === "adoption") {
    const key = `adoption ${selection.subject} ${window.from} ${window.to}`;
    const uses = () => selection.allUses(window, count.grain, null);
    const all = selection.join(key, "1", () => `SELECT 1 AS id, ${aggregateOf(count)} AS value FROM (${uses()})`);
    return `(100.0 * ${counted("active_accounts")} / nullif(${all}.value, 0))`;
  }
  return `coalesce(${selection.count(window, count, events)}, 0)`;
}

/** Selects each subject's first or last day with an event. An account's first day is that of its first message. */
function seen(selection: Selection, end: "first" | "last"): string {
  const { owner, compiling } = selection;
  const day = end === "first" ? "min(day)" : "max(day)";
  if (owner === "features" && !compiling.query.where.every(isOfEvents)) {
    const days = windowDays({ all: true }, compiling.today);
    return selection.count(days, { sql: day, grain: DAY_GRAIN }, null);
  }
  if (owner === "accounts" && end === "first") return `${selection.join(firstDays(selection))}.value`;
  const bounds = owner === "features" ? eventName : membership;
  const [stored, from, key] =
    owner === "accounts"
      ? [dayOfTime(progress.lastEventAt), PROGRESS, "account"]
      : owner === "features"
        ? [bounds[`${end}Day`], `${eventName.table} ON ${eventName.number} = subject.id`, "event_key"]
        : [bounds[`${end}Day`], `${membership.table} ON ${membership.user} = subject.id`, "user"];
  const table = selection.join(`SELECT id, ${day} AS value FROM (
  SELECT subject.id, ${stored} AS day FROM ${selection.subject} subject CROSS JOIN ${from}
  UNION ALL
  SELECT subject.id, tail.day FROM tail CROSS JOIN ${selection.subject} subject ON subject.id = tail.${key}
  ) GROUP BY id`);
  return `${table}.value`;
}

const PROGRESS = `${progress.table} ON ${progress.workspace} = :workspace AND ${progress.account} = subject.id`;

/** Whether an account, a user or a feature meets a filter on its activity or past. */
function conditionOf(selection: Selection, compiling: Compiling, filter: Filter): string {
  const { dimension: name, asOf } = filter;
  if (isChange(filter)) return `${changeIn(selection, filter)} IS NOT NULL`;
  if (name === "event" && selection.owner === "features") return meets(compiling, filter, "subject.name");
  if (name === "event") {
    const isUsed = countIn(selection, "active", windowOf(filter, compiling), isOneOf(compiling, valuesNamedBy(filter)));
    return filter.isNot === undefined ? isUsed : `NOT ${isUsed}`;
  }
  const value = filteredValue(selection, compiling, filter);
  return meets(
    compiling,
    filter,
    value,
    asOf === undefined ? undefined : `${valueOn(selection, name, dayOf(asOf))}.value`,
  );
}

/** The value that a filter bounds, in its window or at the end of its day. */
export function filteredValue(selection: Selection, compiling: Compiling, filter: Filter): string {
  const { dimension, window, asOf } = filter;
  const query = window === undefined ? compiling.query : { ...compiling.query, where: [] };
  const day = asOf === undefined ? null : dayOf(asOf);
  return measureIn(selection, dimension, { ...compiling, query, window: windowOf(filter, compiling), asOf: day });
}

/** The last day of the window on which an account's value changed as a filter says; NULL if it didn't. */
export function changeIn(selection: Selection, filter: Filter): string {
  const { compiling } = selection;
  const { dimension, became, newly, changed, after, first: isFirst = false } = filter;
  const window = windowOf(filter, compiling);
  if (changed !== undefined) {
    const wanted = `value ${changed === "up" ? ">" : "<"} before`;
    return `${lastChange(selection, dimension, window, { isKnown: true, wanted })}.value`;
  }
  const is = (value: string, own = became ?? newly) => `(${meets(compiling, { dimension, is: own }, value)})`;
  const conditions = [is("value"), `${is("before")} IS NOT TRUE`];
  if (after !== undefined) conditions.push(is("before", after));
  // A first score is no recovery.
  if (dimension === "health" && newly === "healthy") conditions.push("before IN ('watch', 'at_risk')");
  // A sender may send events before the stage. An account that was on trial later wasn't a customer yet.
  if (isFirst && dimension === "stage") conditions.push("NOT (said IS NULL AND had_trial)");
  const wanted = conditions.join(" AND ");
  if (newly === undefined) return `${lastChange(selection, dimension, window, { isFirst, wanted })}.value`;
  const until = Math.max(window.to, compiling.today);
  const holds = selection.column(`(${meetsNow(compiling, { dimension, is: newly })})`);
  return `iif(${holds}, ${lastChange(selection, dimension, window, { until, wanted })}.value, NULL)`;
}
