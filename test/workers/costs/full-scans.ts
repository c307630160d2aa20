/** Finds table scans in the query plan of a statement. */
import { env } from "cloudflare:workers";

import type { Statement } from "./meter.ts";

/** Lists the names of these tables in the plan of a statement, aliases included. */
function namesOf(sql: string, tables: readonly string[]): Set<string> {
  const names = new Set(tables);
  for (const [, table = "", alias] of sql.matchAll(
    /(?:FROM|JOIN|UPDATE|INTO|,)\s+"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?/gi,
  )) {
    if (tables.includes(table) && alias !== undefined) names.add(alias);
  }
  return names;
}

/** Lists the lines of the plan that scan a whole table or index. */
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
      // json_each is a virtual table, and its alias may equal the alias of a table elsewhere in the statement.
      .filter(
        (detail) => !detail.includes("VIRTUAL TABLE") && names.has(/^SCAN (?:TABLE )?(\S+)/.exec(detail)?.[1] ?? ""),
      )
  );
}
