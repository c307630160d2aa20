/**
 * Builds a selection of accounts, users, features or items: a table of the subjects that meet the filters on current
 * values, then one of those that also meet the filters on activity and changes. Counts of the same days and each past
 * value have tables of their own. Parts of a query with the same filters share all of them.
 */
import { isTraitName } from "../../../core/ask/query/dimensions.ts";
import type { Filter, Find } from "../../../core/ask/query/model.ts";
import type { Window } from "../../../core/health/model.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { a, aliased, e, h, i, k, u } from "./aliases.ts";
import type { Compiling, Count, Counts, EventCondition, Subject } from "./compiling.ts";
import type { Read } from "./shared-statement.ts";
import { countOfAll, type Uses, usesOf } from "./uses-sql.ts";

export type Owner = Exclude<Find, "events">;

const HEALTH = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
const accountWithHealth = (number: string): string => `LEFT JOIN ${a.table} ON ${a.number} = ${number} ${HEALTH}`;

interface Entities {
  /** Its table. */
  numbered: { table: string; number: string };
  /** The dimensions whose values an index finds. */
  sought: readonly string[];
}

/** A trait has a row of its own. A value in the row of its subject takes half the time of a row. */
export const unitsOf = (name: string): number => (isTraitName(name) ? 1 : 0.5);

/** What a query reads to find entities by their current values, and for each one `units` more. */
export function readOf(
  { numbered, sought }: Pick<Entities, "numbered" | "sought">,
  from: string,
  filters: readonly Filter[],
  units: number,
): Read {
  const each = 1 + units + filters.reduce((sum, { dimension }) => sum + unitsOf(dimension), 0);
  // The index of items has only those that aren't resolved.
  const isSought = filters.some(
    ({ dimension, is, in: several }) => sought.includes(dimension) && (is ?? several ?? "resolved") !== "resolved",
  );
  return { upperBound: `${countOfAll(numbered)} * ${each}`, ...(isSought && { counted: [{ from, units: each }] }) };
}

/** What a query can find: the names that rows are sorted by, the accounts and users that they belong to, the tables. */
const ENTITIES: Readonly<Record<Owner, Record<"id" | "name" | "account" | "user" | "from", string> & Entities>> = {
  accounts: {
    id: a.number,
    name: a.externalId,
    account: a.number,
    user: "NULL",
    from: `${a.table} ${HEALTH} WHERE ${a.workspace} = ?1`,
    numbered: a,
    sought: ["account"],
  },
  users: {
    id: u.number,
    name: u.externalId,
    account: u.account,
    user: u.number,
    from: `${u.table} ${accountWithHealth(u.account)} WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)}`,
    numbered: u,
    sought: ["user"],
  },
  items: {
    id: i.number,
    // Among items of the same rank, the newest come first.
    name: `-${i.number}`,
    account: i.account,
    user: `iif(${i.kind} = 'key_user_quiet', CAST(${i.subject} AS INTEGER), NULL)`,
    from: `${i.table} LEFT JOIN ${k.table} ON ${k.item} = ${i.number} ${accountWithHealth(i.account)} WHERE ${i.workspace} = ?1`,
    numbered: i,
    sought: ["account", "status"],
  },
  features: {
    id: "n.event_key",
    name: "n.name",
    account: "NULL",
    user: "NULL",
    from: `(SELECT ${e.number} AS event_key, ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1
      UNION SELECT event_key, event FROM tail) n WHERE TRUE`,
    numbered: e,
    sought: [],
  },
};

/** The events that a query about events or features counts. */
export interface Scope {
  /** The table that chooses them. */
  name: string;
  uses: Uses;
}

/** Selects the uses of each feature. */
const usesOfFeatures =
  ({ uses }: Scope): Uses =>
  (window, grain, events) =>
    `SELECT event AS id, account, day, user, event, count FROM (${uses(window, { ...grain, event: true }, events)})`;

/**
 * @param chosen the filters on current values, and their conditions in SQL, each with an `AND`
 * @param scope the events by which features are counted
 */
