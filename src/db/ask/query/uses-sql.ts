/**
 * SQL of uses, that is, the events of accounts and users: summaries for complete days, rollups for later days, messages
 * for the tail of the log. The number of rows read grows with days, users and event names, not with events.
 *
 * ?1 is the workspace's number. Statements must define `tail` and the table of accounts or users first.
 */
import type { Window } from "../../../core/health/model.ts";
import { beside, isSuperseded } from "../../client/sql-fragments.ts";
import { MAX_DAY_USERS } from "../../recompute/account-days-sql.ts";
import { AFTER_ALL_DAYS, TAIL_EVENTS } from "../tail.ts";
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

/** Selects uses in a window. */
export type Uses = (window: Window, grain: Grain, events: EventCondition) => string;

const FIRST_UNSUMMARIZED_DAY = `coalesce(${b.summarizeFrom}, ${AFTER_ALL_DAYS})`;

/**
 * Selects `id`, `account`, `day`, `user`, `event` and `count`. Users have uses in all their accounts, former ones
 * included.
 * @param source the table of the accounts or users, which has `id`
 * @param within for users, the table of the accounts that count; `null` for all
 */
export function usesOf(owner: "account" | "user", source: string, within: string | null = null): Uses {
  const ofUsers = owner === "user";
  const isWithin = (account: string) => (within === null ? "" : `AND ${account} IN (SELECT id FROM ${within})`);
  return ({ from, to }, grain, events) => {
    const memberships = `CROSS JOIN ${ua.table} ON ${ua.user} = s.id AND ${ua.firstDay} <= ${to} AND ${ua.lastDay} >= ${from}
    ${isWithin(ua.account)}`;
    const [account, joined, first, last] = ofUsers
      ? [ua.account, memberships, `max(${from}, ${ua.firstDay})`, `min(${to}, ${ua.lastDay})`]
      : ["s.id", "", from, to];
    const accounts = `${source} s ${joined} CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = ${account}`;
    const days = `${accounts}
  CROSS JOIN ${d.table} ON ${d.account} = ${account} AND ${d.day} BETWEEN ${first} AND min(${last}, ${FIRST_UNSUMMARIZED_DAY} - 1)`;
    /** Joins the event's name if it is needed. */
    const named = (number: string): string =>
      grain.event || events !== null
        ? `CROSS JOIN ${e.table} ON ${e.number} = ${number} AND ${events?.(e.name) ?? "TRUE"}`
        : "";
    const select = (day: string, user: string, count: string, tables: string): string =>
      `SELECT s.id, ${account} AS account, ${day} AS day, ${grain.user ? user : "NULL"} AS user,
  ${grain.event ? e.name : "NULL"} AS event, ${count} AS count FROM ${tables}`;
    const own = `${r.account} = ${account} ${ofUsers ? `AND ${r.user} = s.id` : ""}`;
    const rollups = (tables: string, inDays: string): string =>
      select(
        r.day,
        r.user,
        r.count,
        `${tables} CROSS JOIN ${r.table} ON ${own} AND ${r.day} ${inDays} ${named(r.event)}`,
      );

    const isPresence = !grain.count && !grain.event && events === null;
    // Summaries have counts by event and lists of users, but not both together.
    const isSummarized = ofUsers || !grain.user || isPresence;

    function summaries(): string[] {
      // If only activity matters, one rollup of a user for a day is enough.
      const isActive = `EXISTS (SELECT 1 FROM ${r.table} WHERE ${own} AND ${r.day} = ${d.day})`;
      if (ofUsers && isPresence) return [select(d.day, "s.id", "1", `${days} WHERE ${isActive}`)];
      if (ofUsers) return [rollups(days, `= ${d.day}`)];
      if (grain.user) {
        const users = `${days} CROSS JOIN json_each(${d.users}) u WHERE ${d.userDays} <= ${MAX_DAY_USERS}`;
        return [
          select(d.day, beside(d.account, "u.value"), "1", users),
          rollups(`${days} AND ${d.userDays} > ${MAX_DAY_USERS}`, `= ${d.day}`),
        ];
      }
      if (!grain.event && events === null) return [select(d.day, "NULL", d.events, days)];
      const features = `${days} CROSS JOIN json_each(${d.features}) f ${named(beside(d.account, "f.key"))}`;
      // A day with too many features lists none.
      return [
        select(d.day, "NULL", "f.value ->> 0", features),
        rollups(`${days} AND ${d.features} = '{}'`, `= ${d.day}`),
      ];
    }

    return [
      ...(isSummarized
        ? [...summaries(), rollups(accounts, `BETWEEN max(${first}, ${FIRST_UNSUMMARIZED_DAY}) AND ${last}`)]
        : [rollups(`${source} s`, `BETWEEN ${from} AND ${to}`)]),
      `SELECT s.id, tail.account, tail.day, ${grain.user ? "tail.user" : "NULL"}, ${grain.event ? "tail.event" : "NULL"}, 1
  FROM tail CROSS JOIN ${source} s ON s.id = tail.${owner} ${isWithin("tail.account")}
  WHERE tail.day BETWEEN ${from} AND ${to} AND ${events?.("tail.event") ?? "TRUE"}`,
    ].join("\nUNION ALL\n");
  };
}
