import { DIRECTORY } from "../../config.ts";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Database = DrizzleD1Database & { $client: D1Database };

/** A workspace as the edge knows it: the public id, the number that its rows carry, and the binding of its database. */
export interface WorkspaceRef {
  id: string;
  number: number;
  database: string;
}

const opened = new WeakMap<D1Database, Database>();

/** Opens each binding once, because opening takes longer than parsing a message. */
function open(binding: D1Database): Database {
  const known = opened.get(binding) ?? drizzle(binding);
  opened.set(binding, known);
  return known;
}

/** Opens the database that holds all workspaces, API keys and agreements. @param session of it */
export const directory = (env: Env, session?: D1DatabaseSession): Database =>
  open(session === undefined ? env[DIRECTORY] : clientOf(session));

/** Makes a session a client of Drizzle, which calls nothing else. */
export const clientOf = (
  session: D1DatabaseSession,
  batch: D1DatabaseSession["batch"] = (statements) => session.batch(statements),
): D1Database => Object.create({ prepare: (sql: string) => session.prepare(sql), batch });

/**
 * Opens the database that holds a workspace's data, for writes and for what decides them. It checks nothing: a transaction
 * begins with `requireLive`, or holds the lease. Readers use `read.ts`.
 */
export const databaseOf = (env: Env, { database }: Pick<WorkspaceRef, "database">): Database =>
  open(bindingOf(env, database));

/** The names of all databases, the directory's first. */
export const databaseNames = (env: Env): string[] =>
  Object.keys(env)
    .filter((name) => /^DB(?:_[1-9]\d*)?$/.test(name))
    .toSorted((a, b) => a.length - b.length || a.localeCompare(b));

/** @throws Error when the deployment no longer binds a database that the directory names */
export function bindingOf(env: Env, name: string): D1Database {
  const binding: unknown = Reflect.get(env, name);
  if (!isDatabase(binding)) throw new Error(`no database is bound as ${name}`);
  return binding;
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "batch" in binding;

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

/** The number before a workspace's first row, from the number of any of its rows. */
export const baseOf = (number: number): number => Math.floor(number / RANGE) * RANGE;
