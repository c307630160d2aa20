/** The named tokens of administrators. They are in the directory. */
import { desc, eq } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { adminTokens } from "../schema/schema.ts";

export type AdminToken = typeof adminTokens.$inferSelect;

export const listAdminTokens = (env: Env): Promise<AdminToken[]> =>
  withRetry(() => directory(env).select().from(adminTokens).orderBy(desc(adminTokens.createdAt), adminTokens.id));

/** @param hash SHA-256 of the token, in hex */
export async function findAdminToken(env: Env, hash: string): Promise<AdminToken | null> {
  const [row] = await withRetry(() => directory(env).select().from(adminTokens).where(eq(adminTokens.hash, hash)));
  return row ?? null;
}

/** @returns false when a token has this id */
export async function insertAdminToken(env: Env, token: AdminToken, audit: AuditEntry): Promise<boolean> {
  const insertion = directory(env).insert(adminTokens).values(token).onConflictDoNothing();
  return (await changeAudited(env, insertion, audit)).meta.changes > 0;
}

/** @returns false for an unknown token */
export async function deleteAdminToken(env: Env, id: string, audit: AuditEntry): Promise<boolean> {
  const deletion = directory(env).delete(adminTokens).where(eq(adminTokens.id, id));
  return (await changeAudited(env, deletion, audit)).meta.changes > 0;
}

/** @param day since the epoch, UTC */
export async function markTokenUsed(env: Env, id: string, day: number): Promise<void> {
  await withRetry(() => directory(env).update(adminTokens).set({ lastUsedDay: day }).where(eq(adminTokens.id, id)));
}
