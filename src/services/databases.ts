/** Chooses databases for new workspaces, and measures databases. */
import { least } from "d3-array";

import { maxDatabaseBytes } from "../config.ts";
import { databaseNames } from "../db/client/database.ts";
import {
  type DatabaseFigures as StoredFigures,
  listDatabases,
  measureDatabase,
  RATE_DAYS,
  readFigures,
  setDraining,
} from "../db/databases/databases.ts";
import { settleAll } from "./settle-all.ts";

export { databaseNames as listDatabaseNames } from "../db/client/database.ts";
export interface DatabaseFigures extends Omit<StoredFigures, "messages" | "recentEvents"> {
  /** Of its greatest size. */
  share: number;
  /** When it would be full at the rate of the last week if nothing were archived, in days; `null` for never. */
  fullInDays: number | null;
}

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
      const { messages, recentEvents, ...figures } = await readFigures(env, database, Date.now());
      const { bytes } = figures;
      const [maxBytes, bytesADay] = [maxDatabaseBytes(env), (bytes / messages) * (recentEvents / RATE_DAYS)];
      const fullInDays = bytesADay > 0 ? Math.max(0, Math.floor((maxBytes - bytes) / bytesADay)) : null;
      return { ...figures, share: bytes / maxBytes, fullInDays };
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
