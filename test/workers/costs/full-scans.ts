/** How SQLite runs a statement: whether it walks through a table where it should look things up. */
import { env } from "cloudflare:workers";

import type { Statement } from "./meter.ts";

/** The names that a statement's plan can call these tables by: their own, and the aliases it gives them. */
function namesOf(sql: string, tables: readonly string[]): Set<string> {
  const names = new Set(tables);
  for (const [, table = "", alias] of sql.matchAll(
    /(?:FROM|JOIN|UPDATE|INTO|,)\s+"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?/gi,
  )) {
    if (tables.includes(table) && alias !== undefined) names.add(alias);
  }
  return names;
}

/** The lines of the plan that walk through a whole table, or a whole index of it. */
export async function fullScans(sql: string, values: Statement["values"]): Promise<string[]> {
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  const { results: tables } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  const names = namesOf(
    sql,
    tables.map(({ name }) => name),
  );
  return (
    plan.results
      .map(({ detail }) => detail)
      // json_each is a virtual table, and may go by an alias that a table has elsewhere in the statement.
      .filter(
        (detail) => !detail.includes("VIRTUAL TABLE") && names.has(/^SCAN (?:TABLE )?(\S+)/.exec(detail)?.[1] ?? ""),
      )
  );
}
