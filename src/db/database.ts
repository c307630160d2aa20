import { drizzle } from "drizzle-orm/d1";

import * as schema from "./schema.ts";

export type Database = ReturnType<typeof open>;

/** A workspace as the edge knows it: the public id, and the number its rows carry. */
export interface WorkspaceRef {
  id: string;
  number: number;
}

const open = (binding: D1Database) => drizzle(binding, { schema });

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

const SEQ_BASE = 2 ** 32;

/** The first and the last key that rows of a workspace can have in tables keyed `workspace · 2^32 + n`. */
export const seqRange = (workspace: WorkspaceRef): { first: number; last: number } => ({
  first: workspace.number * SEQ_BASE + 1,
  last: (workspace.number + 1) * SEQ_BASE - 1,
});
