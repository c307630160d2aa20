/** Changes the directory after a restore. Every change may be repeated. */
import { and, eq, sql } from "drizzle-orm";

import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { moves, workspaces } from "../schema/schema.ts";
import type { Workspace } from "../workspaces/workspaces.ts";

/** Puts a workspace back that the directory lacks. One that it has is only marked as being erased, if `erasedAt` says so. */
export async function putEntry(
  env: Env,
  entry: WorkspaceRef & Pick<Workspace, "writeLimit" | "createdAt" | "erasedAt">,
): Promise<void> {
  const insertion = directory(env)
    .insert(workspaces)
    .values({ ...entry, name: entry.id });
  const marked = { erasedAt: sql`coalesce(${workspaces.erasedAt}, excluded.erased_at)` };
  const own = eq(workspaces.id, entry.id);
  await withRetry(() => insertion.onConflictDoUpdate({ target: workspaces.number, set: marked, setWhere: own }));
}

export async function updateEntry(
  env: Env,
  { number, id }: WorkspaceRef,
  change: Partial<Pick<Workspace, "database" | "writeLimit" | "agreementChanged">>,
): Promise<void> {
  const own = and(eq(workspaces.number, number), eq(workspaces.id, id));
  await withRetry(() => directory(env).update(workspaces).set(change).where(own));
}

/** Ends a move that a restore has brought back. */
export async function endMove(env: Env, { number }: WorkspaceRef): Promise<void> {
  await withRetry(() => directory(env).delete(moves).where(eq(moves.workspace, number)));
}

/** Starts the copy of a move again, and takes the move away from the part that may be running. */
export async function restartCopy(env: Env, { number }: WorkspaceRef): Promise<void> {
  const again = { cursor: null, claim: null, claimedUntil: 0 };
  const isCopying = and(eq(moves.workspace, number), eq(moves.state, "copying"));
  await withRetry(() => directory(env).update(moves).set(again).where(isCopying));
}