export function newSelection(
  compiling: Compiling,
  owner: Owner,
  chosen: { filters: readonly Filter[]; conditions: string },
  scope: Scope | null,
) {
  const { statement, subjects } = compiling;
  const { from, numbered, sought, ...keys } = ENTITIES[owner];
  const rows = `${from} ${chosen.conditions}`;
  const subjectKey = [owner, scope?.name, chosen.conditions].join(" ");
  const subject: Subject = subjects.get(subjectKey) ?? { name: "", columns: new Map(), units: 0, counts: new Map() };
  const { columns, counts } = subject;
  subjects.set(subjectKey, subject);
  subject.name ||= statement.define("subject", subjectKey, () => {
    statement.addRead(readOf({ numbered, sought }, rows, chosen.filters, subject.units));
    const own = Object.fromEntries(Array.from(columns, ([sql, column]) => [column, sql]));
    return `SELECT ${aliased({ ...keys, ...own })} FROM ${rows}`;
  });
  const { name } = subject;
  const joins = new Map<string, string>();
  const conditions: string[] = [];
  const whole = { table: name, unfiltered: name };
  const uses =
    scope === null
      ? usesOf(compiling, owner === "accounts" ? { accounts: whole } : { users: whole })
      : usesOfFeatures(scope);
  return {
    subject: name,
    compiling,
    owner,
    /** Adds a column to the subjects, which reads the value called `read`. @returns its SQL */
    column(sql: string, read = ""): string {
      const known = columns.get(sql);
      if (known !== undefined) return `s.${known}`;
      const column = `c${columns.size}`;
      columns.set(sql, column);
      subject.units += unitsOf(read);
      return `s.${column}`;
    },
    /**
     * Adds a table by the subjects' ids, or by another value of them, unless one with the same key was added.
     * @returns its name. It has `id` and `value`
     */
    join(key: string, on = "s.id", sql = () => key): string {
      const table = statement.define("t", key, sql);
      joins.set(table, on);
      return table;
    },
    /** Adds an aggregate of the uses of each subject. @returns the SQL of its value, NULL without uses */
    count(window: Window, { sql, where, grain }: Count, only: EventCondition): string {
      const needsEvents = grain.event || only !== null;
      // Users are always counted from rollups, whatever the grain. Of accounts and features, coarse grains have summaries.
      const grains = owner === "users" ? [] : [grain.user, needsEvents];
      const countKey = [name, window.from, window.to, ...grains].join(" ");
      const known = counts.get(countKey) ?? { grain, aggregates: [] };
      const { aggregates } = known;
      const [user, count] = [known.grain.user || grain.user, known.grain.count || grain.count];
      known.grain = { user, count, event: known.grain.event || needsEvents };
      counts.set(countKey, known);
      const table = statement.define("t", countKey, () => countsOf(uses, window, known));
      joins.set(table, "s.id");
      const events = only?.("event") ?? "";
      const found = aggregates.findIndex((each) => each.sql === sql && each.events === events);
      const added = { sql, events, only, ...(where !== undefined && { where }) };
      return `${table}.v${found === -1 ? aggregates.push(added) - 1 : found}`;
    },
    /** Adds a condition over `s` and the tables. */
    require: (sql: string): unknown => conditions.push(sql),
    uses,
    /** Selects the uses of all features together, if the selection is of features. */
    allUses: scope?.uses ?? uses,
    /**
     * Defines the table of what meets all conditions, with `id`, `name`, `account`, `user` and columns over `s` and the
     * tables. @returns its name
     */
    select(shown: Readonly<Record<string, string>>): string {
      const joined = Array.from(joins, ([table, on]) => `LEFT JOIN ${table} ON ${table}.id = ${on}`);
      const all = { id: "s.id", name: "s.name", account: "s.account", user: "s.user", ...shown };
      const sql = `
  SELECT ${aliased(all)} FROM ${[`${name} s`, ...joined].join("\n  ")}
  WHERE ${["TRUE", ...conditions].join("\n  AND ")}`;
      return statement.define("matched", sql, () => sql);
    },
  };
}
export type Selection = ReturnType<typeof newSelection>;

/** Reads uses once for several aggregates. */
function countsOf(uses: Uses, window: Window, { grain, aggregates }: Counts): string {
  const isMixed = new Set(aggregates.map(({ events }) => events)).size > 1;
  const columns = aggregates.map(({ sql, where, events }, index) => {
    const conditions = [where ?? "", isMixed ? events : ""].filter((condition) => condition !== "");
    return `${sql}${conditions.length > 0 ? ` FILTER (WHERE ${conditions.join(" AND ")})` : ""} AS v${index}`;
  });
  const lists = aggregates.flatMap(({ only }) => only ?? []);
  const any: EventCondition =
    lists.length < aggregates.length
      ? null
      : (event) => `(${[...new Set(lists.map((list) => list(event)))].join(" OR ")})`;
  return `SELECT id, ${columns.join(", ")} FROM (${uses(window, grain, any)}) GROUP BY id`;
}
