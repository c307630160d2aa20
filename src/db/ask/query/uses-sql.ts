/**
 * SQL of uses, that is, the events of accounts and users: summaries for complete days of accounts, rollups for users
 * and later days, messages for the tail of the log. The number of rows read grows with days, users and event names, not
 * with events. Each read also counts against the query's budget.
 *
 * Statements must define the table of accounts or users; `finish` defines `tail`.
 */
import type { Window } from "../../../core/health/model.ts";
import { beside, isSuperseded, lastNumber } from "../../client/sql-fragments.ts";
import { MAX_DAY_USERS } from "../../recompute/account-days-sql.ts";
import { AFTER_ALL_DAYS, tailEvents, tailSize } from "../tail.ts";
import { account, accountDay, eventName, membership, progress, rollup, user, workspaceDay } from "./aliases.ts";
import type { Compiling, EventCondition, Grain } from "./compiler-types.ts";
import type { Read } from "./shared-statement.ts";

/**
 * `tail` has the unfolded events: account, user, event (by name), its key, day, at. `superseded` has the superseded
 * accounts: their events count, but the accounts don't. SQLite runs them only if a statement refers to them.
 */
export const TAIL = `tail AS MATERIALIZED (
  SELECT unfolded.*, ${keyOf("unfolded.event")} AS event_key FROM (${tailEvents(":workspace")}) unfolded
),
superseded AS MATERIALIZED (
  SELECT ${account.number} FROM ${account.table} WHERE ${account.workspace} = :workspace AND ${isSuperseded("account")}
)`;

/** The key of an event in uses: its number, or its name until it has one. Numbers are sorted in half the time. */
export function keyOf(name: string): string {
  return `coalesce((SELECT ${eventName.number} FROM ${eventName.table}
    WHERE ${eventName.workspace} = :workspace AND ${eventName.name} = ${name}), ${name})`;
}

/** Selects uses in a window. */
export type Uses = (window: Window, grain: Grain, events: EventCondition) => string;
type UseSelects = (...selected: Parameters<Uses>) => string[];

export const FIRST_UNSUMMARIZED_DAY = `coalesce(${progress.summarizeFrom}, ${AFTER_ALL_DAYS})`;

/** The number of rows that a workspace has ever numbered, in one seek. Few rows are ever deleted. */
export const countOfAll = (own: { table: string; number: string }): string =>
  `(${lastNumber(own, ":workspace")} - (:workspace << 32))`;

/** A table of accounts or users with `id`, and the same table before filters that need uses. */
interface Subjects {
  table: string;
  unfiltered: string;
}

/** The accounts or the users whose uses are selected. With `users`, only uses in `accounts` count. */
type SubjectsOfUses = { accounts: Subjects; users?: never } | { users: Subjects; accounts?: Subjects };

/** Selects `id`, `account`, `day`, `user`, `event` and `count`. */
export function usesOf(compiling: Compiling, { accounts, users }: SubjectsOfUses): Uses {
  const selects = users === undefined ? usesOfAccounts(compiling, accounts) : usesOfUsers(compiling, users, accounts);
  const subjects = users ?? accounts;
  const key = users === undefined ? "account" : "user";
  const within = users === undefined || accounts === undefined ? "" : isIn("tail.account", accounts.table);
  return ({ from, to }, grain, events) => {
    const window = { from: Math.max(from, compiling.historyFrom ?? from), to };
    compiling.statement.addRead({ upperBound: TAIL_UNITS });
    const [by, event] = [grain.user ? "tail.user" : "NULL", grain.event ? "tail.event_key" : "NULL"];
    return [
      ...selects(window, grain, events),
      `SELECT subject.id, tail.account, tail.day, ${by}, ${event}, 1
  FROM tail CROSS JOIN ${subjects.table} subject ON subject.id = tail.${key} ${within}
  WHERE tail.day BETWEEN ${window.from} AND ${window.to} ${isCounted("tail.event_key", events)}`,
    ].join("\nUNION ALL\n");
  };
}

/** The plus keeps SQLite from seeking each of the accounts in an index, once per user. */
const isIn = (number: string, table: string): string => `AND +${number} IN (SELECT id FROM ${table})`;

/** Whether a row counts. The plus keeps SQLite from reading a name as a number. */
const isCounted = (key: string, events: EventCondition): string =>
  events === null ? "" : `AND ${events.holds(`+${key}`)}`;

type UseColumns = Readonly<Record<"id" | "account" | "day" | "user" | "event" | "count", string>>;

