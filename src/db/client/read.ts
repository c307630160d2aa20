/**
 * Reads a workspace's data for a reader whose key may be cached. Nothing else opens a database for readers, so each read is
 * a batch that also checks, in its round trip, that the database has the workspace under its id. If it hasn't, the read
 * throws `DatabaseUnavailable` of the kind `absent`: docs/decisions/0034-what-caches-may-not-decide.md.
 *
 * It also decides which reads may leave the primary for a read replica: those that follow another read of the same request and
 * the same database. See docs/decisions/0043-read-replicas.md.
 */
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";

import { DIRECTORY } from "../../config.ts";
import { workspaceStates } from "../schema/schema.ts";
import { columnsOf } from "./columns-of.ts";
import { bindingOf, clientOf, type Database, type WorkspaceRef } from "./database.ts";
import { DatabaseUnavailable, withRetry } from "./faults.ts";
import { prepare } from "./prepare.ts";
import { type Results, runBatch } from "./run-statements.ts";
import type { Statement } from "./statement.ts";

const state = columnsOf(workspaceStates);
const IS_HERE = prepare(`
SELECT 1 FROM ${state.table} WHERE ${state.number} = :workspace AND ${state.id} = :id AND ${state.state} IN ('live', 'moving')`);

/**
 * The calls of one request to one database. The first call runs on the primary. D1 runs the others on any copy that has all
 * that the primary had then, so they show each mark, erasure, withdrawal, move and restore that ended before the request.
 */
export type ReadSession = D1DatabaseSession;

export const newReadSession = (env: Env, database: string): ReadSession =>
  bindingOf(env, database).withSession("first-primary");

/** The sessions that have read a workspace's entry in the directory. A copy of the object has none. */
const sessions = new WeakMap<WorkspaceRef, ReadSession>();

/** Lets reads of a workspace in the directory's database follow the read of its entry, in a request that writes nothing. */
export function shareSession(workspace: WorkspaceRef, session: ReadSession): void {
  if (workspace.database === DIRECTORY) sessions.set(workspace, session);
}

export const readSessionOf = (env: Env, workspace: WorkspaceRef): ReadSession =>
  sessions.get(workspace) ?? newReadSession(env, workspace.database);

function checkedDatabase(session: ReadSession, { number, id }: WorkspaceRef): Database {
  const { sql, values } = IS_HERE.bind({ workspace: number, id });
  const batch = async <T>(statements: D1PreparedStatement[]) => {
    const results = await session.batch<T>([...statements, session.prepare(sql).bind(...values)]);
    if (results.pop()?.results.length === 0) {
      throw new DatabaseUnavailable(new Error("the workspace is not in this database"), true, "absent");
    }
    return results;
  };
  return drizzle(clientOf(session, batch));
}

/**
 * Runs queries of Drizzle's builder in one round trip.
 * @param write writes the queries, and can't run them: it returns no promise
 * @throws DatabaseUnavailable, as `withRetry` does
 */
export async function readQueries<Q extends BatchItem<"sqlite">, const T extends Readonly<[Q, ...Q[]]>>(
  env: Env,
  workspace: WorkspaceRef,
  write: (db: Database) => T,
): Promise<BatchResponse<T>> {
  const db = checkedDatabase(readSessionOf(env, workspace), workspace);
  return withRetry(() => db.batch(write(db)));
}

/** Runs prepared statements in one round trip. @throws DatabaseUnavailable, as `withRetry` does */
export const readStatements = <const S extends readonly Statement<unknown>[]>(
  env: Env,
  workspace: WorkspaceRef,
  statements: S,
  session = readSessionOf(env, workspace),
): Promise<Results<S>> => runBatch(checkedDatabase(session, workspace), statements);
