/** Who asks, by which key, and what that key opens. */
import { createMiddleware } from "hono/factory";

import { KEY_CACHE_MS, MAX_CACHED_KEYS } from "../../config.ts";
import { isWellFormedApiKey, type Scope } from "../../core/api-key.ts";
import { findGrant, type KeyGrant } from "../../services/workspaces/api-keys.ts";
import { say } from "../../edge/answer.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { failure, unauthorized } from "../../edge/errors.ts";
import { hex } from "../../core/hex.ts";
import { ttlCache } from "../../core/ttl-cache.ts";

/**
 * Keys this isolate has looked up. A cached key needs no query and no hash. Keys that were not found are never cached,
 * so a new key works at once.
 */
const keyCache = ttlCache<KeyGrant>({ ttlMs: KEY_CACHE_MS, maxEntries: MAX_CACHED_KEYS });

/** Forgets a key that the workspace's object, or its database, says is no longer good. */
export function forgetKey(keyId: string): void {
  keyCache.deleteWhere((grant) => grant.keyId === keyId);
}

/** The key in the Authorization header; `null` when there is no such header, "" when it holds no key. */
export function bearerKey(headers: Headers): string | null {
  const value = headers.get("Authorization");
  return value === null ? null : (/^Bearer +(\S+)$/i.exec(value.trim())?.[1] ?? "");
}

/**
 * The key in the headers, where senders of the compatibility path put theirs too: as the user name of Basic
 * authentication with no password, or in X-Write-Key. `null` when there is none of these headers.
 */
export function senderKey(headers: Headers): string | null {
  const basic = /^Basic +(\S+)$/i.exec(headers.get("Authorization")?.trim() ?? "")?.[1];
  if (basic !== undefined) return basicUser(basic);
  return bearerKey(headers) ?? headers.get("X-Write-Key")?.trim() ?? null;
}

/**
 * What a key opens, if it opens `scope`.
 * @returns the grant, or the answer that refuses the request
 */
export async function authorize(c: AppContext, key: string | null, scope: Scope): Promise<KeyGrant | Response> {
  const grant = key === null ? null : await findKey(c, key);
  if (grant === null) return unauthorized(c);
  const facts = c.get("facts");
  facts.workspace = grant.workspace.id;
  facts.keyId = grant.keyId;
  if (!opens(grant, scope)) {
    say(c, { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"` });
    return failure(c, "forbidden", `This key lacks the scope "${scope}".`);
  }
  return grant;
}

export const opens = ({ scopes }: KeyGrant, scope: Scope): boolean => scopes === null || scopes.includes(scope);

/** Lets a request pass whose bearer key has the scope. */
export const requireKey = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const grant = await authorize(c, bearerKey(c.req.raw.headers), scope);
    if (grant instanceof Response) return grant;
    c.set("grant", grant);
    await next();
  });

/** The grant of a key; `null` when it is malformed, unknown or revoked. */
export async function findKey(c: AppContext, key: string): Promise<KeyGrant | null> {
  const now = Date.now();
  const hit = keyCache.get(key, now);
  if (hit !== undefined) return hit;
  if (!isWellFormedApiKey(key)) return null;
  const hash = await hashKey(key);
  const grant = await timed(c, "databaseMs", () => findGrant(c.env, hash));
  if (grant !== null) keyCache.set(key, grant, now);
  return grant;
}

/** SHA-256 in hex: all that is ever stored of a key. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return hex(new Uint8Array(digest));
}

function basicUser(encoded: string): string {
  try {
    const [user = "", password = ""] = atob(encoded).split(":");
    return password === "" ? user : "";
  } catch {
    return "";
  }
}
