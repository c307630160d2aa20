import { and, eq, isNull, sql } from "drizzle-orm";

import type { Scope } from "../../core/api-key.ts";
import { type Database, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { apiKeys, workspaces } from "../schema/schema.ts";
import { workspaceRefColumns } from "./workspace-ref.ts";

/** The workspace and scopes that a key grants. */
export interface KeyGrant {
  keyId: string;
  workspace: WorkspaceRef;
  scopes: string[] | null;
}

export const summaryColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};

type StoredKey = typeof apiKeys.$inferSelect;

/** A key without its secret. */
export type KeySummary = Pick<StoredKey, keyof typeof summaryColumns>;

export type NewKey = Omit<StoredKey, "workspace" | "scopes" | "revokedAt"> & { scopes: Scope[] | null };

/** Finds the grant of the key with this SHA-256 (hex). @returns `null` for an unknown or revoked key */
export async function findGrant(env: Env, hash: string): Promise<KeyGrant | null> {
  const [row] = await withRetry(() =>
    directory(env)
      .select({ keyId: apiKeys.id, scopes: apiKeys.scopes, ...workspaceRefColumns })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
      .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt), isNull(workspaces.erasedAt))),
  );
  if (row === undefined) return null;
  const { keyId, scopes, ...workspace } = row;
  return { keyId, scopes, workspace };
}

/** Finds the workspace of a key that is not revoked, and its present database. */
export async function findWorkspaceOfKey(env: Env, keyId: string): Promise<WorkspaceRef | null> {
  const live = directory(env)
    .select(workspaceRefColumns)
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt), isNull(workspaces.erasedAt)));
  const [workspace] = await withRetry(() => live);
  return workspace ?? null;
}

/** Stores a key. @returns false when the workspace no longer exists, or a key has this id */
export async function insertKey(env: Env, workspaceId: string, key: NewKey): Promise<boolean> {
  const result = await once(() =>
    insertKeyQuery(directory(env), workspaceId, key).onConflictDoNothing({ target: apiKeys.id }),
  );
  return result.meta.changes > 0;
}

/** Builds the insert, which also works for a workspace created in the same transaction. */
export function insertKeyQuery(db: Database, workspaceId: string, key: NewKey) {
  const scopes = key.scopes === null ? null : JSON.stringify(key.scopes);
  const live = db
    .select({
      id: sql<string>`${key.id}`.as("id"),
      workspace: workspaces.number,
      name: sql<string | null>`${key.name}`.as("name"),
      hash: sql<string>`${key.hash}`.as("hash"),
      lastFour: sql<string>`${key.lastFour}`.as("last_four"),
      scopes: sql<string[] | null>`${scopes}`.as("scopes"),
      createdAt: sql<number>`${key.createdAt}`.as("created_at"),
      revokedAt: sql<null>`NULL`.as("revoked_at"),
    })
    .from(workspaces)
    .where(and(eq(workspaces.id, workspaceId), isNull(workspaces.erasedAt)));
  return db.insert(apiKeys).select(live);
}

/** Revokes a key. May be repeated. @returns false when the workspace has no such key */
export async function revokeKey(env: Env, workspace: WorkspaceRef, keyId: string, now: number): Promise<boolean> {
  const own = and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspace.number));
  const [, found] = await withRetry(() =>
    directory(env).batch([
      directory(env)
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(and(own, isNull(apiKeys.revokedAt))),
      directory(env).select({ id: apiKeys.id }).from(apiKeys).where(own),
    ]),
  );
  return found.length > 0;
}
