/** Erases workspaces. An erasure is marked first and then done in steps, so the cron can finish an interrupted one. */
import type { WorkspaceRef } from "../../db/client/database.ts";
import { eraseMarked, listMarkedErased, markErased } from "../../db/workspaces/erase-workspace.ts";
import { callLimiter } from "../../limiter/call-limiter.ts";
import { type Call, timed } from "../call.ts";
import { settleAll } from "../settle-all.ts";

/** Erases a workspace with everything in it, including the storage of its Durable Object. */
export async function eraseWorkspace(call: Call, workspace: WorkspaceRef, now: number): Promise<void> {
  await timed(call, "databaseMs", () => markErased(call.env, workspace, now));
  await timed(call, "limiterMs", () => eraseLimiter(call.env, workspace.id));
  await timed(call, "databaseMs", () => eraseMarked(call.env, workspace));
}

/** A workspace that was marked later may still be in the hands of the request that creates or erases it. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Finishes erasures of workspaces, and removes those whose creation was interrupted.
 * @throws AggregateError when some failed
 */
export async function finishWorkspaceErasures(env: Env, now: number): Promise<void> {
  const marked = await listMarkedErased(env, now - INTERRUPTED_AFTER_MS);
  await settleAll(
    marked.map(async (workspace) => {
      await eraseLimiter(env, workspace.id);
      await eraseMarked(env, workspace);
    }),
  );
}

/** Erases the storage of the workspace's Durable Object. From then on the object refuses every key. */
export const eraseLimiter = (env: Env, workspaceId: string): Promise<void> =>
  callLimiter(env, workspaceId, (limiter) => limiter.erase());
