/** Looks up API keys. */
import { KEY_CACHE_MS, MAX_CACHED_KEYS } from "../../config.ts";
import { isWellFormedApiKey, type Scope } from "../../core/api-key.ts";
import { hex } from "../../core/hex.ts";
import { ttlCache } from "../../core/ttl-cache.ts";
import { findGrant, type KeyGrant } from "../../db/workspaces/api-keys.ts";
import { type Call, timed } from "../call.ts";

export type { KeyGrant, KeySummary } from "../../db/workspaces/api-keys.ts";

/**
 * Grants of the keys that this isolate has looked up. A cached key costs neither a query nor a hash, which would
 * suspend the request. Unknown keys are not cached, so that a new key works at once.
 */
const grants = ttlCache<KeyGrant>({ ttlMs: KEY_CACHE_MS, maxEntries: MAX_CACHED_KEYS });

/** Returns the grant of a key; `null` when the key is malformed, unknown or revoked. */
export async function findKey(call: Call, key: string): Promise<KeyGrant | null> {
  const now = Date.now();
  const cached = grants.get(key, now);
  if (cached !== undefined) return cached;
  if (!isWellFormedApiKey(key)) return null;
  const hash = await hashKey(key);
  const grant = await timed(call, "databaseMs", () => findGrant(call.env, hash));
  if (grant !== null) grants.set(key, grant, now);
  return grant;
}

/** Removes a key from the cache once the limiter or the database reports it as revoked. */
export function evictKey(keyId: string): void {
  grants.deleteWhere((grant) => grant.keyId === keyId);
}

/** Returns whether a key, or a session opened with it, has the scope. */
export const hasScope = ({ scopes }: Pick<KeyGrant, "scopes">, scope: Scope): boolean =>
  scopes === null || scopes.includes(scope);

/** Returns the SHA-256 of a key in hex: the only form in which a key is stored. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return hex(new Uint8Array(digest));
}
