/**
 * Writes within a workspace's limit: charges first, and refunds if nothing was stored. It asks the workspace's Durable
 * Object (limiter/write-limiter.ts), which decides with `consume` (core/limit/write-window.ts).
 */
import type { WorkspaceRef } from "../db/client/database.ts";
import { DatabaseUnavailable } from "../db/client/faults.ts";
import { callLimiter, limiterOf } from "../limiter/call-limiter.ts";
import type { WriteDecision, WriteQuota, WriteRefusal } from "../limiter/write-limiter.ts";
import type { Call } from "./call.ts";
import { evictKey } from "./workspaces/api-keys.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";
import { findWorkspace } from "../db/workspaces/find-workspace.ts";

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
  write: (workspace: WorkspaceRef) => Promise<T>,
): Promise<T | WriteRefusal> {
  const { env, grant, logFields } = call;
  logFields.messages = cost;
  const admitted = await charge(call, cost);
  if (admitted.outcome !== "admitted") return admitted;
  const { database } = admitted;
  // A cached key may name the database that the workspace has left.
  if (database !== grant.workspace.database) evictKey(grant.keyId);
  try {
    return await write({ ...grant.workspace, database }).catch((error: unknown) => {
      // After a lost answer the messages may be stored, and may have moved. Then the sender has to repeat the request.
      const isElsewhere = error instanceof DatabaseUnavailable && error.kind === "not_live" && error.notApplied;
      if (isElsewhere) return writeElsewhere(call, write);
      throw error;
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.notApplied) await refund(env, grant, admitted);
    throw error;
  }
}

/**
 * Writes to the database that the directory names. The limiter learns of a move last. @throws what `write` throws,
 * while the workspace moves
 */
async function writeElsewhere<T>(
  call: WriteCall,
  write: (workspace: WorkspaceRef) => Promise<T>,
): Promise<T | WriteRefusal> {
  const { env, grant } = call;
  const workspace = await findWorkspace(env, grant.workspace.id);
  evictKey(grant.keyId);
  if (workspace === null) return { outcome: "unauthorized" };
  return write(workspace);
}

async function charge(call: WriteCall, cost: number): Promise<WriteDecision> {
  const { env, grant, onQuota } = call;
  const { keyId, workspace, origins, writeLimit } = grant;
  const keyLimit = writeLimit ?? (origins === null ? undefined : "half");
  const decision = await callLimiter(env, workspace.id, async (limiter): Promise<WriteDecision> =>
    limiter.consume({ keyId, cost, ...(keyLimit !== undefined && { keyLimit }) }),
  );
  if (decision.outcome === "unauthorized") evictKey(keyId);
  if ("left" in decision) onQuota(decision);
  return decision;
}

/**
 * Refunds a request that certainly stored nothing. If the call fails, the charge stays. The call is never repeated: when
 * only its answer was lost, a second refund would undo another request's charge.
 */
async function refund(
  env: Env,
  { workspace }: KeyGrant,
  { charges, keyCharges }: Extract<WriteDecision, { outcome: "admitted" }>,
): Promise<void> {
  if (charges.length === 0) return;
  await limiterOf(env, workspace.id)
    .refund(charges, keyCharges)
    .catch(() => undefined);
}
