/**
 * Creates a workspace: enters it in the directory, then opens it in its database and with its first key. Only the last step
 * is SQL text, in one transaction with the insertion of the key.
 */
import { and, eq, sql } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { auditStatement } from "../audit/audit-log.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { prepare } from "../client/prepare.ts";
import { sendBatch } from "../client/run-statements.ts";
import { workspaces, workspaceStates } from "../schema/schema.ts";
import { insertKeyStatement, type NewKey } from "./api-keys.ts";
import type { Workspace } from "./find-workspace.ts";

/**
 * Enters a new workspace in the directory. Until it is opened, it is marked as being erased, so that the cron removes it
 * when its creation is interrupted.
 * @returns `null` when a workspace has this id
 */
export async function insertWorkspace(
  env: Env,
  workspace: Pick<Workspace, "id" | "name" | "writeLimit" | "database" | "createdAt">,
): Promise<Workspace | null> {
  const insertion = directory(env)
    .insert(workspaces)
    .values({ ...workspace, erasedAt: workspace.createdAt });
  const [inserted] = await once(() => insertion.onConflictDoNothing({ target: workspaces.id }).returning());
  return inserted ?? null;
}

/**
 * Gives a workspace that is being created a number above all others, when the journal has its number for another
 * workspace.
 * @param newest the highest number in the journal
 * @returns `null` when the cron removes the workspace
 */
export async function renumber(env: Env, { number, createdAt }: Workspace, newest: number): Promise<Workspace | null> {
  const next = { number: sql`(SELECT max(max(${workspaces.number}), ${newest}) + 1 FROM ${workspaces})` };
  const own = and(eq(workspaces.number, number), eq(workspaces.erasedAt, createdAt));
  const [changed] = await once(() => directory(env).update(workspaces).set(next).where(own).returning());
  return changed ?? null;
}

const entry = columnsOf(workspaces);
const OPEN = prepare(`
UPDATE ${entry.table} SET ${entry.erasedAt} = NULL
WHERE ${entry.number} = :workspace AND ${entry.erasedAt} = :createdAt`);

/**
 * Opens a new workspace with its first key.
 * @returns false when another request has opened it, when the cron removes it because this came too late, or when its
 *   database knows another workspace with this number
 */
export async function openWorkspace(
  env: Env,
  { id, number, database, createdAt }: Workspace,
  key: NewKey,
  audit: AuditEntry | null = null,
): Promise<boolean> {
  const db = databaseOf(env, { database });
  const own = db
    .select()
    .from(workspaceStates)
    .where(and(eq(workspaceStates.number, number), eq(workspaceStates.id, id)));
  const insertion = db.insert(workspaceStates).values({ number, id, state: "live" }).onConflictDoNothing();
  if ((await withRetry(() => db.batch([insertion, own])))[1].length === 0) return false;
  const opening = [
    insertKeyStatement(id, key, createdAt),
    OPEN.bind({ workspace: number, createdAt }),
    auditStatement(audit),
  ] as const;
  const [, opened] = await once(() => sendBatch(directory(env), opening));
  return opened.meta.changes > 0;
}
