/**
 * SQL of uses, that is, the events of accounts and users: summaries for complete days of accounts, rollups for users and
 * later days, messages for the tail of the log. The number of rows read grows with days, users and event names, not with
 * events. What is read is also counted against the budget of the query.
 *
 * ?1 is the workspace's number. Statements must define `tail` and the table of accounts or users.
 */
import type { Window } from "../../../core/health/model.ts";
import { beside, isSuperseded } from "../../client/sql-fragments.ts";
import { MAX_DAY_USERS } from "../../recompute/account-days-sql.ts";
import { AFTER_ALL_DAYS, TAIL_EVENTS } from "../tail.ts";
import { a, b, d, e, r, ua, w } from "./aliases.ts";
import type { Compiling, EventCondition, Grain } from "./compiling.ts";
import { COUNTED } from "./shared-statement.ts";

/**
 * `tail` has the unfolded events: account, user, event (by name), its key, day, at. `superseded` has the superseded
 * accounts: their events count, but the accounts don't. SQLite runs them only if a statement refers to them.
 */
export const TAIL = `tail AS MATERIALIZED (SELECT t.*, ${keyOf("t.event")} AS event_key FROM (${TAIL_EVENTS}) t),
superseded AS MATERIALIZED (SELECT ${a.number} FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${isSuperseded("a")})`;

/** The key of an event in uses: its number, or its name until it has one. Numbers are sorted in half the time. */
export function keyOf(name: string): string {
  return `coalesce((SELECT ${e.number} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.name} = ${name}), ${name})`;
}

/** Selects uses in a window. */
export type Uses = (window: Window, grain: Grain, events: EventCondition) => string;
type Parts = (...selected: Parameters<Uses>) => string[];

const FIRST_UNSUMMARIZED_DAY = `coalesce(${b.summarizeFrom}, ${AFTER_ALL_DAYS})`;

/** A table of accounts or users, which has `id`, and the table that it is taken from without reading uses. */
interface Source {
  table: string;
  base: string;
}

/** The accounts whose uses are selected, or the users. `accounts` beside `users` are the accounts that count for them. */
type Sources = { accounts: Source; users?: never } | { users: Source; accounts?: Source };

/** Selects `id`, `account`, `day`, `user`, `event` and `count`. */
export function usesOf(compiling: Compiling, { accounts, users }: Sources): Uses {
  const parts = users === undefined ? usesOfAccounts(compiling, accounts) : usesOfUsers(compiling, users, accounts);
  const source = users ?? accounts;
  const within = users === undefined || accounts === undefined ? "" : isIn("tail.account", accounts.table);
  return (window, grain, events) =>
    [
      ...parts(window, grain, events),
      `SELECT s.id, tail.account, tail.day, ${grain.user ? "tail.user" : "NULL"}, ${grain.event ? "tail.event_key" : "NULL"}, 1
  FROM tail CROSS JOIN ${source.table} s ON s.id = tail.${users === undefined ? "account" : "user"} ${within}
  WHERE tail.day BETWEEN ${window.from} AND ${window.to} ${counts("tail.event_key", events)}`,
    ].join("\nUNION ALL\n");
}

const isIn = (account: string, table: string): string => `AND ${account} IN (SELECT id FROM ${table})`;

/** Whether a row counts. The plus keeps SQLite from reading a name as a number. */
const counts = (key: string, events: EventCondition): string => (events === null ? "" : `AND ${events(`+${key}`)}`);

type UseColumns = Readonly<Record<"id" | "account" | "day" | "user" | "event" | "count", string>>;

const columns = ({ id, account, day, user, event, count }: UseColumns, grain: Grain) =>
  `SELECT ${id} AS id, ${account} AS account, ${day} AS day, ${grain.user ? user : "NULL"} AS user,
  ${grain.event ? event : "NULL"} AS event, ${count} AS count`;

/** Rollups are sorted after they are read, which takes longer than reading them. */
const UNITS_PER_ROLLUP = 2;
/** The most units that an event takes: the one rollup or the one entry of a summary that it may have. */
const UNITS_PER_EVENT = 3;
/** A feature takes 20 bytes of a summary or more, and two units. */
const BYTES_PER_UNIT = 10;

const mostEvents = ({ from, to }: Window): string => `${UNITS_PER_EVENT} * (
  SELECT coalesce(sum(${w.events}), 0) FROM ${w.table} WHERE ${w.workspace} = ?1 AND ${w.day} BETWEEN ${from} AND ${to})`;

const progress = (source: string): string =>
  `${source} s CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = s.id`;
const rollupsIn = (tables: string, inDays: string): string =>
  `${tables} CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} ${inDays}`;

