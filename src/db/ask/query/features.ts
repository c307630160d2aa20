/** Compiles queries about features: the event names of the workspace, and who used them. */
import { type Filter, MAX_ROWS } from "../../../core/ask/query/model.ts";
import { daysOf } from "../../../core/ask/query/windows.ts";
import type { Cell } from "../../../core/ask/query/result.ts";
import type { Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { statement } from "../../client/statements.ts";
import { eventNames } from "../../schema/schema.ts";
import { meets } from "./dimension-sql.ts";
import { type Compiled, decoded, namedDimension } from "./entities.ts";
import { featureOf } from "./entity-columns.ts";
import { type Compiling, COUNTS, Tables, windowOf } from "./tables.ts";

const e = columnsOf(eventNames, "e");

interface FeatureRow {
  name: string;
  value: Cell;
  before: number | null;
  total: number;
}

/** What is read of each feature, over the accounts or the user that the query is about. */
const VALUES = {
  events: { sql: COUNTS.events.sql, grain: { user: false, event: true, count: true } },
  active_users: { sql: COUNTS.active_users.sql, grain: { user: true, event: true, count: true } },
  active_accounts: { sql: COUNTS.active_accounts.sql, grain: { user: false, event: true, count: true } },
  active_days: { sql: COUNTS.active_days.sql, grain: { user: false, event: true, count: true } },
  first_seen: { sql: "min(day)", grain: { user: false, event: true, count: true } },
  last_seen: { sql: "max(day)", grain: { user: false, event: true, count: true } },
} as const;

const isValue = (name: string): name is keyof typeof VALUES => Object.hasOwn(VALUES, name);

/** Lists features. How many there are is the list's `total`. */
export function compileFeatures(compiling: Compiling, before: Compiling | null): Compiled<FeatureRow> {
  const { query, values, lookups } = compiling;
  const { measure, order } = query;
  const ofUser = query.where.some(({ dimension }) => dimension === "user");
  const tables = new Tables(compiling, ofUser ? "users" : "accounts");
  for (const filter of query.where) if (isOwn(filter.dimension)) tables.require(conditionOf(tables, filter));
  const value = measure === undefined ? "NULL" : valueOfFeature(tables, measure, compiling.window);
  const previous = measure === undefined || before === null ? "NULL" : valueOfFeature(tables, measure, before.window);
  const by = order?.by ?? measure ?? "name";
  const direction = (order?.direction ?? (by === "name" ? "up" : "down")) === "up" ? "ASC" : "DESC";
  const key = sortKey(tables, by, { value, previous });
  const sql = `${tables.head()}
SELECT n.name, ${value} AS value, ${previous} AS before, count(*) OVER () AS total
FROM (SELECT ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1 UNION SELECT event FROM tail) n
  ${tables.joins("n.name")}
${tables.where()}
ORDER BY (${key}) IS NULL, ${key} ${direction}, n.name LIMIT ${query.limit ?? MAX_ROWS}`;
  const isDate = measure === "first_seen" || measure === "last_seen";
  return {
    statement: statement<FeatureRow>(sql, values.json(), lookups.now),
    read: (rows) => ({
      rows: rows.map((row) => ({
        entity: featureOf(row.name),
        ...(measure !== undefined && { value: decoded(row.value, isDate ? "date" : "number") }),
        ...(before !== null && { before: row.before }),
      })),
      total: rows[0]?.total ?? 0,
      matched: rows[0]?.total ?? 0,
    }),
  };
}

function sortKey(tables: Tables, by: string, { value, previous }: { value: string; previous: string }): string {
  if (by === "name") return "n.name";
  if (by === "change") return `${value} - ${previous}`;
  return by === tables.compiling.query.measure ? value : valueOfFeature(tables, by, tables.compiling.window);
}

/** Filters on the features themselves. The others choose the accounts or the user whose uses count. */
const isOwn = (dimension: string): boolean =>
  dimension === "event" || dimension === "active" || dimension === "adoption" || isValue(dimension);

function conditionOf(tables: Tables, filter: Filter): string {
  const { compiling } = tables;
  const { dimension: name } = filter;
  const window = filter.window === undefined ? compiling.window : windowOf(filter.window, compiling);
  const value = name === "event" ? "n.name" : valueOfFeature(tables, name, window);
  return meets(value, namedDimension(compiling, name), filter, compiling.values, compiling.lookups);
}

function valueOfFeature(tables: Tables, name: string, window: Window): string {
  if (name === "active") return `(${valueOfFeature(tables, "events", window)} > 0)`;
  if (name === "adoption") {
    const uses = tables.uses({ window, grain: COUNTS.active_accounts.grain, events: null });
    return `(100.0 * ${valueOfFeature(tables, "active_accounts", window)} / nullif((SELECT count(DISTINCT id) FROM (${uses})), 0))`;
  }
  if (!isValue(name)) throw new Error(`Features have no ${name}.`);
  const { sql, grain } = VALUES[name];
  const isBound = name === "first_seen" || name === "last_seen";
  const uses = tables.uses({ window: isBound ? recorded(tables) : window, grain, events: null });
  const table = tables.table(`SELECT event AS id, ${sql} AS value FROM (${uses}) GROUP BY event`);
  return isBound ? `${table}.value` : `coalesce(${table}.value, 0)`;
}

const recorded = ({ compiling: { lookups } }: Tables): Window => daysOf({ all: true }, lookups.today);
