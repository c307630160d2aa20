/**
 * The session cookie: how the user signed in and until when, signed. Nothing is stored on the server. The signing key is
 * derived from the admin token, so a new token ends every session. The session of a key or a named token is checked against the
 * stored one on each request, and that of the previous admin token against its value.
 */
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";

import { hex } from "../../core/hex.ts";
import type { AppContext } from "../../edge/app-context.ts";
import type { AdminSecrets } from "../../edge/credentials.ts";
import type { Proof } from "../../db/workspaces/find-workspace.ts";

export const SESSION_MS = 8 * 60 * 60 * 1_000;

/** Returns the cookie's name and options. It is `Secure` except on a local HTTP server. */
const cookieOf = (c: AppContext) => {
  const secure = new URL(c.req.url).protocol === "https:";
  const options = { path: "/", secure, httpOnly: true, sameSite: "Strict" } as const;
  return { name: "console", options: secure ? { ...options, prefix: "host" as const } : options };
};

/** @param who the id of a key or a named token, `admin`, or what `previousTokenName` returns */
export async function startSession(c: AppContext, who: string): Promise<void> {
  const { name, options } = cookieOf(c);
  const value = `${Date.now() + SESSION_MS}.${who}`;
  await setSignedCookie(c, name, value, await signingKey(c), { ...options, maxAge: SESSION_MS / 1_000 });
}

export function endSession(c: AppContext): void {
  const { name, options } = cookieOf(c);
  deleteCookie(c, name, options);
}

/** Returns the session; `null` without a cookie, and if it has expired or its signature is wrong. */
export async function readSession(c: AppContext): Promise<Proof | null> {
  const { name, options } = cookieOf(c);
  const value = await getSignedCookie(c, await signingKey(c), name, "prefix" in options ? options.prefix : undefined);
  if (typeof value !== "string") return null;
  const [endsAt, who = ""] = value.split(".");
  if (!(Date.now() < Number(endsAt))) return null;
  if (who.startsWith("key_")) return { by: "key", keyId: who };
  if (who.startsWith("token_")) return { by: "token", tokenId: who };
  return who === "admin" || who === (await previousTokenName(c.env)) ? { by: "admin" } : null;
}

/** Names the token before a rotation, so that its sessions end when it is removed. */
export async function previousTokenName({ ADMIN_TOKEN_PREVIOUS: token }: AdminSecrets): Promise<string | null> {
  return token === undefined ? null : `previous-${(await deriveKey(token, "console session")).slice(0, 32)}`;
}

/** Derives a key for one purpose: a signature for one purpose is invalid for every other. */
export async function deriveKey(adminToken: string, purpose: string): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(adminToken), hmac, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(purpose))));
}

const signingKey = (c: AppContext): Promise<string> => deriveKey(c.env.ADMIN_TOKEN ?? "", "console session");
