/** Erases workspaces. An erasure is marked first and then done in steps. The queue does what one call can't finish. */
import { deletePrefix } from "../../archive/store.ts";
import { archivePrefix } from "../../core/archive/names.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { eraseRows, forgetWorkspace, isMarked, markErased } from "../../db/workspaces/erase-workspace.ts";
import { callLimiter } from "../../limiter/call-limiter.ts";
import { type Call, timed } from "../call.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

/**
 * Erases a workspace with everything in it, including the storage of its Durable Object.
 * @returns whether everything is erased. The rest is invisible, and the queue erases it.
 */
export async function eraseWorkspace(call: Call, workspace: WorkspaceRef, now: number): Promise<boolean> {
  await timed(call, "databaseMs", () => markErased(call.env, workspace, now));
  await timed(call, "limiterMs", () => eraseLimiter(call.env, workspace.id));
  const isErased = await timed(call, "databaseMs", () => eraseMarked(call.env, workspace, now));
  if (!isErased) await enqueueRest(call.env, { task: "erase_workspace", workspace, now });
  return isErased;
}

/** Continues an interrupted erasure or removes an interrupted creation. @returns whether nothing is left to do */
export async function continueWorkspaceErasure(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  if (!(await markErased(env, workspace, now, isMarked))) return true;
  await eraseLimiter(env, workspace.id);
  return eraseMarked(env, workspace, now);
}

/** Deletes what a marked workspace holds: rows, files, and the workspace last. @returns whether nothing is left */
export async function eraseMarked(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  if (!(await eraseRows(env, workspace, now))) return false;
  if (!(await deletePrefix(env, archivePrefix(workspace.id)))) return false;
  await forgetWorkspace(env, workspace);
  return true;
}

/** Erases the storage of the workspace's Durable Object. From then on the object refuses every key. */
export const eraseLimiter = (env: Env, workspaceId: string): Promise<void> =>
  callLimiter(env, workspaceId, (limiter) => limiter.erase());
