import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Database = DrizzleD1Database & { $client: D1Database };

/** A workspace as the edge knows it: the public id, and the number its rows carry. */
export interface WorkspaceRef {
  id: string;
  number: number;
}

const opened = new WeakMap<D1Database, Database>();

/** Opened once for each binding: it takes longer than to parse a message. */
function open(binding: D1Database): Database {
  const known = opened.get(binding) ?? drizzle(binding);
  opened.set(binding, known);
  return known;
}

/** The database that knows all workspaces: themselves, their keys and their agreements. */
export const directory = (env: Env): Database => open(env.DB);

/** The databases that hold workspaces' data, for what is done to all of them. */
export const allDatabases = (env: Env): Database[] => [open(env.DB)];

/**
 * The database that holds a workspace's data. Every query on such data goes through here, so that workspaces can come
 * to live in many databases. Each of those will need the rows of its workspaces beside the directory's: the ingest
 * transaction asks there whether it may still write.
 */
export const databaseOf = (env: Env, _workspace: WorkspaceRef): Database => open(env.DB);

/**
 * The database in which queries on a workspace's data find for themselves which workspace that is. There is one as long
 * as all of them live in one; with more, it has to be asked for first.
 */
export const databaseOfAny = (env: Env): Database => open(env.DB);

const SEQ_BASE = 2 ** 32;

/** The first and the last key that rows of a workspace can have in tables keyed `workspace · 2^32 + n`. */
export const seqRange = (workspace: WorkspaceRef): { first: number; last: number } => ({
  first: workspace.number * SEQ_BASE + 1,
  last: (workspace.number + 1) * SEQ_BASE - 1,
});
