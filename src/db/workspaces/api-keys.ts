import { and, eq, isNull, sql } from "drizzle-orm";

import type { Scope } from "../../core/api-key.ts";
import type { AuditEntry } from "../../core/audit.ts";
import type { RateSettings } from "../../core/rates.ts";
import { auditStatement, changeAudited } from "../audit/audit-log.ts";
import { columnsOf } from "../client/columns-of.ts";
import { directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { prepare } from "../client/prepare.ts";
import type { ReadSession } from "../client/read.ts";
import { sendBatch } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";
import { apiKeys, workspaces } from "../schema/schema.ts";

/** The workspace and scopes that a key grants. */
export interface KeyGrant {
  keyId: string;
  name: string | null;
  workspace: WorkspaceRef & Partial<RateSettings>;
  /** `null` for all. */
  scopes: Scope[] | null;
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

export type NewKey = Omit<StoredKey, "workspace" | "revokedAt" | "lastUsedDay">;

/**
 * Finds the grant of the key with this SHA-256 (hex), or with this id.
 * @returns `null` for an unknown or revoked key, and once its workspace is being erased
 */
export async function findGrant(
  env: Env,
  key: { hash: string } | { keyId: string },
  session?: ReadSession,
): Promise<(KeyGrant & { workspace: typeof workspaces.$inferSelect }) | null> {
  const named = "hash" in key ? eq(apiKeys.hash, key.hash) : eq(apiKeys.id, key.keyId);
  const [row] = await withRetry(() =>
    directory(env, session)
      .select({ keyId: apiKeys.id, name: apiKeys.name, scopes: apiKeys.scopes, workspace: workspaces })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
      .where(and(named, isNull(apiKeys.revokedAt), isNull(workspaces.erasedAt))),
  );
  return row ?? null;
}

const apiKey = columnsOf(apiKeys);
const entry = columnsOf(workspaces);

/** SQL text, because it inserts what it selects, and opens a workspace in the same transaction. */
const INSERT_KEY = prepare(`
INSERT INTO ${apiKey.table} (${apiKey.workspace}, ${apiKey.id}, ${apiKey.name}, ${apiKey.hash}, ${apiKey.lastFour},
  ${apiKey.scopes}, ${apiKey.createdAt}, ${apiKey.expiresAt}, ${apiKey.origins}, ${apiKey.text}, ${apiKey.writeLimit},
  ${apiKey.sealed}, ${apiKey.sealedBy}, ${apiKey.segmentBatches})
SELECT ${entry.number}, :keyId, :name, :hash, :lastFour, :scopes, :createdAt, :expiresAt, :origins, :text, :writeLimit,
  :sealed, :sealedBy, :segmentBatches FROM ${entry.table}
WHERE ${entry.id} = :id AND ${entry.erasedAt} IS :erasedAt
ON CONFLICT (${apiKey.id}) DO NOTHING`);

/** @param erasedAt the mark of a workspace that is being created; `null` for an open one */
export const insertKeyStatement = (workspaceId: string, key: NewKey, erasedAt: number | null): Statement => {
  const scopes = key.scopes && JSON.stringify(key.scopes);
  const origins = key.origins && JSON.stringify(key.origins);
  const segmentBatches = Number(key.segmentBatches);
  return INSERT_KEY.bind({ ...key, scopes, origins, segmentBatches, keyId: key.id, id: workspaceId, erasedAt });
};

/** Stores a key. @returns false when the workspace no longer exists, or a key has this id */
export async function insertKey(
  env: Env,
  workspaceId: string,
  key: NewKey,
  audit: AuditEntry | null = null,
): Promise<boolean> {
  const insertion = insertKeyStatement(workspaceId, key, null);
  const [{ meta }] = await once(() => sendBatch(directory(env), [insertion, auditStatement(audit)]));
  return meta.changes > 0;
}

/** Revokes a key. May be repeated. @returns false when the workspace has no such key */
export async function revokeKey(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  now: number,
  audit: AuditEntry | null = null,
): Promise<boolean> {
  const revoked = { revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` };
  const own = and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspace.number));
  const { meta } = await changeAudited(env, directory(env).update(apiKeys).set(revoked).where(own), audit);
  return meta.changes > 0;
}
