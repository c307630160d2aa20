/** Queries about one workspace, sent as one, so that all of them see the same moment. */
import { type Database, databaseOf, databaseOfAny, type WorkspaceRef } from "./database.ts";
import { withRetry } from "./faults.ts";

export type Value = string | number | null;
export type Row = Record<string, Value>;

/** Queries that are sent together. */
export interface Batch {
  /** ?1 of every query is the workspace's number; `values` are bound from ?2 on. @returns its rows, once it has run */
  add(sql: string, ...values: readonly Value[]): () => readonly Row[];
  /**
   * One round trip, and one moment that all of its queries see.
   * @throws DatabaseUnavailable, as `withRetry` does
   */
  run(): Promise<void>;
}

export const newBatch = (env: Env, workspace: WorkspaceRef): Batch =>
  batchOf(databaseOf(env, workspace), "?1", workspace.number);

/**
 * About a workspace that each query looks up for itself, which spares the round trip of asking for its number first.
 * @param numberSql the workspace's number, by ?1; where there is none, the queries are about no workspace
 */
export const newFindingBatch = (env: Env, numberSql: string, value: Value): Batch =>
  batchOf(databaseOfAny(env), numberSql, value);

function batchOf({ $client }: Database, numberSql: string, value: Value): Batch {
  const queries: D1PreparedStatement[] = [];
  let results: D1Result<Row>[] | null = null;
  return {
    add(sql, ...values) {
      const place = queries.push($client.prepare(sql.replaceAll(/\?1\b/g, () => numberSql)).bind(value, ...values)) - 1;
      return () => {
        if (results === null) throw new Error("the queries have not run");
        return results[place]?.results ?? [];
      };
    },
    async run() {
      results = queries.length === 0 ? [] : await withRetry(() => $client.batch<Row>(queries));
    },
  };
}
