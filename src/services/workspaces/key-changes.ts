/** Creates, changes, rotates and revokes the keys of a workspace: docs/wire/keys.md §22. */
import { newApiKey } from "../../core/api-key.ts";
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { HOUR_MS } from "../../core/durations.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import {
  findKeyRecord,
  insertKey,
  type KeyChange,
  type KeySummary,
  type NewKey,
  replaceKey,
  revokeKey as markRevoked,
  updateKey,
} from "../../db/workspaces/api-keys.ts";
import { callLimiter } from "../../limiter/call-limiter.ts";
import { randomId } from "../random-id.ts";
import { seal } from "../sealing/sealing.ts";
import { newSigningSecret } from "../signatures/sign.ts";
import { evictKey, hashKey } from "./api-keys.ts";

/** What the creator of a key chooses. `scopes` of `null` are all scopes, including future ones. */
export type KeySettings = Pick<
  NewKey,
  "name" | "scopes" | "expiresAt" | "origins" | "writeLimit" | "segmentBatches"
> & { signed: boolean };

/** The key has all scopes. */
const DEFAULTS: KeySettings = {
  name: null,
  scopes: null,
  expiresAt: null,
  origins: null,
  writeLimit: null,
  signed: false,
  segmentBatches: false,
};

/** A key's text and signing secret, which are shown once, and the record that is stored. */
export interface GeneratedKey {
  key: string;
  signingSecret: string | null;
  record: NewKey;
}

/** @throws RangeError for a signed key without `SECRETS_KEY` */
export async function generateKey(
  env: Env,
  chosen: Partial<KeySettings>,
  now: number,
  id = randomId("key"),
): Promise<GeneratedKey> {
  const { signed, ...settings } = { ...DEFAULTS, ...chosen };
  const key = newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)));
  const signingSecret = signed ? newSigningSecret() : null;
  const sealed = signingSecret === null ? null : await seal(env, id, { signingSecret });
  const record = {
    ...settings,
    id,
    hash: await hashKey(key),
    lastFour: key.slice(-4),
    createdAt: now,
    // The page that uses it shows it to everybody.
    text: settings.origins === null ? null : key,
    sealed: sealed?.sealed ?? null,
    sealedBy: sealed?.sealedBy ?? null,
  };
  return { key, signingSecret, record };
}

/**
 * Creates another key.
 * @param settings with an `id`, the key is created at most once
 * @returns `null` when the workspace was erased, or a key has this id
 */
export async function createKey(
  env: Env,
  workspace: WorkspaceRef,
  { id, ...settings }: Partial<KeySettings> & { id?: string },
  now: number,
  actor: Actor,
): Promise<GeneratedKey | null> {
  const created = await generateKey(env, settings, now, id);
  const { id: keyId, name, scopes, origins, writeLimit, expiresAt, segmentBatches } = created.record;
  const details = {
    keyId,
    name,
    scopes: scopes ?? "all",
    ...(origins !== null && { origins }),
    ...(created.signingSecret !== null && { signed: true }),
    ...(segmentBatches && { segmentBatches }),
    ...(writeLimit !== null && { writeLimit }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "key_created", details };
  return (await insertKey(env, workspace.id, created.record, audit)) ? created : null;
}

/**
 * Changes a key. A write limit holds for the next request in this isolate, and within 30 s elsewhere, like the others.
 * @returns `"secret"` for origins of a key whose text isn't public; `null` without such a key, or when it is revoked
 */
export async function changeKey(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  change: KeyChange,
  actor: Actor,
): Promise<KeySummary | "secret" | null> {
  const old = await findKeyRecord(env, workspace, keyId);
  if (old === null || old.revokedAt !== null) return null;
  if (change.origins !== undefined && old.origins === null) return "secret";
  const details = { keyId, changed: Object.keys(change) };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "key_changed", details };
  const changed = Object.keys(change).length === 0 ? old : await updateKey(env, workspace, keyId, change, audit);
  evictKey(keyId);
  return changed;
}

/**
 * Creates the successor of a key, with the same settings, and with as much time as lies between the old key's creation and
 * its expiry. The old key ends after the grace period. A key has one successor, so that a repeated call doesn't create another.
 * @param id of the successor, if the caller chooses it
 * @returns the id of the successor that it has already; `null` without such a key, or when it is revoked
 */
export async function rotateKey(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  graceHours: number,
  now: number,
  actor: Actor,
  id?: string,
): Promise<GeneratedKey | { successor: string } | null> {
  const old = await findKeyRecord(env, workspace, keyId);
  if (old === null) return null;
  if (old.successor !== null) return { successor: old.successor };
  if (old.revokedAt !== null) return null;
  const settings = {
    name: old.name,
    scopes: old.scopes,
    origins: old.origins,
    writeLimit: old.writeLimit,
    segmentBatches: old.segmentBatches,
    signed: old.sealed !== null,
    expiresAt: old.expiresAt === null ? null : now + (old.expiresAt - old.createdAt),
  };
  const successor = await generateKey(env, settings, now, id);
  const details = { keyId, successor: successor.record.id, graceHours };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "key_rotated", details };
  const ending = { keyId, endsAt: now + graceHours * HOUR_MS, revokedAt: graceHours === 0 ? now : null };
  if (!(await replaceKey(env, workspace.id, ending, successor.record, audit))) {
    // Another call was faster.
    const other = await findKeyRecord(env, workspace, keyId);
    return other?.successor == null ? null : { successor: other.successor };
  }
  evictKey(keyId);
  // Caches may know the key for a while longer, but not the limiter.
  if (graceHours === 0) await callLimiter(env, workspace.id, (limiter) => limiter.revokeKey(keyId));
  return successor;
}

/** Revokes a key: the very next write with it is refused. Returns false when the workspace has no such key. */
export async function revokeKey(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  now: number,
  actor: Actor,
): Promise<boolean> {
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "key_revoked", details: { keyId } };
  if (!(await markRevoked(env, workspace, keyId, now, audit))) return false;
  evictKey(keyId);
  await callLimiter(env, workspace.id, (limiter) => limiter.revokeKey(keyId));
  return true;
}
