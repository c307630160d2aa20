/** Reads the database directly. */
import { env } from "cloudflare:workers";

/** Tables whose rows stay when workspaces are erased. */
const KEPT: readonly string[] = ["databases", "audit_log"];

/** Reads every row of workspaces, by table. */
export async function allRows(database = env.DB, without = KEPT): Promise<Record<string, Record<string, unknown>[]>> {
  const { results: tables } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all<{ name: string }>();
  const names = tables.flatMap(({ name }) => (name === "d1_migrations" || without.includes(name) ? [] : name));
  const rows = await database.batch<Record<string, unknown>>(
    names.map((name) => database.prepare(`SELECT * FROM ${name}`)),
  );
  return Object.fromEntries(names.map((name, index) => [name, rows[index]?.results ?? []]));
}

/** Counts the rows that belong to workspaces, by table, without empty tables. */
export async function rowCounts(database = env.DB): Promise<Record<string, number>> {
  const counts = Object.entries(await allRows(database)).map(([table, rows]) => [table, rows.length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Lists the tables that contain `text`. */
export async function tablesWith(text: string): Promise<string[]> {
  return Object.entries(await allRows(env.DB, [])).flatMap(([table, rows]) =>
    JSON.stringify(rows).includes(text) ? [table] : [],
  );
}

/** Empties tables, so that a test counts only its own rows. */
export async function emptyTables(tables: readonly string[], database = env.DB): Promise<void> {
  await database.batch(tables.map((table) => database.prepare(`DELETE FROM ${table}`)));
}
