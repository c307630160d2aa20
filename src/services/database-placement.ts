/** Chooses databases for new workspaces, and says which are open. */
import { least } from "d3-array";

import { maxDatabaseBytes } from "../config.ts";
import type { Actor } from "../core/audit.ts";
import { FULL_SHARE } from "../core/database-size.ts";
import { databaseNames } from "../db/client/database.ts";
import { type DatabaseFigures, listDatabases, readDatabases, setDraining } from "../db/databases/database-capacity.ts";

/**
 * Finds the database for a new workspace: the named one if it is open, or the open one with the most room.
 * @returns `null` if no such database is open
 */
export async function findOpenDatabase(env: Env, name?: string): Promise<string | null> {
  const open = (await listDatabases(env)).filter((each) => each.state === "open" && (name ?? each.name) === each.name);
  return least(open, ({ bytes }) => bytes)?.name ?? null;
}

/** Says how many bytes a database that has so many may grow until it is full. Its archive then moves messages of today. */
export const roomFor = (env: Env, bytes: number): number => Math.floor(FULL_SHARE * maxDatabaseBytes(env)) - bytes;

/**
 * Decides whether a database takes new workspaces. A full database takes no workspaces until it has room again.
 * @returns its figures, or `null` for an unknown name
 */
export async function changeDatabase(
  env: Env,
  name: string,
  state: "open" | "draining",
  actor: Actor,
): Promise<DatabaseFigures | null> {
  if (!databaseNames(env).includes(name)) return null;
  const details = { database: name, state };
  await setDraining(env, name, state === "draining", { workspace: null, actor, action: "database_changed", details });
  return (await readDatabases(env)).find((each) => each.name === name) ?? null;
}
