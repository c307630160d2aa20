/** Collects queries about one workspace and sends them together, so that all of them see the same state. */
import { readableDatabaseOf, type WorkspaceRef } from "./database.ts";
import { runBatch, type Statement, statement } from "./statements.ts";

export interface Batch {
  /**
   * Adds a query in which ?1 is the workspace's number, and the query's own values are bound from ?2 on.
   * @returns a function that gives the query's rows once the batch has run
   */
  addStatement<R>(query: Statement<R>): () => readonly R[];
  /** Runs all queries in one round trip. @throws DatabaseUnavailable, as `withRetry` does */
  run(): Promise<void>;
}

export function newBatch(env: Env, workspace: WorkspaceRef): Batch {
  const queries: Statement<unknown>[] = [];
  let results: D1Result[] | null = null;
  return {
    addStatement(query) {
      const index = queries.push(statement(query.sql, workspace.number, ...query.values)) - 1;
      return () => rowsOf(query, results, index);
    },
    async run() {
      results = await runBatch(readableDatabaseOf(env, workspace), queries);
    },
  };
}

/** Types the rows by the statement that they came from. */
function rowsOf<R>(query: Statement<R>, results: D1Result[] | null, index: number): readonly R[];
function rowsOf(_: Statement<unknown>, results: D1Result[] | null, index: number): readonly unknown[] {
  if (results === null) throw new Error("The batch has not run.");
  return results[index]?.results ?? [];
}
