/**
 * SQL of what accounts and users did: complete days by their summaries, later days by rollups, and the tail of the log
 * by its messages. Rows read grow with days, users and event names, never with the number of events.
 *
 * ?1 is the workspace's number. Statements define `tail` and `subject` (`id`: accounts or users) before these.
 */
import type { Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { accountDays, activity, eventNames, rollups, userAccounts } from "../../schema/schema.ts";
import { MAX_DAY_USERS } from "../../users/day-users.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "../tail.ts";

const b = columnsOf(activity, "b");
const d = columnsOf(accountDays, "d");
const e = columnsOf(eventNames, "e");
const r = columnsOf(rollups, "r");
const ua = columnsOf(userAccounts, "ua");

/** The unfolded events: account, user, event (by name), day, at. */
export const TAIL = `tail AS MATERIALIZED (${TAIL_EVENTS})`;

/** What a selection of uses has to tell apart. Less is cheaper. */
export interface Grain {
  /** Each user by number, 0 for none. Without it, `user` is NULL. */
  user: boolean;
  /** Each event by name. Without it, `event` is NULL. */
  event: boolean;
  /** Whether `count` is needed. Distinct users of a day can be read without it. */
  count: boolean;
}

export interface Selection {
  window: Window;
  grain: Grain;
  /** SQL of the event names that are counted, for `IN`; `null` for all. */
  events: string | null;
}

const FRESH_FROM = `coalesce(${b.rollUpFrom}, ${NEVER_FRESH})`;
const OWN_ACTIVITY = `CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`;
const EVENT_NAME = `CROSS JOIN ${e.table} ON ${e.number} =`;

/** Selects `id`, `day`, `user`, `event` and `count` of the accounts in `subject`. */
export function accountUses(selection: Selection): string {
  const { window, grain, events } = selection;
  const parts = isSummarized(selection) ? [...summaries(selection), fresh(selection)] : [allRollups(selection)];
  return [...parts, tailOf("account", window, grain, events)].join("\nUNION ALL\n");
}

/** Summaries of days have events without users, and users without events. */
const isSummarized = ({ grain, events }: Selection): boolean =>
  !grain.user || (!grain.count && !grain.event && events === null);

function summaries({ window: { from, to }, grain, events }: Selection): string[] {
  const days = `subject s ${OWN_ACTIVITY}
  CROSS JOIN ${d.table} ON ${d.account} = s.id AND ${d.day} BETWEEN ${from} AND min(${to}, ${FRESH_FROM} - 1)`;
  if (grain.user)
    return [
      `SELECT s.id, ${d.day} AS day, u.value AS user, NULL AS event, 1 AS count FROM ${days}
  CROSS JOIN json_each(${d.users}) u WHERE ${d.userDays} <= ${MAX_DAY_USERS}`,
      `SELECT s.id, ${d.day}, ${r.user}, NULL, ${r.count} FROM ${days}
  CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} = ${d.day} WHERE ${d.userDays} > ${MAX_DAY_USERS}`,
    ];
  if (!grain.event && events === null)
    return [`SELECT s.id, ${d.day} AS day, NULL AS user, NULL AS event, ${d.events} AS count FROM ${days}`];
  return [
    `SELECT s.id, ${d.day} AS day, NULL AS user, ${grain.event ? e.name : "NULL"} AS event, f.value ->> 0 AS count
  FROM ${days} CROSS JOIN json_each(${d.features}) f ${EVENT_NAME} CAST(f.key AS INTEGER)${namedIn(e.name, events)}`,
  ];
}

const fresh = ({ window: { from, to }, grain, events }: Selection): string =>
  rollupsOf(
    `subject s ${OWN_ACTIVITY} CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} BETWEEN max(${from}, ${FRESH_FROM}) AND ${to}`,
    grain,
    events,
  );

const allRollups = ({ window: { from, to }, grain, events }: Selection): string =>
  rollupsOf(
    `subject s CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} BETWEEN ${from} AND ${to}`,
    grain,
    events,
  );

function rollupsOf(source: string, grain: Grain, events: string | null): string {
  const named = grain.event || events !== null ? ` ${EVENT_NAME} ${r.event}${namedIn(e.name, events)}` : "";
  return `SELECT s.id, ${r.day} AS day, ${grain.user ? r.user : "NULL"} AS user, ${grain.event ? e.name : "NULL"} AS event,
  ${r.count} AS count FROM ${source}${named}`;
}

/** Selects the same of the users in `subject`, under all accounts that they were in. */
export function userUses({ window, grain, events }: Selection): string {
  const { from, to } = window;
  const accounts = `subject s CROSS JOIN ${ua.table} ON ${ua.user} = s.id AND ${ua.firstDay} <= ${to} AND ${ua.lastDay} >= ${from}
  CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = ${ua.account}`;
  const first = `max(${from}, ${ua.firstDay})`;
  const last = `min(${to}, ${ua.lastDay})`;
  const complete = `${accounts}
  CROSS JOIN ${d.table} ON ${d.account} = ${ua.account} AND ${d.day} BETWEEN ${first} AND min(${last}, ${FRESH_FROM} - 1)
  CROSS JOIN ${r.table} ON ${r.account} = ${ua.account} AND ${r.day} = ${d.day} AND ${r.user} = s.id`;
  const later = `${accounts}
  CROSS JOIN ${r.table} ON ${r.account} = ${ua.account} AND ${r.day} BETWEEN max(${first}, ${FRESH_FROM}) AND ${last}
    AND ${r.user} = s.id`;
  return [
    rollupsOf(complete, grain, events),
    rollupsOf(later, grain, events),
    tailOf("user", window, grain, events),
  ].join("\nUNION ALL\n");
}

const tailOf = (owner: "account" | "user", { from, to }: Window, grain: Grain, events: string | null): string =>
  `SELECT s.id, t.day, ${grain.user ? "t.user" : "NULL"}, ${grain.event ? "t.event" : "NULL"}, 1
  FROM tail t CROSS JOIN subject s ON s.id = t.${owner} WHERE t.day BETWEEN ${from} AND ${to}${namedIn("t.event", events)}`;

const namedIn = (column: string, events: string | null): string =>
  events === null ? "" : ` AND ${column} IN ${events}`;
