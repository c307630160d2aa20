/** Creates, finds and deletes the named tokens of administrators. */
import { waitUntil } from "cloudflare:workers";

import { ADMIN_TOKEN_PREFIX, isWellFormedApiKey, newApiKey } from "../core/api-key.ts";
import type { Actor } from "../core/audit.ts";
import { DAY_MS } from "../core/durations.ts";
import { hex } from "../core/hex.ts";
import {
  type AdminToken,
  deleteAdminToken as deleteStored,
  findAdminToken as findStored,
  insertAdminToken,
  markTokenUsed,
} from "../db/people/admin-tokens.ts";
import { countFailedLookup } from "../limiter/check-client-limit.ts";
import type { Call } from "./call.ts";
import { randomId } from "./workspaces/api-keys.ts";

async function hashOf(token: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))));
}

/**
 * Creates a token. Its text can't be recovered from the record.
 * @param fields an `id` creates the token at most once
 * @returns `null` when a token has this id
 */
export async function createAdminToken(
  env: Env,
  { id = randomId("token"), name, readOnly }: { id?: string; name: string; readOnly: boolean },
  now: number,
  actor: Actor,
): Promise<{ token: string; record: AdminToken } | null> {
  const token = newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)), ADMIN_TOKEN_PREFIX);
  const stored = { hash: await hashOf(token), lastFour: token.slice(-4), lastUsedDay: null };
  const record = { ...stored, id, name, readOnly, createdAt: now };
  const details = { tokenId: id, readOnly };
  const audit = { workspace: null, actor, action: "admin_token_created", details } as const;
  return (await insertAdminToken(env, record, audit)) ? { token, record } : null;
}

/**
 * Finds a token by its text; `null` when it is malformed, unknown or deleted.
 * @throws TooManyRequests when the client's network has sent too many unknown ones
 */
export async function findAdminToken({ env, clientAddress }: Call, text: string): Promise<AdminToken | null> {
  if (!isWellFormedApiKey(text, ADMIN_TOKEN_PREFIX)) return null;
  const token = await countFailedLookup(env, clientAddress, async () => findStored(env, await hashOf(text)));
  if (token !== null) noteUse(env, token);
  return token;
}

/** Stores that a token is in use, once a day and after the response. A lost day is no fault. */
export function noteUse(env: Env, { id, lastUsedDay }: AdminToken): void {
  const today = Math.floor(Date.now() / DAY_MS);
  if (lastUsedDay !== today) waitUntil(markTokenUsed(env, id, today).catch(() => undefined));
}

/** @returns false for an unknown token */
export const deleteAdminToken = (env: Env, tokenId: string, actor: Actor): Promise<boolean> =>
  deleteStored(env, tokenId, { workspace: null, actor, action: "admin_token_deleted", details: { tokenId } });
