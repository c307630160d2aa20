/** The guarded service with paths for tests: one fires the cron, the other ends a move without the wait for the edges' caches. */
import { databaseOf, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { runBatch } from "../../../src/db/client/run-statements.ts";
import type { Statement } from "../../../src/db/client/statement.ts";
import { readMove } from "../../../src/db/moves/move-records.ts";
import { isBetween, ownRanges } from "../../../src/db/workspaces/own-ranges.ts";
import { findWorkspace } from "../../../src/db/workspaces/find-workspace.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import { ERASE_AFTER_MS, runMove } from "../../../src/services/moves/move-workspace.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import guarded from "../guard/worker.ts";

export default {
  ...guarded,
  async fetch(request, env, context) {
    const [, path, id] = /^\/test\/([a-z-]+)\/?(\w*)$/.exec(new URL(request.url).pathname) ?? [];
    if (path === undefined || id === undefined) return guarded.fetch(request, env, context);
    if (path === "end-move") return Response.json(await endMove(env, id));
    await runScheduled(env, Date.now());
    return new Response();
  },
} satisfies ExportedHandler<Env, Task>;

export { WriteLimiter } from "../../../src/limiter/write-limiter.ts";

/** Ends a move that has switched. @returns the tables of the source that still hold rows of the workspace */
async function endMove(env: Env, id: string): Promise<string[]> {
  const workspace = await findWorkspace(env, id);
  if (workspace === null) throw new Error("no such workspace");
  let move = await readMove(env, workspace);
  const source = { ...workspace, database: move?.from ?? "" };
  for (; move !== null; move = await readMove(env, workspace)) {
    // The part that has switched may still be at work.
    if (move.claimedUntil === 0) await runMove(env, workspace, { clock: () => Date.now() + ERASE_AFTER_MS });
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return tablesWith(env, source);
}

async function tablesWith(env: Env, workspace: WorkspaceRef): Promise<string[]> {
  const queries: Statement<{ name: string }>[] = ownRanges(workspace).map((range) => {
    const { sql, values } = isBetween(range);
    return {
      sql: `SELECT '${range.name}' AS name WHERE EXISTS (SELECT 1 FROM ${range.tableName} WHERE ${sql})`,
      values,
    };
  });
  const state = "SELECT 'workspaceStates' AS name FROM workspace_states WHERE number = ?";
  queries.push({ sql: state, values: [workspace.number] });
  const results = await runBatch(databaseOf(env, workspace), queries);
  return results.flatMap(({ results: rows }) => rows.map(({ name }) => name));
}
