/** All that the databases hold of one workspace, whatever a row knows its workspace by. */
import { env } from "cloudflare:workers";

import { ownRange, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { databasesIn } from "../guard/workspace-databases.ts";

const OF_NO_WORKSPACE = new Set(["d1_migrations", "databases", "admin_tokens", "people"]);

/** By the column that a table has, the first of these that it does: which rows are the workspace's, ?1. */
const OWN: [column: string, condition: string][] = [
  ["workspace", "workspace = ?1"],
  ["seq", "seq BETWEEN ?2 AND ?3"],
  ["account", "account BETWEEN ?2 AND ?3"],
  ["user", "user BETWEEN ?2 AND ?3"],
  ["item", "item BETWEEN ?2 AND ?3"],
  ["destination", "destination BETWEEN ?2 AND ?3"],
  ["first", "first BETWEEN ?2 AND ?3"],
];
const OWN_OF: Record<string, string> = {
  workspaces: "number = ?1",
  workspace_states: "number = ?1",
  traits: "subject BETWEEN ?2 AND ?3",
};

let queries: [table: string, sql: string][] | null = null;

/** By table, each row as JSON, in a fixed order. */
export type Rows = Record<string, string[]>;

export async function rowsOfWorkspace(workspace: WorkspaceRef): Promise<Rows> {
  queries ??= await findQueries();
  const { first, last } = ownRange(workspace);
  const statements = queries.map(([, sql]) => `${sql} AND ?2 < ?3`);
  const results = await Promise.all(
    databasesIn(env).map(([, database]) =>
      database.batch(statements.map((sql) => database.prepare(sql).bind(workspace.number, first, last))),
    ),
  );
  return Object.fromEntries(
    queries.map(([table], place) => [
      table,
      results
        .flatMap((each) => each[place]?.results ?? [])
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ]),
  );
}

async function findQueries(): Promise<[table: string, sql: string][]> {
  const { results } = await env.DB.prepare(
    `SELECT t.name AS "table", json_group_array(c.name) AS "columns" FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB '_cf*' AND t.name NOT GLOB 'sqlite*' GROUP BY t.name`,
  ).all<{ table: string; columns: string }>();
  return results.flatMap(({ table, columns: listed }) => {
    if (OF_NO_WORKSPACE.has(table)) return [];
    const columns: unknown[] = JSON.parse(listed);
    const own = OWN_OF[table] ?? OWN.find(([column]) => columns.includes(column))?.[1];
    // A new table has to be told whose its rows are.
    if (own === undefined) throw new Error(`whose the rows of ${table} are is not known`);
    return [[table, `SELECT * FROM ${table} WHERE ${own}`]];
  });
}
