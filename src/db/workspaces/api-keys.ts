import { and, eq, getTableColumns, gt, isNull, lt, or, sql } from "drizzle-orm";

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

type StoredKey = typeof apiKeys.$inferSelect;

/** The workspace that a key opens, and what the key may do there. `scopes` are `null` for all. */
export interface KeyGrant extends Omit<StoredKey, Ungranted> {
  keyId: string;
  workspace: WorkspaceRef & Partial<RateSettings>;
}

type Ungranted = "id" | "workspace" | "hash" | "lastFour" | "text" | "createdAt" | "revokedAt" | "successor";

const { workspace: _number, hash: _hash, ...summaryColumns } = getTableColumns(apiKeys);
export { summaryColumns };

/** A key without its hash. */
export type KeySummary = Pick<StoredKey, keyof typeof summaryColumns>;

export type NewKey = Omit<StoredKey, "workspace" | "revokedAt" | "lastUsedDay" | "successor">;

const grantColumns = {
  keyId: apiKeys.id,
  name: apiKeys.name,
  scopes: apiKeys.scopes,
  expiresAt: apiKeys.expiresAt,
  lastUsedDay: apiKeys.lastUsedDay,
  origins: apiKeys.origins,
  writeLimit: apiKeys.writeLimit,
  sealed: apiKeys.sealed,
  sealedBy: apiKeys.sealedBy,
  segmentBatches: apiKeys.segmentBatches,
};

const isUsable = (now: number) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));

/**
 * Finds the grant of the key with this SHA-256 (hex), or with this id.
 * @returns `null` for an unknown, expired or revoked key, and once its workspace is being erased
 */
export async function findGrant(
  env: Env,
  key: { hash: string } | { keyId: string },
  session?: ReadSession,
): Promise<(KeyGrant & { workspace: typeof workspaces.$inferSelect }) | null> {
  const named = "hash" in key ? eq(apiKeys.hash, key.hash) : eq(apiKeys.id, key.keyId);
  const [row] = await withRetry(() =>
    directory(env, session)
      .select({ ...grantColumns, workspace: workspaces })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
      .where(and(named, isUsable(Date.now()), isNull(workspaces.erasedAt))),
  );
  return row ?? null;
}

const apiKey = columnsOf(apiKeys);
const entry = columnsOf(workspaces);

/** SQL text, because it inserts what it selects, and opens a workspace in the same transaction. */
const insertKeyWhere = (condition: string) =>
  prepare(`
INSERT INTO ${apiKey.table} (${apiKey.workspace}, ${apiKey.id}, ${apiKey.name}, ${apiKey.hash}, ${apiKey.lastFour},
  ${apiKey.scopes}, ${apiKey.createdAt}, ${apiKey.expiresAt}, ${apiKey.origins}, ${apiKey.text}, ${apiKey.writeLimit},
  ${apiKey.sealed}, ${apiKey.sealedBy}, ${apiKey.segmentBatches})
SELECT ${entry.number}, :keyId, :name, :hash, :lastFour, :scopes, :createdAt, :expiresAt, :origins, :text, :writeLimit,
  :sealed, :sealedBy, :segmentBatches FROM ${entry.table}
WHERE ${entry.id} = :id AND ${entry.erasedAt} IS :erasedAt${condition}
ON CONFLICT (${apiKey.id}) DO NOTHING`);
const INSERT_KEY = insertKeyWhere("");
/** Only if the statement before it has ended the old key. */
const INSERT_SUCCESSOR = insertKeyWhere(" AND changes() > 0");

const keyValues = (workspaceId: string, key: NewKey, erasedAt: number | null) => ({
  ...key,
  scopes: key.scopes && JSON.stringify(key.scopes),
  origins: key.origins && JSON.stringify(key.origins),
  segmentBatches: Number(key.segmentBatches),
  keyId: key.id,
  id: workspaceId,
  erasedAt,
});

/** @param erasedAt the mark of a workspace that is being created; `null` for an open one */
export const insertKeyStatement = (workspaceId: string, key: NewKey, erasedAt: number | null): Statement =>
  INSERT_KEY.bind(keyValues(workspaceId, key, erasedAt));

const insertSuccessor = (workspaceId: string, key: NewKey): Statement =>
  INSERT_SUCCESSOR.bind(keyValues(workspaceId, key, null));

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

const ownKey = (workspace: WorkspaceRef, keyId: string) =>
  and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspace.number));

/** Finds a key, also one that has ended. */
export async function findKeyRecord(env: Env, workspace: WorkspaceRef, keyId: string): Promise<StoredKey | null> {
  const [row] = await withRetry(() => directory(env).select().from(apiKeys).where(ownKey(workspace, keyId)));
  return row ?? null;
}

/** Fields that are `undefined` stay. */
export type KeyChange = { [Field in "name" | "origins" | "writeLimit" | "expiresAt"]?: StoredKey[Field] | undefined };

/** Changes a key. @returns the changed key; `null` when the workspace has no such key, or it is revoked */
export async function updateKey(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  change: KeyChange,
  audit: AuditEntry,
): Promise<StoredKey | null> {
  const own = and(ownKey(workspace, keyId), isNull(apiKeys.revokedAt));
  const [row] = await changeAudited(env, directory(env).update(apiKeys).set(change).where(own).returning(), audit);
  return row ?? null;
}

/** SQL text, because the new key is inserted in the same transaction. */
const END_KEY = prepare(`
UPDATE ${apiKey.table} SET ${apiKey.successor} = :successor,
  ${apiKey.expiresAt} = min(:endsAt, coalesce(${apiKey.expiresAt}, :endsAt)), ${apiKey.revokedAt} = :revokedAt
WHERE ${apiKey.id} = :keyId AND ${apiKey.successor} IS NULL AND ${apiKey.revokedAt} IS NULL`);

/**
 * Stores the successor of a key, which ends at `endsAt` at the latest.
 * @returns false when the workspace no longer exists, the key has ended or another successor, or a key has this id
 */
export async function replaceKey(
  env: Env,
  workspaceId: string,
  old: { keyId: string; endsAt: number; revokedAt: number | null },
  key: NewKey,
  audit: AuditEntry,
): Promise<boolean> {
  const ending = END_KEY.bind({ ...old, successor: key.id });
  const statements = [ending, insertSuccessor(workspaceId, key), auditStatement(audit)] as const;
  const [, { meta }] = await once(() => sendBatch(directory(env), statements));
  return meta.changes > 0;
}

/** Records the day (UTC, in days since the epoch) on which somebody used a key. */
export async function recordUse(env: Env, keyId: string, day: number): Promise<void> {
  const isOlder = or(isNull(apiKeys.lastUsedDay), lt(apiKeys.lastUsedDay, day));
  await directory(env)
    .update(apiKeys)
    .set({ lastUsedDay: day })
    .where(and(eq(apiKeys.id, keyId), isOlder));
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
  const revocation = directory(env).update(apiKeys).set(revoked).where(ownKey(workspace, keyId));
  const { meta } = await changeAudited(env, revocation, audit);
  return meta.changes > 0;
}
