/**
 * Builds a selection of accounts, users, features or items: a table of the subjects that meet the filters on current
 * values, then a table of the subjects that also meet the filters on activity and changes. Counts of the same days and
 * each past value have tables of their own. Parts of a query with the same filters share all of them.
 */
import type { Filter } from "../../../core/ask/query/model.ts";
import type { Window } from "../../../core/health/model.ts";
import { selectList } from "../../client/prepare.ts";
import type { Compiling, Count, Counts, EventCondition, Subject } from "./compiler-types.ts";
import { ENTITIES, type Owner, readOf, unitsOf } from "./entities.ts";
import { type Uses, usesOf } from "./uses-sql.ts";

/** The events that a query about events or features counts. */
export interface EventScope {
  /** The table that chooses them. */
  name: string;
  uses: Uses;
}

/** Selects the uses of each feature. */
const usesOfFeatures =
  ({ uses }: EventScope): Uses =>
  (window, grain, events) =>
    `SELECT event AS id, account, day, user, event, count FROM (${uses(window, { ...grain, event: true }, events)})`;

/**
 * @param chosen the filters on current values, and their conditions in SQL
 * @param scope the events by which features are counted
 */
export function newSelection(
  compiling: Compiling,
  owner: Owner,
  chosen: { filters: readonly Filter[]; conditions: readonly string[] },
  scope: EventScope | null,
) {
  const { statement, subjects } = compiling;
  const { from, numbered, sought, ...keys } = ENTITIES[owner];
  const rows = [from, ...chosen.conditions].join("\n  AND ");
  const subjectKey = [owner, scope?.name, ...chosen.conditions].join(" ");
  const subject: Subject = subjects.get(subjectKey) ?? { name: "", columns: new Map(), units: 0, counts: new Map() };
  const { columns, counts } = subject;
  subjects.set(subjectKey, subject);
  subject.name ||= statement.define("subject", subjectKey, () => {
    statement.addRead(readOf({ numbered, sought }, rows, chosen.filters, subject.units));
    const own = Object.fromEntries(Array.from(columns, ([sql, column]) => [column, sql]));
    return `SELECT ${selectList({ ...keys, ...own })} FROM ${rows}`;
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
      if (known !== undefined) return `subject.${known}`;
      const column = `c${columns.size}`;
      columns.set(sql, column);
      subject.units += unitsOf(read);
      return `subject.${column}`;
    },
    /**
     * Adds a table by the subjects' ids, or by another value of them, unless one with the same key was added.
     * @returns its name. It has `id` and `value`
     */
    join(key: string, on = "subject.id", sql = () => key): string {
      const table = statement.define("t", key, sql);
      joins.set(table, on);
      return table;
    },
    /** Adds an aggregate of the uses of each subject. @returns the SQL of its value, NULL without uses */
    count(window: Window, { sql, where, grain }: Count, only: EventCondition): string {
      const needsEvents = grain.event || only !== null;
      // Users are always counted from rollups, whatever the grain. Accounts and features have coarse summaries.
      const grains = owner === "users" ? [] : [grain.user, needsEvents];
      const countKey = [name, window.from, window.to, ...grains].join(" ");
      const known = counts.get(countKey) ?? { grain, aggregates: [] };
      const { aggregates } = known;
      known.grain = {
        user: known.grain.user || grain.user,
        count: known.grain.count || grain.count,
        event: known.grain.event || needsEvents,
      };
      counts.set(countKey, known);
      const table = statement.define("t", countKey, () => countsOf(uses, window, known));
      joins.set(table, "subject.id");
      const events = only?.holds("event") ?? "";
      const found = aggregates.findIndex((each) => each.sql === sql && each.events === events);
      const added = { sql, events, only, ...(where !== undefined && { where }) };
      return `${table}.v${found === -1 ? aggregates.push(added) - 1 : found}`;
    },
    /** Adds a condition over `subject` and the tables. */
    require: (sql: string): unknown => conditions.push(sql),
    uses,
    /** Selects the uses of all features together, if the selection is of features. */
    allUses: scope?.uses ?? uses,
    /**
     * Defines the table of the subjects that meet all conditions, with `id`, `name`, `account`, `user` and columns over
     * `subject` and the tables. @returns its name
     */
    select(shown: Readonly<Record<string, string>>): string {
      const joined = Array.from(joins, ([table, on]) => `LEFT JOIN ${table} ON ${table}.id = ${on}`);
      const sql = `
  SELECT ${selectList({ ...SUBJECT, ...shown })} FROM ${[`${name} subject`, ...joined].join("\n  ")}
  WHERE ${["TRUE", ...conditions].join("\n  AND ")}`;
      return statement.define("matched", sql, () => sql);
    },
  };
}

/** The columns that each row of a selection has for its subject. */
const SUBJECT = { id: "subject.id", name: "subject.name", account: "subject.account", user: "subject.user" };

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
      : {
          holds: (event) => `(${[...new Set(lists.map(({ holds }) => holds(event)))].join(" OR ")})`,
          leavesFew: lists.every(({ leavesFew }) => leavesFew),
        };
  return `SELECT id, ${columns.join(", ")} FROM (${uses(window, grain, any)}) GROUP BY id`;
}
