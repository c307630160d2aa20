/** Queries about one workspace, sent as one, so that all of them see the same moment. */
import { type Database, databaseOf, directory, type WorkspaceRef } from "./database.ts";
import { withRepeat } from "./faults.ts";

export type Value = string | number | null;
export type Row = Record<string, Value>;

/** Queries that are sent together. */
export interface Batch {
  /** ?1 of every query is the workspace's number; `values` are bound from ?2 on. @returns its rows, once it has run */
  add(sql: string, ...values: readonly Value[]): () => readonly Row[];
  /**
   * One round trip, and one moment that all of its queries see.
   * @throws DatabaseUnavailable, as `withRepeat` does
   */
  run(): Promise<void>;
}

export const newBatch = (env: Env, workspace: WorkspaceRef): Batch =>
  batchOf(databaseOf(env, workspace), workspace.number, "?1");

/**
 * About a workspace that each query looks up for itself, which spares the round trip of asking for its number first. That
 * goes where the database that knows all workspaces holds their data too.
 * @param number the workspace's number, as a subquery of ?1; where it finds none, no query finds anything
 * @param value what ?1 is in it
 */
export const newBatchFinding = (env: Env, number: string, value: Value): Batch =>
  batchOf(directory(env), value, number);

function batchOf({ $client }: Database, first: Value, number: string): Batch {
  const queries: D1PreparedStatement[] = [];
  let results: D1Result<Row>[] | null = null;
  return {
    add(sql, ...values) {
      const place = queries.push($client.prepare(sql.replaceAll(/\?1\b/g, number)).bind(first, ...values)) - 1;
      return () => {
        if (results === null) throw new Error("the queries have not run");
        return results[place]?.results ?? [];
      };
    },
    async run() {
      results = queries.length === 0 ? [] : await withRepeat(() => $client.batch<Row>(queries));
    },
  };
}
