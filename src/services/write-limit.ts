/**
 * Writes within a workspace's limit: charges first, and refunds if nothing was stored. It calls `checkWriteLimit`
 * (limiter/check-write-limit.ts), which asks the workspace's Durable Object (limiter/write-limiter.ts), which decides with
 * `consume` (core/limit/write-window.ts). A refund goes the same way.
 */
import type { WorkspaceRef } from "../db/client/database.ts";
import { DatabaseUnavailable } from "../db/client/faults.ts";
import { checkWriteLimit, refundCharges } from "../limiter/check-write-limit.ts";
import type { Admission, WriteQuota, WriteRefusal } from "../limiter/limiter-rpc.ts";
import { type Call, timed } from "./call.ts";
import { evictKey, type KeyGrant } from "./workspaces/api-keys.ts";
import { eraseLimiter } from "./workspaces/erase-workspace.ts";
import { findWorkspace } from "./workspaces/workspaces.ts";

export type { WriteQuota, WriteRefusal };

export interface WriteCall extends Call {
  grant: KeyGrant;
  /** Called before anything is stored, so that responses to later failures can include the quota. */
  onQuota: (quota: WriteQuota) => void;
}

/**
 * Charges `cost` messages and, if they are admitted, runs `write`.
 * @throws LimiterUnavailable, or what `write` throws
 */
export async function writeWithinLimit<T>(
  call: WriteCall,
  cost: number,
  write: (workspace: WorkspaceRef) => Promise<T | { outcome: "workspace_gone" }>,
): Promise<T | WriteRefusal> {
  const { env, grant, logFields } = call;
  logFields.messages = cost;
  const admitted = cost === 0 ? { charges: [], database: grant.workspace.database } : await charge(call, cost);
  if ("outcome" in admitted && admitted.outcome !== "admitted") return admitted;
  const { charges, database } = admitted;
  // A cached key may name the database that the workspace has left.
  if (database !== grant.workspace.database) evictKey(grant.keyId);
  try {
    const result = await timed(call, "databaseMs", () => write({ ...grant.workspace, database }));
    if (!isWorkspaceGone(result)) return result;
    evictKey(grant.keyId);
    const workspace = await timed(call, "databaseMs", () => findWorkspace(env, grant.workspace.id));
    if (workspace === null) {
      // The charge has brought the erased workspace's limiter back into use.
      await eraseLimiter(env, grant.workspace.id);
      return { outcome: "unauthorized" };
    }
    // The limiter learns of a move last.
    const moved = await timed(call, "databaseMs", () => write(workspace));
    if (!isWorkspaceGone(moved)) return moved;
    throw new DatabaseUnavailable("the workspace is being moved", true);
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.notApplied) await refundCharges(env, grant.workspace.id, charges);
    throw error;
  }
}

async function charge(call: WriteCall, cost: number): Promise<Admission | WriteRefusal> {
  const { env, grant, onQuota } = call;
  const request = { keyId: grant.keyId, cost };
  const decision = await timed(call, "limiterMs", () => checkWriteLimit(env, grant.workspace.id, request));
  if (decision.outcome === "unauthorized") evictKey(grant.keyId);
  if ("left" in decision) onQuota(decision);
  return decision;
}

const isWorkspaceGone = (result: unknown): result is { outcome: "workspace_gone" } =>
  typeof result === "object" && result !== null && "outcome" in result && result.outcome === "workspace_gone";
