/**
 * SQL of what accounts and users did: complete days by their summaries, later days by rollups, and the tail of the log
 * by its messages. Rows read grow with days, users and event names, never with the number of events.
 *
 * ?1 is the workspace's number. Statements define `tail` and the accounts or users before these.
 */
import type { Window } from "../../../core/health/model.ts";
import { isSuperseded } from "../../accounts/superseded-sql.ts";
import { MAX_DAY_USERS } from "../../users/day-users.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "../tail.ts";
import { a, b, d, e, r, ua } from "./aliases.ts";

/**
 * The unfolded events: account, user, event (by name), day, at. Then the personal accounts that their users have left:
 * events there count, but the accounts don't. SQLite runs neither unless a statement refers to it.
 */
export const TAIL = `tail AS MATERIALIZED (${TAIL_EVENTS}),
superseded AS MATERIALIZED (SELECT ${a.number} FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${isSuperseded("a")})`;

/** What a selection of uses has to tell apart. Less is cheaper. */
export interface Grain {
  /** Each user by number, 0 for none. Without it, `user` is NULL. */
  user: boolean;
  /** Each event by name. Without it, `event` is NULL. */
  event: boolean;
  /** Whether `count` is needed. Distinct users of a day can be read without it. */
  count: boolean;
}

/** SQL of whether an event is counted, by the SQL of its name; `null` for all. */
export type EventCondition = ((name: string) => string) | null;

export interface Selection {
  /** The table of the accounts or users, which has `id`. */
  source: string;
  window: Window;
  grain: Grain;
  events: EventCondition;
}

const FRESH_FROM = `coalesce(${b.rollUpFrom}, ${NEVER_FRESH})`;
const OWN_ACTIVITY = `CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`;

/** Selects `id`, `account`, `day`, `user`, `event` and `count` of accounts. */
export function accountUses(selection: Selection): string {
  const { source, window, grain, events } = selection;
  // Summaries of days have events without users, and users without events.
  const isSummarized = !grain.user || (!grain.count && !grain.event && events === null);
  const { from, to } = window;
  const later = isSummarized ? `max(${from}, ${FRESH_FROM})` : from;
  return [
    ...(isSummarized ? summaries(selection) : []),
    rollupsOf(
      `${source} s ${isSummarized ? OWN_ACTIVITY : ""} CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} BETWEEN ${later} AND ${to}`,
      grain,
      events,
    ),
    tailOf("account", selection),
  ].join("\nUNION ALL\n");
}

function summaries({ source, window: { from, to }, grain, events }: Selection): string[] {
  const days = `${source} s ${OWN_ACTIVITY}
  CROSS JOIN ${d.table} ON ${d.account} = s.id AND ${d.day} BETWEEN ${from} AND min(${to}, ${FRESH_FROM} - 1)`;
  const columns = `SELECT s.id, s.id AS account, ${d.day} AS day`;
  if (grain.user)
    return [
      `${columns}, u.value AS user, NULL AS event, 1 AS count FROM ${days}
  CROSS JOIN json_each(${d.users}) u WHERE ${d.userDays} <= ${MAX_DAY_USERS}`,
      `${columns}, ${r.user}, NULL, ${r.count} FROM ${days}
  CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} = ${d.day} WHERE ${d.userDays} > ${MAX_DAY_USERS}`,
    ];
  if (!grain.event && events === null)
    return [`${columns}, NULL AS user, NULL AS event, ${d.events} AS count FROM ${days}`];
  return [
    `${columns}, NULL AS user, ${grain.event ? e.name : "NULL"} AS event, f.value ->> 0 AS count
  FROM ${days} CROSS JOIN json_each(${d.features}) f ${namedIn("CAST(f.key AS INTEGER)", grain, events)}`,
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
 * Selects the same of users, under all accounts that they were in.
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
  // One rollup of a day shows that the user was active.
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
