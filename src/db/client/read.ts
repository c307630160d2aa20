/**
 * Reads a workspace's data for a reader whose key may be cached. Nothing else opens a database for readers, so each read is
 * a batch that also checks, in its round trip, that the database has the workspace under its id. If it hasn't, the read
 * throws `DatabaseUnavailable` of the kind `absent`: docs/decisions/0034-what-caches-may-not-decide.md.
 */
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";

import { workspaceStates } from "../schema/schema.ts";
import { columnsOf } from "./columns-of.ts";
import { bindingOf, type Database, type WorkspaceRef } from "./database.ts";
import { DatabaseUnavailable, withRetry } from "./faults.ts";
import { prepare } from "./prepare.ts";
import { type Results, runBatch } from "./run-statements.ts";
import type { Statement } from "./statement.ts";

const state = columnsOf(workspaceStates);
const IS_HERE = prepare(`
SELECT 1 FROM ${state.table} WHERE ${state.number} = :workspace AND ${state.id} = :id AND ${state.state} <> 'erased'`);

function checkedDatabase(env: Env, { database, number, id }: WorkspaceRef): Database {
  const binding = bindingOf(env, database);
  const { sql, values } = IS_HERE.bind({ workspace: number, id });
  const checked: D1Database = Object.create(binding);
  checked.batch = async <T>(statements: D1PreparedStatement[]) => {
    const results = await binding.batch<T>([...statements, binding.prepare(sql).bind(...values)]);
    if (results.pop()?.results.length === 0) {
      throw new DatabaseUnavailable(new Error("the workspace is not in this database"), true, "absent");
    }
    return results;
  };
  return drizzle(checked);
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
  const db = checkedDatabase(env, workspace);
  return withRetry(() => db.batch(write(db)));
}

/** Runs prepared statements in one round trip. @throws DatabaseUnavailable, as `withRetry` does */
export const readStatements = <const S extends readonly Statement<unknown>[]>(
  env: Env,
  workspace: WorkspaceRef,
  statements: S,
): Promise<Results<S>> => runBatch(checkedDatabase(env, workspace), statements);
