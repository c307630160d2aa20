/**
 * SQL of uses, that is, the events of accounts and users: summaries for complete days, rollups for later days, messages
 * for the tail of the log. The number of rows read grows with days, users and event names, not with events.
 *
 * ?1 is the workspace's number. Statements must define `tail` and the table of accounts or users first.
 */
import type { Window } from "../../../core/health/model.ts";
import { beside, isSuperseded } from "../../client/sql-fragments.ts";
import { MAX_DAY_USERS } from "../../recompute/account-days-sql.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "../tail.ts";
import { a, b, d, e, r, ua } from "./aliases.ts";

/**
 * `tail` has the unfolded events: account, user, event (by name), day, at. `superseded` has the superseded accounts:
 * their events count, but the accounts don't. SQLite runs them only if a statement refers to them.
 */
export const TAIL = `tail AS MATERIALIZED (${TAIL_EVENTS}),
superseded AS MATERIALIZED (SELECT ${a.number} FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${isSuperseded("a")})`;

/** The columns that a selection of uses needs. Fewer are cheaper. */
export interface Grain {
  /** Each user by number, 0 for none. Without it, `user` is NULL. */
  user: boolean;
  /** Each event by name. Without it, `event` is NULL. */
  event: boolean;
  /** Whether `count` is needed. Distinct users can be counted without it, from summaries. */
  count: boolean;
}

/** Turns the SQL of an event's name into the SQL of whether it counts; `null` counts all events. */
export type EventCondition = ((name: string) => string) | null;

export interface Selection {
  /** The table of the accounts or users, which has `id`. */
  source: string;
  window: Window;
  grain: Grain;
  events: EventCondition;
}

const FRESH_FROM = `coalesce(${b.summarizeFrom}, ${NEVER_FRESH})`;
const OWN_PROGRESS = `CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`;

/** Selects uses of accounts: `id`, `account`, `day`, `user`, `event` and `count`. */
export function accountUses(selection: Selection): string {
  const { source, window, grain, events } = selection;
  // Summaries have counts by event and lists of users, but not both together.
  const isSummarized = !grain.user || (!grain.count && !grain.event && events === null);
  const { from, to } = window;
  const later = isSummarized ? `max(${from}, ${FRESH_FROM})` : from;
  return [
    ...(isSummarized ? summaries(selection) : []),
    rollupsOf(
      `${source} s ${isSummarized ? OWN_PROGRESS : ""} CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} BETWEEN ${later} AND ${to}`,
      grain,
      events,
    ),
    tailOf("account", selection),
  ].join("\nUNION ALL\n");
}

function summaries({ source, window: { from, to }, grain, events }: Selection): string[] {
  const days = `${source} s ${OWN_PROGRESS}
  CROSS JOIN ${d.table} ON ${d.account} = s.id AND ${d.day} BETWEEN ${from} AND min(${to}, ${FRESH_FROM} - 1)`;
  const columns = `SELECT s.id, s.id AS account, ${d.day} AS day`;
  if (grain.user)
    return [
      `${columns}, ${beside(d.account, "u.value")} AS user, NULL AS event, 1 AS count FROM ${days}
  CROSS JOIN json_each(${d.users}) u WHERE ${d.userDays} <= ${MAX_DAY_USERS}`,
      `${columns}, ${r.user}, NULL, ${r.count} FROM ${days}
  CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} = ${d.day} WHERE ${d.userDays} > ${MAX_DAY_USERS}`,
    ];
  if (!grain.event && events === null)
    return [`${columns}, NULL AS user, NULL AS event, ${d.events} AS count FROM ${days}`];
  return [
    `${columns}, NULL AS user, ${grain.event ? e.name : "NULL"} AS event, f.value ->> 0 AS count
  FROM ${days} CROSS JOIN json_each(${d.features}) f ${namedIn(beside(d.account, "f.key"), grain, events)}`,
    // A day with too many features lists none.
    rollupsOf(
      `${days} AND ${d.features} = '{}' CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} = ${d.day}`,
      grain,
      events,
    ),
  ];
}

function rollupsOf(source: string, grain: Grain, events: EventCondition, account = "s.id"): string {
  return `SELECT s.id, ${account} AS account, ${r.day} AS day, ${grain.user ? r.user : "NULL"} AS user,
  ${grain.event ? e.name : "NULL"} AS event, ${r.count} AS count FROM ${source} ${namedIn(r.event, grain, events)}`;
}

/** Joins the event's name if it is needed. */
const namedIn = (number: string, grain: Grain, events: EventCondition): string =>
  grain.event || events !== null
    ? `CROSS JOIN ${e.table} ON ${e.number} = ${number}${events === null ? "" : ` AND ${events(e.name)}`}`
    : "";

/**
 * Selects uses of users in all their accounts, former ones included.
 * @param within the table of the accounts that count; `null` for all
 */
export function userUses(selection: Selection, within: string | null): string {
  const { source, window, grain, events } = selection;
  const { from, to } = window;
  const memberships = `${source} s CROSS JOIN ${ua.table} ON ${ua.user} = s.id AND ${ua.firstDay} <= ${to} AND ${ua.lastDay} >= ${from}
    ${within === null ? "" : `AND ${ua.account} IN (SELECT id FROM ${within})`}
  CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = ${ua.account}`;
  const first = `max(${from}, ${ua.firstDay})`;
  const last = `min(${to}, ${ua.lastDay})`;
  const days = `${memberships}
  CROSS JOIN ${d.table} ON ${d.account} = ${ua.account} AND ${d.day} BETWEEN ${first} AND min(${last}, ${FRESH_FROM} - 1)`;
  const own = `${r.account} = ${ua.account} AND ${r.day} = ${d.day} AND ${r.user} = s.id`;
  // If only activity matters, one rollup for a day is enough.
  const isPresence = !grain.count && !grain.event && events === null;
  const complete = isPresence
    ? `SELECT s.id, ${ua.account} AS account, ${d.day} AS day, ${grain.user ? "s.id" : "NULL"} AS user, NULL AS event, 1 AS count
  FROM ${days} WHERE EXISTS (SELECT 1 FROM ${r.table} WHERE ${own})`
    : rollupsOf(`${days} CROSS JOIN ${r.table} ON ${own}`, grain, events, ua.account);
  const later = `${memberships}
  CROSS JOIN ${r.table} ON ${r.account} = ${ua.account} AND ${r.day} BETWEEN max(${first}, ${FRESH_FROM}) AND ${last}
    AND ${r.user} = s.id`;
  return [
    complete,
    rollupsOf(later, grain, events, ua.account),
    `${tailOf("user", selection)}${within === null ? "" : ` AND tail.account IN (SELECT id FROM ${within})`}`,
  ].join("\nUNION ALL\n");
}

const tailOf = (
  owner: "account" | "user",
  { source, window: { from, to }, grain, events }: Selection,
): string => `SELECT s.id, tail.account, tail.day, ${grain.user ? "tail.user" : "NULL"}, ${grain.event ? "tail.event" : "NULL"}, 1
  FROM tail CROSS JOIN ${source} s ON s.id = tail.${owner}
  WHERE tail.day BETWEEN ${from} AND ${to}${events === null ? "" : ` AND ${events("tail.event")}`}`;
