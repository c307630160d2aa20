/** Saves and deletes the views of a workspace's account list. */
import { and, eq, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { savedViews } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

export const MAX_VIEWS = 20;

/**
 * Saves a view. No view replaces another: people who delete a view say so.
 * @param query the query of the list's address; `null` deletes the view
 * @returns whether the view is as asked; else, whether another view has its name, or the workspace has `MAX_VIEWS` others
 */
export async function markView(
  env: Env,
  workspace: WorkspaceRef,
  name: string,
  query: string | null,
): Promise<"done" | "name_taken" | "full"> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const named = and(eq(savedViews.workspace, number), eq(savedViews.name, name));
  const hasRoom = sql`(SELECT count(*) FROM ${savedViews}
    WHERE ${savedViews.workspace} = ${number} AND ${savedViews.name} <> ${name}) < ${MAX_VIEWS}`;
  const change =
    query === null
      ? db.delete(savedViews).where(named)
      : db
          .insert(savedViews)
          .select(sql`SELECT ${number}, ${name}, ${query}, ${Date.now()} WHERE ${hasRoom}`)
          .onConflictDoNothing();
  const stored = db.select({ query: savedViews.query }).from(savedViews).where(named);
  const [, , [view]] = await withRetry(() => db.batch([requireLiveQuery(db, workspace), change, stored]));
  if ((view?.query ?? null) === query) return "done";
  return view === undefined ? "full" : "name_taken";
}