const columns = (use: UseColumns, grain: Grain) =>
  `SELECT ${use.id} AS id, ${use.account} AS account, ${use.day} AS day, ${grain.user ? use.user : "NULL"} AS user,
  ${grain.event ? use.event : "NULL"} AS event, ${use.count} AS count`;

/** Rollups are sorted after they are read, which takes longer than reading them. */
const unitsPerRollup = (events: EventCondition): number => (events?.leavesFew === true ? 1 : 2);
/** Seeking a user's rollups of a day takes as long as reading a few. */
const UNITS_PER_SEEK = 3;
/** The features of a summary are taken out of its JSON, and sorted unless a filter leaves few. */
const unitsPerFeature = (events: EventCondition): number => (events?.leavesFew === true ? 1 : 2.5);
/** The maximum units of an event, which has at most one rollup or one entry of a summary. */
const UNITS_PER_EVENT = 4;
/** A feature takes about 20 bytes of a summary. */
const BYTES_PER_FEATURE = 20;
/** Each selection of uses joins all messages of the tail. */
export const TAIL_UNITS = `6 * ${tailSize(":workspace")}`;

const mostUnits = ({ from, to }: Window): string => `${UNITS_PER_EVENT} * (
  SELECT coalesce(sum(${workspaceDay.events}), 0) FROM ${workspaceDay.table}
  WHERE ${workspaceDay.workspace} = :workspace AND ${workspaceDay.day} BETWEEN ${from} AND ${to})`;

const progressOf = (accounts: string, id = "subject.id"): string =>
  `${accounts} CROSS JOIN ${progress.table} ON ${progress.workspace} = :workspace AND ${progress.account} = ${id}`;
const rollupsIn = (tables: string, inDays: string, id = "subject.id"): string =>
  `${tables} CROSS JOIN ${rollup.table} ON ${rollup.account} = ${id} AND ${rollup.day} ${inDays}`;
const daysIn = (tables: string, { from, to }: Window, id = "subject.id"): string =>
  `${tables} CROSS JOIN ${accountDay.table} ON ${accountDay.account} = ${id}
    AND ${accountDay.day} BETWEEN ${from} AND min(${to}, ${FIRST_UNSUMMARIZED_DAY} - 1)`;
const inUnsummarized = ({ from, to }: Window): string => `BETWEEN max(${from}, ${FIRST_UNSUMMARIZED_DAY}) AND ${to}`;

function usesOfAccounts({ statement }: Compiling, { table, unfiltered }: Subjects): UseSelects {
  return (window, grain, events) => {
    const days = (accounts: string) => daysIn(progressOf(`${accounts} subject`), window);
    const unsummarized = (accounts: string) => rollupsIn(progressOf(`${accounts} subject`), inUnsummarized(window));
    const select = (
      use: Pick<UseColumns, "user" | "event" | "count">,
      tables: string,
      day: string = accountDay.day,
    ): string => `${columns({ id: "subject.id", account: "subject.id", day, ...use }, grain)} FROM ${tables}`;
    const rollups = (tables: string) => select(rollup, `${tables} ${isCounted(rollup.event, events)}`, rollup.day);
    const read = (...counted: NonNullable<Read["counted"]>) =>
      statement.addRead({ upperBound: mostUnits(window), counted });
    const needsEvents = grain.event || events !== null;

    // Summaries have counts by event and lists of users, but not both together.
    if (grain.user && (grain.count || needsEvents)) {
      const all = (accounts: string) => rollupsIn(`${accounts} subject`, `BETWEEN ${window.from} AND ${window.to}`);
      read({ from: all(unfiltered), units: unitsPerRollup(events) });
      return [rollups(all(table))];
    }
    const unread = { from: unsummarized(unfiltered), units: unitsPerRollup(events) };
    if (!grain.user && !needsEvents) {
      read({ from: days(unfiltered), units: 1 }, unread);
      const use = { user: "NULL", event: "NULL", count: accountDay.events };
      return [select(use, days(table)), rollups(unsummarized(table))];
    }
    const { use, list, isUnlisted, units } = LISTS[grain.user ? "users" : "events"];
    const ofDay = `${rollup.account} = ${accountDay.account} AND ${rollup.day} = ${accountDay.day}`;
    const from = `${days(unfiltered)} LEFT JOIN ${rollup.table} ON ${isUnlisted} AND ${ofDay}`;
    read({ from, units: `iif(${isUnlisted}, ${unitsPerRollup(events)}, ${units(events)})` }, unread);
    const listed = `${days(table)} CROSS JOIN json_each(${list}) entry ON NOT ${isUnlisted}`;
    return [
      select(use, `${listed} ${isCounted(use.event, events)}`),
      rollups(`${days(table)} AND ${isUnlisted} CROSS JOIN ${rollup.table} ON ${ofDay}`),
      rollups(unsummarized(table)),
    ];
  };
}

