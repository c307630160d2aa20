/** Chooses databases for new workspaces, and measures databases. */
import { least } from "d3-array";

import { maxDatabaseBytes } from "../config.ts";
import { databaseNames } from "../db/client/database.ts";
import {
  type DatabaseFigures as StoredFigures,
  listDatabases,
  measureDatabase,
  readFigures,
  setDraining,
} from "../db/databases/databases.ts";
import { settleAll } from "./settle-all.ts";

export { databaseNames as listDatabaseNames } from "../db/client/database.ts";
/** The figures of a database, and which share of its greatest size it has. */
export type DatabaseFigures = StoredFigures & { share: number };

/**
 * Finds the database for a new workspace: the named one if it is open, or the open one with the most room.
 * @returns `null` without one
 */
export async function findOpenDatabase(env: Env, name?: string): Promise<string | null> {
  const open = (await listDatabases(env)).filter((each) => each.state === "open" && (name ?? each.name) === each.name);
  return least(open, ({ bytes }) => bytes)?.name ?? null;
}

/** Reads all databases with their figures, the directory's first. */
export async function readDatabases(env: Env): Promise<DatabaseFigures[]> {
  const known = await listDatabases(env);
  return Promise.all(
    known.map(async (database) => {
      const figures = await readFigures(env, database);
      return { ...figures, share: figures.bytes / maxDatabaseBytes(env) };
    }),
  );
}

/**
 * Decides whether a database takes new workspaces. A full one takes none until it has room again.
 * @returns its figures, or `null` for an unknown name
 */
export async function changeDatabase(
  env: Env,
  name: string,
  state: "open" | "draining",
): Promise<DatabaseFigures | null> {
  if (!databaseNames(env).includes(name)) return null;
  await setDraining(env, name, state === "draining");
  return (await readDatabases(env)).find((each) => each.name === name) ?? null;
}

/** Measures all databases. @throws AggregateError when one failed, after all others had their turn */
export async function measureDatabases(env: Env): Promise<void> {
  const maxBytes = maxDatabaseBytes(env);
  await settleAll(databaseNames(env).map((name) => measureDatabase(env, name, maxBytes)));
}
