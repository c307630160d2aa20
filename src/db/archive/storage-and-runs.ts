/** Reads how much a workspace stores, and its last recompute runs, in one round trip. */
import { selectStorage } from "./storage-sql.ts";
import { newBatch } from "../client/batch.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { selectRuns } from "../recompute/runs.ts";

export async function readStorageAndRuns(
  env: Env,
  workspace: WorkspaceRef,
  { now, runs: limit }: { now: number; runs: number },
) {
  const batch = newBatch(env, workspace);
  const readStorage = selectStorage(batch, now);
  const readRuns = selectRuns(batch, limit);
  await batch.run();
  return { storage: readStorage(), runs: readRuns() };
}
