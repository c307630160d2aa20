/** Collects queries about one workspace and sends them together, so that all of them see the same state. */
import type { WorkspaceRef } from "./database.ts";
import type { Prepared } from "./prepare.ts";
import { readSessionOf, readStatements } from "./read.ts";
import type { Statement, Value } from "./statement.ts";

export interface Batch {
  /**
   * Adds a query with its values. `:workspace` is the workspace's number.
   * @returns a function that gives the query's rows once the batch has run
   */
  add<R>(query: Prepared<R>, values?: Readonly<Record<string, Value>>): () => readonly R[];
  /** Runs all queries in one round trip. @throws DatabaseUnavailable, as `withRetry` does */
  run(): Promise<void>;
  /** Starts a batch that runs after this one, for the same request. A read replica may run it. */
  next(): Batch;
}

export function newBatch(env: Env, workspace: WorkspaceRef, session = readSessionOf(env, workspace)): Batch {
  const queries: Statement<unknown>[] = [];
  let results: D1Result[] | null = null;
  return {
    add(prepared, values) {
      const query = prepared.bind({ workspace: workspace.number, ...values });
      const index = queries.push(query) - 1;
      return () => rowsOf(query, results, index);
    },
    async run() {
      results = await readStatements(env, workspace, queries, session);
    },
    next: () => newBatch(env, workspace, session),
  };
}

/** Types the rows by the statement that they came from. */
function rowsOf<R>(query: Statement<R>, results: D1Result[] | null, index: number): readonly R[];
function rowsOf(_: Statement<unknown>, results: D1Result[] | null, index: number): readonly unknown[] {
  if (results === null) throw new Error("The batch has not run.");
  return results[index]?.results ?? [];
}