function usesOfAccounts({ statement }: Compiling, { table, base }: Source): Parts {
  return (window, grain, events) => {
    const { from, to } = window;
    const days = (source: string) => `${progress(source)}
  CROSS JOIN ${d.table} ON ${d.account} = s.id AND ${d.day} BETWEEN ${from} AND min(${to}, ${FIRST_UNSUMMARIZED_DAY} - 1)`;
    const unsummarized = (source: string) =>
      rollupsIn(progress(source), `BETWEEN max(${from}, ${FIRST_UNSUMMARIZED_DAY}) AND ${to}`);
    const select = (use: Pick<UseColumns, "user" | "event" | "count">, tables: string, day: string = d.day): string =>
      `${columns({ id: "s.id", account: "s.id", day, ...use }, grain)} FROM ${tables}`;
    const rollups = (source: string) => select(r, `${source} ${counts(r.event, events)}`, r.day);
    const read = (...rows: readonly string[]) => statement.addRead({ most: mostEvents(window), rows });
    const readRollups = (source: string) => `SELECT ${UNITS_PER_ROLLUP} AS units FROM ${source}`;
    const needsEvents = grain.event || events !== null;

    // Summaries have counts by event and lists of users, but not both together.
    if (grain.user && (grain.count || needsEvents)) {
      const all = (source: string) => rollupsIn(`${source} s`, `BETWEEN ${from} AND ${to}`);
      read(readRollups(all(base)));
      return [rollups(all(table))];
    }
    const units = grain.user
      ? `1 + ${d.userDays}`
      : needsEvents
        ? `iif(${d.features} = '{}', ${UNITS_PER_ROLLUP} * ${d.events}, 1 + octet_length(${d.features}) / ${BYTES_PER_UNIT})`
        : "1";
    read(`SELECT ${units} AS units FROM ${days(base)}`, readRollups(unsummarized(base)));
    return [...summaries(days(table)), rollups(unsummarized(table))];

    function summaries(source: string): string[] {
      if (grain.user) {
        const users = `${source} CROSS JOIN json_each(${d.users}) u WHERE ${d.userDays} <= ${MAX_DAY_USERS}`;
        return [
          select({ user: beside(d.account, "u.value"), event: "NULL", count: "1" }, users),
          rollups(rollupsIn(`${source} AND ${d.userDays} > ${MAX_DAY_USERS}`, `= ${d.day}`)),
        ];
      }
      if (!needsEvents) return [select({ user: "NULL", event: "NULL", count: d.events }, source)];
      const feature = beside(d.account, "f.key");
      // A day with too many features lists none.
      return [
        select(
          { user: "NULL", event: feature, count: "f.value ->> 0" },
          `${source} CROSS JOIN json_each(${d.features}) f ON TRUE ${counts(feature, events)}`,
        ),
        rollups(rollupsIn(`${source} AND ${d.features} = '{}'`, `= ${d.day}`)),
      ];
    }
  };
}

const memberships = (source: string, condition: string): string =>
  `${source} s CROSS JOIN ${ua.table} ON ${ua.user} = s.id ${condition}`;

/** Users have uses in all their accounts, former ones included. */
function usesOfUsers(compiling: Compiling, { table, base }: Source, within: Source | undefined): Parts {
  const { statement, query } = compiling;
  // A named user is sought on each day of the user's accounts. All rollups of an account cost less for all its users.
  const isNamed = query.where.some(({ dimension, isNot }) => dimension === "user" && isNot === undefined);
  const accountsOf = (source: string, account: string) => {
    const sql = `SELECT DISTINCT ${ua.account} AS id FROM ${memberships(source, account)}`;
    return statement.define("homes", sql, () => sql);
  };
  return (window, grain, events) => {
    const { from, to } = window;
    const inAccounts = within === undefined ? "" : isIn(ua.account, within.table);
    const select = (tables: string) =>
      `${columns({ ...r, id: r.user }, grain)} FROM ${tables} ${counts(r.event, events)}`;
    if (isNamed) {
      const own = (
        source: string,
        inAll: string,
      ) => `${memberships(source, `AND ${ua.firstDay} <= ${to} AND ${ua.lastDay} >= ${from} ${inAll}`)}
    CROSS JOIN ${b.table} ON ${b.workspace} = ?1 AND ${b.account} = ${ua.account}`;
      const days = (source: string) => `${source} CROSS JOIN ${d.table} ON ${d.account} = ${ua.account}
    AND ${d.day} BETWEEN ${from} AND min(${to}, ${FIRST_UNSUMMARIZED_DAY} - 1)`;
      const rollups = (tables: string, inDays: string) =>
        select(
          `${tables} CROSS JOIN ${r.table} ON ${r.account} = ${ua.account} AND ${r.user} = s.id AND ${r.day} ${inDays}`,
        );
      statement.addRead({ most: COUNTED, rows: [`SELECT 1 AS units FROM ${days(own(base, ""))}`] });
      const chosen = own(table, inAccounts);
      return [
        rollups(days(chosen), `= ${d.day}`),
        rollups(chosen, `BETWEEN max(${from}, ${FIRST_UNSUMMARIZED_DAY}) AND ${to}`),
      ];
    }
    const rollupsOf = (accounts: string) =>
      `${accounts} s CROSS JOIN ${r.table} ON ${r.account} = s.id AND ${r.day} BETWEEN ${from} AND ${to}`;
    const read = rollupsOf(accountsOf(base, within === undefined ? "" : isIn(ua.account, within.base)));
    statement.addRead({ most: mostEvents(window), rows: [`SELECT ${UNITS_PER_ROLLUP} AS units FROM ${read}`] });
    return [select(`${rollupsOf(accountsOf(table, inAccounts))} ${isIn(r.user, table)}`)];
  };
}
