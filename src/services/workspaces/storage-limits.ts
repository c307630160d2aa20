/** Applies the limits on how much workspaces store in their databases: docs/decisions/0029-limits-of-storage.md. */
import { describeFault } from "../../core/describe-fault.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { readStorage } from "../../db/archive/storage-sql.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";
import { callLimiter, configureLimiter } from "../../limiter/call-limiter.ts";

/** The assumed size of a message while a workspace has no messages to measure. */
const TYPICAL_MESSAGE_BYTES = 400;

/**
 * Copies a workspace's limits from the directory to its limiter: the write limits, and how many messages still fit. Runs and
 * administrators may do so at the same time, so the limits are read after the limiter has numbered the copy.
 */
export async function copyLimits(env: Env, workspace: WorkspaceRef): Promise<void> {
  const version = await callLimiter(env, workspace.id, (limiter) => limiter.nextVersion());
  const found = await findWorkspace(env, workspace.id);
  if (found === null) return;
  const { writeLimit: limit, importLimit, storageLimitBytes } = found;
  let room = null;
  if (storageLimitBytes !== null) {
    // Copies the write limit at once, because an overloaded database can't be measured. The lower number marks the copy
    // as incomplete.
    await configureLimiter(env, workspace.id, { limit, importLimit, version: version - 1 });
    room = await measureRoom(env, workspace, storageLimitBytes);
  }
  await configureLimiter(env, workspace.id, { limit, importLimit, room, version });
}

/** Measures how many messages still fit. */
async function measureRoom(env: Env, workspace: WorkspaceRef, limitBytes: number): Promise<number> {
  const { hot } = await readStorage(env, workspace, Date.now());
  const messageBytes = hot.messages === 0 ? TYPICAL_MESSAGE_BYTES : hot.bytes / hot.messages;
  return Math.max(0, Math.floor((limitBytes - hot.bytes) / messageBytes));
}

/** Copies a storage limit after a run. A run needs neither directory nor limiter, and the next run copies again. */
export async function updateRoomAfterRun(env: Env, workspace: WorkspaceRef): Promise<void> {
  try {
    const found = await findWorkspace(env, workspace.id);
    if (found !== null && found.storageLimitBytes !== null) await copyLimits(env, workspace);
  } catch (error) {
    console.error(JSON.stringify({ operation: "storage", workspace: workspace.id, fault: describeFault(error) }));
  }
}
