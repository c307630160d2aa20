/**
 * The session cookie: how the user signed in and until when, signed. Nothing is stored on the server. The signing key is
 * derived from the admin token, so a new token ends every session. A key's session is checked against the stored key on
 * each request.
 */
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";

import { hex } from "../../core/hex.ts";
import type { AppContext } from "../../edge/app-context.ts";
import type { ConsoleSession } from "./session.ts";

export const SESSION_MS = 8 * 60 * 60 * 1_000;

/** Returns the cookie's name and options. It is `Secure` except on a local HTTP server. */
const cookieOf = (c: AppContext) => {
  const secure = new URL(c.req.url).protocol === "https:";
  const options = { path: "/", secure, httpOnly: true, sameSite: "Strict" } as const;
  return { name: "console", options: secure ? { ...options, prefix: "host" as const } : options };
};

export async function startSession(c: AppContext, session: ConsoleSession): Promise<void> {
  const { name, options } = cookieOf(c);
  const value = `${Date.now() + SESSION_MS}.${session.by === "key" ? session.keyId : "admin"}`;
  await setSignedCookie(c, name, value, await signingKey(c), { ...options, maxAge: SESSION_MS / 1_000 });
}

export function endSession(c: AppContext): void {
  const { name, options } = cookieOf(c);
  deleteCookie(c, name, options);
}

/** Returns the session; `null` without a cookie, and if it has expired or its signature is wrong. */
export async function readSession(c: AppContext): Promise<ConsoleSession | null> {
  const { name, options } = cookieOf(c);
  const value = await getSignedCookie(c, await signingKey(c), name, "prefix" in options ? options.prefix : undefined);
  if (typeof value !== "string") return null;
  const [endsAt, keyId = ""] = value.split(".");
  if (!(Date.now() < Number(endsAt))) return null;
  return keyId === "admin" ? { by: "admin" } : { by: "key", keyId };
}

/** Derives a key for one purpose: a signature for one purpose is invalid for every other. */
export async function deriveKey(adminToken: string, purpose: string): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(adminToken), hmac, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(purpose))));
}

const signingKey = (c: AppContext): Promise<string> => deriveKey(c.env.ADMIN_TOKEN ?? "", "console session");
