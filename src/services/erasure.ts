/**
 * Erases workspaces, users, and the identity traits that an agreement covered. Each erasure is marked first and then
 * done in steps, so the cron can finish one that was interrupted.
 */
import type { WorkspaceRef } from "../db/client/database.ts";
import { eraseUser as eraseUserRows } from "../db/users/erase-user.ts";
import { eraseMarked, listMarkedErased, markErased } from "../db/workspaces/erase-workspace.ts";
import { callLimiter } from "../limiter/call-limiter.ts";
import { type Call, timed } from "./call.ts";
import { settleAll } from "./settle-all.ts";
import { evictKey, type KeyGrant } from "./workspaces/api-keys.ts";

export { finishWithdrawals, withdrawAgreement } from "../db/identity/agreement.ts";
export { finishUserErasures } from "../db/users/erase-user.ts";

/** Erases a workspace with everything in it, including the storage of its Durable Object. */
export async function eraseWorkspace(call: Call, workspace: WorkspaceRef, now: number): Promise<void> {
  await timed(call, "databaseMs", () => markErased(call.env, workspace, now));
  await timed(call, "limiterMs", () => eraseLimiter(call.env, workspace.id));
  await timed(call, "databaseMs", () => eraseMarked(call.env, workspace));
}

/**
 * Finishes erasures of workspaces that were interrupted.
 * @throws AggregateError when some failed
 */
export async function finishWorkspaceErasures(env: Env): Promise<void> {
  const marked = await listMarkedErased(env);
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

/**
 * Erases a user. An unknown id counts as erased.
 * @param id external or internal
 * @returns `in_progress` when the user's log is too large for one call: a repeated call continues
 */
export async function eraseUser(
  call: Call,
  grant: KeyGrant,
  id: string,
): Promise<"erased" | "in_progress" | "unauthorized"> {
  const outcome = await timed(call, "databaseMs", () => eraseUserRows(call.env, grant, id));
  if (outcome !== "key_gone") return outcome;
  evictKey(grant.keyId);
  return "unauthorized";
}