const FEATURES_BYTES = `octet_length(${accountDay.features})`;
interface DayList {
  use: Pick<UseColumns, "user" | "event" | "count">;
  list: string;
  isUnlisted: string;
  /** The cost of reading it for a day. */
  units: (events: EventCondition) => string;
}

/** The lists in the summary of a day. Summaries leave out lists that are too long. */
const LISTS: Readonly<Record<"users" | "events", DayList>> = {
  users: {
    use: { user: beside(accountDay.account, "entry.value"), event: "NULL", count: "1" },
    list: accountDay.users,
    isUnlisted: `${accountDay.userDays} > ${MAX_DAY_USERS}`,
    units: () => `1 + ${accountDay.userDays}`,
  },
  events: {
    use: { user: "NULL", event: beside(accountDay.account, "entry.key"), count: "entry.value ->> 0" },
    list: accountDay.features,
    // An empty object. Comparing the text would load it.
    isUnlisted: `${FEATURES_BYTES} = 2`,
    units: (events) =>
      `1 + ${unitsPerFeature(events)} * min(${accountDay.events}, ${FEATURES_BYTES} / ${BYTES_PER_FEATURE})`,
  },
};

const memberships = (users: string, accounts: string | undefined) =>
  `${users} subject CROSS JOIN ${membership.table} ON ${membership.user} = subject.id
    ${accounts === undefined ? "" : isIn(membership.account, accounts)}`;

/** At most this many users, or one in this many of all users, are sought on each of their accounts' days. */
const FEW_USERS = 20;

/** Users have uses in all their accounts, former ones included. All rollups of an account cost less than seeking most of its users. */
function usesOfUsers({ statement }: Compiling, { table, unfiltered }: Subjects, within?: Subjects): UseSelects {
  const counted = `SELECT 1 FROM (SELECT count(*) AS count FROM ${unfiltered})
    WHERE count <= max(${FEW_USERS}, ${countOfAll(user)} / ${FEW_USERS})`;
  const few = statement.define("few", counted, () => counted);
  const many = statement.define("many", few, () => `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${few})`);
  return (window, grain, events) => {
    const { from, to } = window;
    const select = (tables: string) =>
      `${columns({ ...rollup, id: rollup.user }, grain)} FROM ${tables} ${isCounted(rollup.event, events)}`;
    const sought = (users: string, accounts: string | undefined) =>
      progressOf(
        `${few} CROSS JOIN ${memberships(users, accounts)}
    AND ${membership.firstDay} <= ${to} AND ${membership.lastDay} >= ${from}`,
        membership.account,
      );
    const all = (users: string, accounts: string | undefined) => {
      const sql = `SELECT DISTINCT ${membership.account} AS id FROM ${memberships(users, accounts)}`;
      return rollupsIn(
        `${many} CROSS JOIN ${statement.define("accounts_of_users", sql, () => sql)} subject`,
        `BETWEEN ${from} AND ${to}`,
      );
    };
    const days = (own: string) => daysIn(own, window, membership.account);
    const unsummarized = (own: string) => rollupsIn(own, inUnsummarized(window), membership.account);
    const base = sought(unfiltered, within?.unfiltered);
    statement.addRead({
      // A day of few events may have more users to seek.
      upperBound: `iif(EXISTS (SELECT 1 FROM ${few}), 1e9, ${mostUnits(window)})`,
      counted: [
        { from: days(base), units: UNITS_PER_SEEK },
        { from: unsummarized(base), units: unitsPerRollup(events) },
        { from: all(unfiltered, within?.unfiltered), units: unitsPerRollup(events) },
      ],
    });
    const own = sought(table, within?.table);
    const ofUser = `AND ${rollup.user} = subject.id`;
    return [
      select(`${rollupsIn(days(own), `= ${accountDay.day}`, membership.account)} ${ofUser}`),
      select(`${unsummarized(own)} ${ofUser}`),
      select(`${all(table, within?.table)} ${isIn(rollup.user, table)}`),
    ];
  };
}
