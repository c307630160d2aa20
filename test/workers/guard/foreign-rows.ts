/** Finds rows of a workspace in a database that doesn't hold it, however they came there. */
import { env } from "cloudflare:workers";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../../src/db/schema/schema.ts";
import { DIRECTORY_TABLES } from "./workspace-databases.ts";

const DATABASES = { DB: env.DB, DB_1: env.DB_1, DB_2: env.DB_2 };

/** Each table with the SQL of a row's workspace: its column, or the part of the row's number. */
const OWNERS = Object.values<unknown>(schema).flatMap((table) => {
  if (!is(table, SQLiteTable)) return [];
  const { name, columns } = getTableConfig(table);
  const has = (column: string) => columns.some((each) => each.name === column);
  const numbered = ["seq", "subject", "item", "account", "user", "first"].find(has);
  if (has("workspace")) return [{ name, owner: "workspace" }];
  return [{ name, owner: numbered === undefined ? "number" : `${numbered} >> 32` }];
});

/** Lists `database: table` of each table with rows of workspaces that only other databases hold. */
export async function foreignRows(): Promise<string[]> {
  const states = await Promise.all(
    Object.entries(DATABASES).map(async ([name, database]) => {
      const { results } = await database.prepare("SELECT number FROM workspace_states").all<{ number: number }>();
      return { name, database, own: new Set(results.map(({ number }) => number)) };
    }),
  );
  const { results: moving } = await env.DB.prepare("SELECT workspace FROM moves").all<{ workspace: number }>();
  const moved = new Set(moving.map(({ workspace }) => workspace));
  const found = await Promise.all(
    states.map(async ({ name, database, own }) => {
      const others = states.flatMap((state) =>
        [...state.own].filter((number) => !own.has(number) && !moved.has(number)),
      );
      if (others.length === 0) return [];
      const tables = OWNERS.filter((table) => name !== "DB" || !DIRECTORY_TABLES.has(table.name));
      const checks = tables.map((table) =>
        DIRECTORY_TABLES.has(table.name)
          ? database.prepare(`SELECT 1 FROM ${table.name} LIMIT 1`)
          : database
              .prepare(`SELECT 1 FROM ${table.name} WHERE ${table.owner} IN (SELECT value FROM json_each(?)) LIMIT 1`)
              .bind(JSON.stringify(others)),
      );
      const results = await database.batch(checks);
      return tables.filter((_, place) => results[place]?.results.length !== 0).map((table) => `${name}: ${table.name}`);
    }),
  );
  return found.flat();
}
