import { and, eq, isNull, sql } from "drizzle-orm";

import type { Scope } from "../../core/api-key.ts";
import { type Database, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRepeat } from "../client/faults.ts";
import { apiKeys, workspaces } from "../schema/schema.ts";

/** What a key opens. */
export interface KeyGrant {
  keyId: string;
  workspace: WorkspaceRef;
  /** `null`: all scopes. */
  scopes: string[] | null;
}

/** A key as people may see it. */
export interface KeySummary {
  id: string;
  name: string | null;
  lastFour: string;
  scopes: string[] | null;
  createdAt: number;
  revokedAt: number | null;
}

/** What of a key's row is a {@link KeySummary}. */
export const summaryColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};

export interface NewKey {
  id: string;
  hash: string;
  lastFour: string;
  name: string | null;
  scopes: Scope[] | null;
  createdAt: number;
}

/** The grant of the key with this SHA-256, in hex; `null` when there is none, or none any more. */
export async function findGrant(env: Env, hash: string): Promise<KeyGrant | null> {
  const [row] = await withRepeat(() =>
    directory(env)
      .select({ keyId: apiKeys.id, scopes: apiKeys.scopes, id: workspaces.id, number: workspaces.number })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
      .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt), isNull(workspaces.erasedAt))),
  );
  return row ? { keyId: row.keyId, scopes: row.scopes, workspace: { id: row.id, number: row.number } } : null;
}

/** Returns false when the workspace is gone, or a key has this id. */
export async function insertKey(env: Env, workspaceId: string, key: NewKey): Promise<boolean> {
  const result = await once(() =>
    insertingKey(directory(env), workspaceId, key).onConflictDoNothing({ target: apiKeys.id }),
  );
  return result.meta.changes > 0;
}

/** The statement for it; also for a workspace that is made in the same transaction. */
export function insertingKey(db: Database, workspaceId: string, key: NewKey) {
  const scopes = key.scopes === null ? null : JSON.stringify(key.scopes);
  return db.insert(apiKeys).select(
    sql`SELECT ${key.id}, number, ${key.name}, ${key.hash}, ${key.lastFour}, ${scopes}, ${key.createdAt}, NULL
      FROM ${workspaces} WHERE id = ${workspaceId} AND erased_at IS NULL`,
  );
}

/** Revoking twice is revoking once. Returns false when the workspace has no such key. */
export async function revokeKey(env: Env, workspace: WorkspaceRef, keyId: string, now: number): Promise<boolean> {
  const own = and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspace.number));
  const [, found] = await withRepeat(() =>
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
