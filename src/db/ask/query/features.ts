/** Compiles queries about features: the event names of the workspace, and who used them. */
import type { Filter } from "../../../core/ask/query/model.ts";
import { daysOf } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { e } from "./aliases.ts";
import { type Compiling, namedDimension, windowOf } from "./compiling.ts";
import { meets, SEEN } from "./dimension-sql.ts";
import { featureOf } from "./entity-columns.ts";
import type { Selection } from "./lists.ts";
import { countOf, DAYS } from "./measures.ts";
import { scopeOf } from "./scope.ts";
import { newJoins } from "./tables.ts";
import type { Grain } from "./uses-sql.ts";

/** Selects the features of a query. Filters on accounts and users choose whose events count. */
export function featuresIn(compiling: Compiling): Selection<{ name: string }> {
  const isOwn = ({ dimension }: Filter) =>
    dimension === "event" || !namedDimension(compiling, dimension).of.includes("events");
  const { where } = compiling.query;
  const [own, others] = [where.filter(isOwn), where.filter((filter) => !isOwn(filter))];
  const scope = scopeOf(compiling, others);
  const joins = newJoins("f");
  const allDays = daysOf({ all: true }, compiling.lookups.today);
  const read = (sql: string, window: Window, grain: Grain) => {
    const uses = scope.uses(window, { ...grain, event: true, count: true }, null);
    return joins.value(`SELECT event AS id, ${sql} AS value FROM (${uses}) GROUP BY event`, "n.name");
  };

  /** The SQL of a value of each feature, from the events in scope. */
  function valueIn(name: string, window: Window): string {
    if (name === "event") return "n.name";
    if (name === "active") return `(${valueIn("events", window)} > 0)`;
    if (SEEN.has(name)) return read(name === "first_seen" ? "min(day)" : "max(day)", allDays, DAYS);
    if (name === "adoption") {
      const { sql, grain } = countOf("active_accounts");
      const active = joins.value(`SELECT 1 AS id, ${sql} AS value FROM (${scope.uses(window, grain, null)})`, "1");
      return `(100.0 * ${valueIn("active_accounts", window)} / nullif(${active}, 0))`;
    }
    const { sql, grain } = countOf(name);
    return `coalesce(${read(sql, window, grain)}, 0)`;
  }

  const conditions = own.map((filter) =>
    meets(compiling, filter, valueIn(filter.dimension, windowOf(filter, compiling))),
  );
  const names = `(SELECT ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1 UNION SELECT event FROM tail) n`;
  return {
    table: "features",
    definitions(columns) {
      const features = joins.select({ id: "n.name", name: "n.name", ...columns }, names, conditions);
      return [scope.definitions, ...joins.definitions(), `features AS MATERIALIZED (${features})`].join(",\n");
    },
    valueIn: (name, at) => (name === undefined ? "NULL" : valueIn(name, at.window)),
    columns: "listed.name",
    joins: "",
    read: ({ name }) => ({ entity: featureOf(name) }),
  };
}
