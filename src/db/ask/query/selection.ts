/**
 * Builds a selection of accounts, users, features or items: a table of the subjects that meet the filters on current
 * values, then one of those that also meet the filters on activity and changes. Counts of the same days and each past
 * value have tables of their own. Parts of a query with the same filters share all of them.
 */
import type { Find } from "../../../core/ask/query/model.ts";
import type { Window } from "../../../core/health/model.ts";
import { lastNumber } from "../../client/sql-fragments.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { a, e, h, i, k, u } from "./aliases.ts";
import type { Compiling, Count, Counts, EventCondition, Subject } from "./compiling.ts";
import type { Read } from "./shared-statement.ts";
import { type Uses, usesOf } from "./uses-sql.ts";

export type Owner = Exclude<Find, "events">;

const HEALTH = `LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;
const accountWithHealth = (number: string): string => `LEFT JOIN ${a.table} ON ${a.number} = ${number} ${HEALTH}`;

/** How many rows a workspace has numbered, in one seek. Hardly any is ever deleted. */
export const countOfAll = (own: { table: string; number: string }): string => `(${lastNumber(own, "?1")} - (?1 << 32))`;

/** What a query can find: the names that rows are sorted by, the accounts and users that they belong to, the tables. */
const SOURCES: Readonly<Record<Owner, Record<"id" | "name" | "account" | "user" | "from" | "entities", string>>> = {
  accounts: {
    id: a.number,
    name: a.externalId,
    account: a.number,
    user: "NULL",
    from: `${a.table} ${HEALTH} WHERE ${a.workspace} = ?1`,
    entities: countOfAll(a),
  },
  users: {
    id: u.number,
    name: u.externalId,
    account: u.account,
    user: u.number,
    from: `${u.table} ${accountWithHealth(u.account)} WHERE ${u.workspace} = ?1 AND ${isNotErased(u.externalId)}`,
    entities: countOfAll(u),
  },
  items: {
    id: i.number,
    // Among items of the same rank, the newest come first.
    name: `-${i.number}`,
    account: i.account,
    user: `iif(${i.kind} = 'key_user_quiet', CAST(${i.subject} AS INTEGER), NULL)`,
    from: `${i.table} LEFT JOIN ${k.table} ON ${k.item} = ${i.number} ${accountWithHealth(i.account)} WHERE ${i.workspace} = ?1`,
    entities: countOfAll(i),
  },
  features: {
    id: "n.event_key",
    name: "n.name",
    account: "NULL",
    user: "NULL",
    from: `(SELECT ${e.number} AS event_key, ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1
      UNION SELECT event_key, event FROM tail) n WHERE TRUE`,
    entities: countOfAll(e),
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

/** @param columns SQL by column name */
const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");

/**
 * @param filters conditions of the subjects in SQL, each with an `AND`
 * @param filterCount how many conditions there are
 * @param scope the events by which features are counted
 */
export function newSelection(
  compiling: Compiling,
  owner: Owner,
  { filters, filterCount }: { filters: string; filterCount: number },
  scope: Scope | null,
) {
  const { statement, subjects } = compiling;
  const { from, entities, ...keys } = SOURCES[owner];
  const key = [owner, scope?.name, filters].join(" ");
  const subject: Subject = subjects.get(key) ?? { name: "", columns: new Map(), counts: new Map() };
  const { columns, counts } = subject;
  subjects.set(key, subject);
  subject.name ||= statement.define("subject", key, () => {
    statement.addRead({ most: `${entities} * ${1 + filterCount}` });
    const own = Object.fromEntries(Array.from(columns, ([sql, column]) => [column, sql]));
    return `SELECT ${aliased({ ...keys, ...own })} FROM ${from} ${filters}`;
  });
  const { name } = subject;
  const joins = new Map<string, string>();
  const conditions: string[] = [];
  const source = { table: name, base: name };
  const uses =
    scope === null
      ? usesOf(compiling, owner === "accounts" ? { accounts: source } : { users: source })
      : usesOfFeatures(scope);
  return {
    subject: name,
    compiling,
    owner,
    /** Adds a column to the subjects. @returns its SQL */
    column(sql: string): string {
      const column = columns.get(sql) ?? `c${columns.size}`;
      columns.set(sql, column);
      return `s.${column}`;
    },
    /** Adds a table by the subjects' ids, or by another value of them. @returns the SQL of its value */
    join(sql: string, on = "s.id", read: Read | null = null): string {
      const table = statement.define("t", sql, () => {
        if (read !== null) statement.addRead(read);
        return sql;
      });
      joins.set(table, on);
      return `${table}.value`;
    },
    /** Adds an aggregate of the uses of each subject. @returns the SQL of its value, NULL without uses */
    count(window: Window, { sql, where, grain }: Count, only: EventCondition): string {
      const needsEvents = grain.event || only !== null;
      // Users are always counted from rollups, whatever the grain. Of accounts and features, coarse grains have summaries.
      const grains = owner === "users" ? [] : [grain.user, needsEvents];
      const place = [name, window.from, window.to, ...grains].join(" ");
      const known = counts.get(place) ?? { grain, aggregates: [] };
      const { aggregates } = known;
      const [user, count] = [known.grain.user || grain.user, known.grain.count || grain.count];
      known.grain = { user, count, event: known.grain.event || needsEvents };
      counts.set(place, known);
      const table = statement.define("t", place, () => countsOf(uses, window, known));
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
  const columns = aggregates.map(({ sql, where, events }, place) => {
    const conditions = [where ?? "", isMixed ? events : ""].filter((condition) => condition !== "");
    return `${sql}${conditions.length > 0 ? ` FILTER (WHERE ${conditions.join(" AND ")})` : ""} AS v${place}`;
  });
  const lists = aggregates.flatMap(({ only }) => only ?? []);
  const any: EventCondition =
    lists.length < aggregates.length
      ? null
      : (event) => `(${[...new Set(lists.map((list) => list(event)))].join(" OR ")})`;
  return `SELECT id, ${columns.join(", ")} FROM (${uses(window, grain, any)}) GROUP BY id`;
}
