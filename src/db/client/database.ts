import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Database = DrizzleD1Database & { $client: D1Database };

/** A workspace as the edge knows it: the public id, and the number that its rows carry. */
export interface WorkspaceRef {
  id: string;
  number: number;
}

const opened = new WeakMap<D1Database, Database>();

/** Opens each binding once, because opening takes longer than parsing a message. */
function open(binding: D1Database): Database {
  const known = opened.get(binding) ?? drizzle(binding);
  opened.set(binding, known);
  return known;
}

/** Opens the database that holds all workspaces, API keys and agreements. */
export const directory = (env: Env): Database => open(env.DB);

/**
 * Opens the database that holds a workspace's data. That database needs the workspace's own row and agreements too,
 * because the ingest transaction checks in it whether it may still write.
 */
export const databaseOf = (env: Env, _workspace: WorkspaceRef): Database => open(env.DB);

export const allDatabases = (env: Env): Database[] => [open(env.DB)];

const RANGE = 2 ** 32;

/**
 * The first and the last number of a workspace's rows. Messages, rejections, accounts, users, event names and inbox items
 * are numbered `workspace · 2^32 + n`, and other tables refer to them by these numbers.
 * See docs/decisions/0024-workspace-scoped-numbers.md.
 */
export const ownRange = (workspace: WorkspaceRef): { first: number; last: number } => ({
  first: workspace.number * RANGE + 1,
  last: (workspace.number + 1) * RANGE - 1,
});
