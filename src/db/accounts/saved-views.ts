/** Saves and deletes the views of a workspace's account list. */
import { and, eq, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { savedViews } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

export const MAX_VIEWS = 20;

/**
 * Saves a view, in place of the one with the same name.
 * @param query the query of the list's address
 * @returns false if the workspace has `MAX_VIEWS` others
 */
export async function markView(env: Env, workspace: WorkspaceRef, name: string, query: string): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const row = sql`SELECT ${number}, ${name}, ${query}, ${Date.now()} WHERE (SELECT count(*) FROM ${savedViews}
    WHERE ${savedViews.workspace} = ${number} AND ${savedViews.name} <> ${name}) < ${MAX_VIEWS}`;
  const [, saved] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db
        .insert(savedViews)
        .select(row)
        .onConflictDoUpdate({ target: [savedViews.workspace, savedViews.name], set: { query } })
        .returning({ name: savedViews.name }),
    ]),
  );
  return saved.length > 0;
}

export async function deleteView(env: Env, workspace: WorkspaceRef, name: string): Promise<void> {
  const db = databaseOf(env, workspace);
  const isView = and(eq(savedViews.workspace, workspace.number), eq(savedViews.name, name));
  await withRetry(() => db.batch([requireLiveQuery(db, workspace), db.delete(savedViews).where(isView)]));
}
