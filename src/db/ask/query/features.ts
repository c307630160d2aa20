/** Compiles queries about features: the event names of the workspace, and who used them. */
import { type Filter, MAX_ROWS } from "../../../core/ask/query/model.ts";
import { daysOf } from "../../../core/ask/query/windows.ts";
import type { Cell } from "../../../core/ask/query/result.ts";
import type { Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { eventNames } from "../../schema/schema.ts";
import { meets } from "./dimension-sql.ts";
import { featureOf } from "./entity-columns.ts";
import { type Compiled, decoded } from "./groups.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { COUNTS, isCount, windowOf } from "./measures.ts";
import { type Compiling, Joins, namedDimension } from "./tables.ts";

const e = columnsOf(eventNames, "e");

interface FeatureRow {
  name: string;
  value: Cell;
  before: number | null;
  total: number;
}

/** Lists features, or counts them. */
export function compileFeatures(compiling: Compiling, before: Compiling | null): Compiled<FeatureRow> {
  const { query, values } = compiling;
  const { measure, order } = query;
  const isOwn = ({ dimension }: Filter) =>
    dimension === "event" || !namedDimension(compiling, dimension).of.includes("events");
  const scope = scopeOf(
    compiling,
    query.where.filter((filter) => !isOwn(filter)),
    undefined,
  );
  const features: Features = { joins: new Joins("f"), scope, compiling };
  const conditions = query.where.filter(isOwn).map((filter) => conditionOf(features, filter));
  const value = measure === undefined ? "NULL" : valueOfFeature(features, measure, compiling.window);
  const previous = measure === undefined || before === null ? "NULL" : valueOfFeature(features, measure, before.window);
  const by = order?.by ?? measure;
  const direction = (order?.direction ?? (by === undefined ? "up" : "down")) === "up" ? "ASC" : "DESC";
  const other = by === undefined ? "n.name" : by === "change" ? `${value} - ${previous}` : null;
  const key = other ?? (by === undefined ? "n.name" : valueOfFeature(features, by, compiling.window));
  const sql = `WITH ${[scope.definitions, ...features.joins.definitions()].join(",\n")}
SELECT n.name, ${value} AS value, ${previous} AS before, count(*) OVER () AS total
FROM (SELECT ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1 UNION SELECT event FROM tail) n
  ${features.joins.joins()}
${conditions.length === 0 ? "" : `WHERE ${conditions.join("\n  AND ")}`}
ORDER BY (${key}) IS NULL, ${key} ${direction}, n.name LIMIT ${query.limit ?? MAX_ROWS}`;
  const type = compiling.dimensions.get(measure ?? "")?.type;
  return {
    statement: values.bind<FeatureRow>(sql),
    read(rows) {
      const total = rows[0]?.total ?? 0;
      if (query.show === "count") return { rows: [{ value: total, count: total }], total: 1, matched: total };
      const listed = rows.map((row) => ({
        entity: featureOf(row.name),
        ...(measure !== undefined && { value: decoded(row.value, type) }),
        ...(before !== null && { before: row.before }),
      }));
      return { rows: listed, total, matched: total };
    },
  };
}

interface Features {
  compiling: Compiling;
  joins: Joins;
  scope: Scope;
}

function conditionOf(features: Features, filter: Filter): string {
  const { compiling } = features;
  const { dimension: name } = filter;
  const value = name === "event" ? "n.name" : valueOfFeature(features, name, windowOf(filter.window, compiling));
  return meets(value, namedDimension(compiling, name), filter, compiling.values, compiling.lookups);
}

/** A value of each feature, over the accounts or the user that the query is about. */
function valueOfFeature({ compiling, joins, scope }: Features, name: string, window: Window): string {
  const valueOf = (other: string) => valueOfFeature({ compiling, joins, scope }, other, window);
  if (name === "active") return `(${valueOf("events")} > 0)`;
  if (name === "adoption") {
    const { sql, grain } = COUNTS.active_accounts;
    const active = joins.value(`SELECT 1 AS id, ${sql} AS value FROM (${scope.uses(window, grain, null)})`, "1");
    return `(100.0 * ${valueOf("active_accounts")} / nullif(${active}, 0))`;
  }
  const read = (sql: string, days: Window, isOfUsers: boolean) => {
    const uses = scope.uses(days, { user: isOfUsers, event: true, count: true }, null);
    return joins.value(`SELECT event AS id, ${sql} AS value FROM (${uses}) GROUP BY event`, "n.name");
  };
  if (isCount(name)) return `coalesce(${read(COUNTS[name].sql, window, COUNTS[name].grain.user)}, 0)`;
  return read(name === "first_seen" ? "min(day)" : "max(day)", daysOf({ all: true }, compiling.lookups.today), false);
}
