/** The directory's record of imports: docs/wire/admin.md §21. A workspace has one at a time, and none beside a move. */
import { and, eq, isNotNull, isNull, lte, notExists, or } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { moves, workspaces } from "../schema/schema.ts";
import { findWorkspace, notErased, type Workspace } from "./find-workspace.ts";

/** Starts an import, unless the workspace has one or is being moved. */
export async function insertImport(
  env: Env,
  { number }: WorkspaceRef,
  started: { importLimit: number; importStartedAt: number; importExpiresAt: number },
  audit: AuditEntry,
): Promise<void> {
  const db = directory(env);
  const move = db.select({ workspace: moves.workspace }).from(moves).where(eq(moves.workspace, number));
  const isFree = and(eq(workspaces.number, number), notErased, isNull(workspaces.importStartedAt), notExists(move));
  await changeAudited(env, db.update(workspaces).set(started).where(isFree), audit);
}

const isOf = ({ number, importStartedAt }: Workspace) =>
  and(eq(workspaces.number, number), eq(workspaces.importStartedAt, importStartedAt ?? 0));

/** Takes the limit away from an import. From then on it is over, and `forgetImport` completes its end. */
export async function markImportEnded(env: Env, workspace: Workspace, audit: AuditEntry): Promise<void> {
  const running = and(isOf(workspace), isNotNull(workspaces.importLimit));
  await changeAudited(env, directory(env).update(workspaces).set({ importLimit: null }).where(running), audit);
}

/** Lets the workspace be scored again. */
export async function forgetImport(env: Env, workspace: Workspace): Promise<void> {
  const none = { importStartedAt: null, importExpiresAt: null };
  await withRetry(() => directory(env).update(workspaces).set(none).where(isOf(workspace)));
}

/** Lists workspaces whose import has expired, or whose end was interrupted. */
export const listEndedImports = (env: Env, now: number): Promise<Workspace[]> => {
  const isOver = or(isNull(workspaces.importLimit), lte(workspaces.importExpiresAt, now));
  const ended = and(notErased, isNotNull(workspaces.importStartedAt), isOver);
  return withRetry(() => directory(env).select().from(workspaces).where(ended));
};

/** Whether scoring waits. */
export const hasImport = async (env: Env, { id }: WorkspaceRef): Promise<boolean> =>
  ((await findWorkspace(env, id))?.importStartedAt ?? null) !== null;
