/** Saves and deletes the views of a workspace's account list. */
import { and, eq, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { savedViews } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

export const MAX_VIEWS = 20;

/**
 * Saves a view, in place of the one with the same name.
 * @param query the query of the list's address; `null` deletes the view
 * @returns false if the workspace has `MAX_VIEWS` others
 */
export async function markView(
  env: Env,
  workspace: WorkspaceRef,
  name: string,
  query: string | null,
): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const hasRoom = sql`(SELECT count(*) FROM ${savedViews}
    WHERE ${savedViews.workspace} = ${number} AND ${savedViews.name} <> ${name}) < ${MAX_VIEWS}`;
  const change =
    query === null
      ? db.delete(savedViews).where(and(eq(savedViews.workspace, number), eq(savedViews.name, name)))
      : db
          .insert(savedViews)
          .select(sql`SELECT ${number}, ${name}, ${query}, ${Date.now()} WHERE ${hasRoom}`)
          .onConflictDoUpdate({ target: [savedViews.workspace, savedViews.name], set: { query } });
  const [, changed] = await withRetry(() => db.batch([requireLiveQuery(db, workspace), change.returning()]));
  return changed.length > 0;
}
