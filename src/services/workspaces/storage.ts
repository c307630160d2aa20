/** Holds the limits on what workspaces store in their databases: docs/decisions/0029-limits-of-storage.md. */
import { describeFault } from "../../core/describe-fault.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { measureStorage, type Storage, type Stored } from "../../db/archive/storage-sql.ts";
import { findWorkspace } from "../../db/workspaces/workspaces.ts";
import { configureLimiter } from "../../limiter/call-limiter.ts";

export { measureStorage, type Storage, type Stored };

/** What a message takes while a workspace has none to measure. */
const TYPICAL_MESSAGE_BYTES = 400;

/** Measures the workspace if it has a limit, and tells its limiter how many messages still fit. */
export async function updateRoom(env: Env, workspace: WorkspaceRef): Promise<void> {
  const limitBytes = (await findWorkspace(env, workspace.id))?.storageLimitBytes ?? null;
  if (limitBytes === null) return;
  const { hot } = await measureStorage(env, workspace, Date.now());
  const messageBytes = hot.messages === 0 ? TYPICAL_MESSAGE_BYTES : hot.bytes / hot.messages;
  const room = Math.max(0, Math.floor((limitBytes - hot.bytes) / messageBytes));
  await configureLimiter(env, workspace.id, { room });
}

/** Does the same after a run. A run doesn't depend on the directory or on the limiter, and the next one measures again. */
export const updateRoomAfterRun = (env: Env, workspace: WorkspaceRef): Promise<void> =>
  updateRoom(env, workspace).catch((error: unknown) => {
    console.error(JSON.stringify({ operation: "storage", workspace: workspace.id, fault: describeFault(error) }));
  });
