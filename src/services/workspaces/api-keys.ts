/** Looks up API keys. key-changes.ts creates and changes them. */
import { KEY_CACHE_MS, KEY_OUTAGE_MS, MAX_CACHED_KEYS } from "../../config.ts";
import { isWellFormedApiKey, type Scope } from "../../core/api-key.ts";
import { DAY_MS } from "../../core/durations.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { hex } from "../../core/hex.ts";
import { ttlCache } from "../../core/ttl-cache.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { within } from "../../db/client/within.ts";
import { findGrant, type KeyGrant, recordUse } from "../../db/workspaces/api-keys.ts";
import type { Workspace } from "../../db/workspaces/find-workspace.ts";
import { countFailedLookup } from "../../limiter/check-client-limit.ts";
import type { Call } from "../call.ts";

/**
 * Grants of the keys that this isolate has looked up. A cached key costs neither a query nor a hash, which would
 * suspend the request. Unknown keys are not cached, so that a new key works at once.
 */
const keyCache = ttlCache<KeyGrant>({ ttlMs: KEY_OUTAGE_MS, maxEntries: MAX_CACHED_KEYS });

/** While the directory doesn't answer, requests with a cached key ask it this often, and wait this long. */
const ASK_EVERY_MS = 5_000;
const MAX_WAIT_MS = 1_000;
/** When the directory last failed to answer, or was last asked after that; `null` while it answers. */
let failedAt: number | null = null;

/**
 * Returns the grant of a key; `null` when the key is malformed, unknown, expired or revoked.
 * @throws TooManyRequests when the client's network has sent too many unknown keys
 */
export async function findKey(call: Call, key: string): Promise<KeyGrant | null> {
  const now = Date.now();
  const grant = await findInAnyTime(call, key, now);
  return grant !== null && (grant.expiresAt === null || grant.expiresAt > now) ? grant : null;
}

/** Also finds a cached key that has expired since. */
async function findInAnyTime(call: Call, key: string, now: number): Promise<KeyGrant | null> {
  const fresh = keyCache.get(key, now, KEY_CACHE_MS);
  if (fresh !== undefined) return fresh;
  const stale = keyCache.get(key, now);
  if (stale !== undefined) return mayAsk(now) ? refresh(call, key, stale) : stale;
  if (!isWellFormedApiKey(key)) return null;
  return countFailedLookup(call.env, call.clientAddress, () => lookUp(call, key));
}

/** Only one request asks, and the others use their cached keys. A clock that steps back ends the pause. */
function mayAsk(now: number): boolean {
  if (failedAt === null) return true;
  if (now >= failedAt && now < failedAt + ASK_EVERY_MS) return false;
  failedAt = now;
  return true;
}

/** Looks a cached key up again. Without an answer in time, the cached grant stays in use. */
async function refresh(call: Call, key: string, stale: KeyGrant): Promise<KeyGrant | null> {
  try {
    const grant = await within(MAX_WAIT_MS, lookUp(call, key));
    if (grant === undefined) throw new Error("the directory doesn't answer");
    return grant;
  } catch (error) {
    failedAt = Date.now();
    call.logFields.fault = describeFault(error);
    return stale;
  }
}

async function lookUp(call: Call, key: string): Promise<KeyGrant | null> {
  const now = Date.now();
  const hash = await hashKey(key);
  const grant = await findGrant(call.env, { hash });
  failedAt = null;
  if (grant === null) {
    keyCache.delete(key);
    return null;
  }
  keyCache.set(key, grant, now);
  const today = Math.floor(now / DAY_MS);
  // One write a day: the requests in between find the day in the row that they read anyway.
  if ((grant.lastUsedDay ?? 0) < today) call.keepAlive(recordUse(call.env, grant.keyId, today).catch(() => undefined));
  return grant;
}

/**
 * Checks a cached key again, for erasures, which don't ask the workspace's limiter, and for reads of a workspace that its
 * database lacks. The workspace may have moved.
 * @returns the workspace to write to; `null` when the key is revoked or the workspace erased
 */
export async function findWritable(env: Env, { keyId, workspace: known }: KeyGrant): Promise<Workspace | null> {
  const grant = await findGrant(env, { keyId });
  if (grant?.workspace.database !== known.database) evictKey(keyId);
  return grant && grant.workspace;
}

/** Removes a key from the cache once the limiter or the database reports it as revoked. */
export function evictKey(keyId: string): void {
  keyCache.deleteWhere((grant) => grant.keyId === keyId);
}

/** Removes the keys of a workspace whose settings have changed. Other isolates keep theirs for up to `KEY_CACHE_MS`. */
export function evictGrants({ id }: WorkspaceRef): void {
  keyCache.deleteWhere(({ workspace }) => workspace.id === id);
}

export const hasScope = ({ scopes }: Pick<KeyGrant, "scopes">, scope: Scope): boolean =>
  scopes === null || scopes.includes(scope);

export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return hex(new Uint8Array(digest));
}
