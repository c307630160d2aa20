/**
 * Opens and closes imports of historical data: docs/wire/admin.md §21. While a workspace has one, its write limit is the
 * import's, and its messages are folded but not scored, because a score would mistake events that are still to come for
 * silence. Every step of the end may be repeated, and the cron completes one that was interrupted.
 */
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { HOUR_MS } from "../../core/durations.ts";
import { readMove } from "../../db/moves/move-records.ts";
import { requestRebuild } from "../../db/recompute/rebuild-sql.ts";
import { findWorkspace, type Workspace } from "../../db/workspaces/find-workspace.ts";
import { forgetImport, insertImport, listEndedImports, markImportEnded } from "../../db/workspaces/imports.ts";
import { settleAll } from "../tasks/settle-all.ts";
import { copyLimits } from "./storage-limits.ts";

export interface RunningImport {
  /** Messages per window, in place of the workspace's own limit. */
  writeLimit: number;
  startedAt: number;
  /** The cron ends it then. */
  expiresAt: number;
}

/** @returns `null` without an import, and once it has ended */
export const importOf = ({ importLimit, importStartedAt, importExpiresAt }: Workspace): RunningImport | null =>
  importLimit === null || importStartedAt === null || importExpiresAt === null
    ? null
    : { writeLimit: importLimit, startedAt: importStartedAt, expiresAt: importExpiresAt };

export async function startImport(
  env: Env,
  workspace: Workspace,
  { writeLimit, ttlHours }: { writeLimit: number; ttlHours: number },
  now: number,
  actor: Actor,
): Promise<RunningImport | "import_running" | "move_running"> {
  // The end of the last one was interrupted.
  if (workspace.importStartedAt !== null && importOf(workspace) === null) await endImport(env, workspace, actor);
  const importExpiresAt = now + ttlHours * HOUR_MS;
  const details = { writeLimit, expiresAt: new Date(importExpiresAt).toISOString() };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "import_started", details };
  await insertImport(env, workspace, { importLimit: writeLimit, importStartedAt: now, importExpiresAt }, audit);
  const found = await findWorkspace(env, workspace.id);
  const running = found && importOf(found);
  if (running === null) return (await readMove(env, workspace)) === null ? "import_running" : "move_running";
  // A repeated call completes one that was interrupted.
  await copyLimits(env, workspace);
  return running.startedAt === now ? running : "import_running";
}

/**
 * Restores the write limit and requests a rebuild, which scores the imported history.
 * @returns false without an import
 */
export async function endImport(env: Env, workspace: Workspace, actor: Actor): Promise<boolean> {
  if (workspace.importStartedAt === null) return false;
  await markImportEnded(env, workspace, { workspace: workspace.id, actor, action: "import_ended" });
  await copyLimits(env, workspace);
  // This comes before the workspace is scored: news of old days would be told otherwise.
  await requestRebuild(env, workspace);
  await forgetImport(env, workspace);
  return true;
}

/** Ends the imports that have expired, and completes interrupted ends. @throws AggregateError after all had their turn */
export async function endExpiredImports(env: Env, now: number): Promise<void> {
  const ended = await listEndedImports(env, now);
  await settleAll(
    "end_import",
    ended.map((workspace) => endImport(env, workspace, "cron")),
  );
}
