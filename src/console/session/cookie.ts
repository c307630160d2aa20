/**
 * The console's session: who signed in and until when, in a signed cookie. Nothing of it is stored. The signature's key
 * comes from the admin token, so that a new token ends every session; a key's session asks whether the key still
 * stands, at each page and action.
 */
import type { AppContext } from "../../edge/context.ts";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import * as z from "zod";

import { hex } from "../../core/hex.ts";
import type { Session } from "./context.ts";

export const SESSION_MS = 8 * 60 * 60 * 1_000;

const Stored = z.tuple([
  z.discriminatedUnion("who", [
    z.strictObject({ who: z.literal("admin") }),
    z.strictObject({ who: z.literal("key"), keyId: z.string() }),
  ]),
  /** When it ends, in milliseconds since the epoch. */
  z.int(),
]);

/** Secure wherever the connection is; a laptop's is not. */
const cookieOf = (c: AppContext) => {
  const secure = new URL(c.req.url).protocol === "https:";
  const settings = { path: "/", secure, httpOnly: true, sameSite: "Strict" } as const;
  return { name: "console", settings: secure ? { ...settings, prefix: "host" as const } : settings };
};

export async function beginSession(c: AppContext, session: Session): Promise<void> {
  const { name, settings } = cookieOf(c);
  const value = JSON.stringify([session, Date.now() + SESSION_MS]);
  await setSignedCookie(c, name, value, await signingKey(c), { ...settings, maxAge: SESSION_MS / 1_000 });
}

export function endSession(c: AppContext): void {
  const { name, settings } = cookieOf(c);
  deleteCookie(c, name, settings);
}

/** @returns `null` where there is none, or one that is over or was not made here */
export async function sessionOf(c: AppContext): Promise<Session | null> {
  const { name, settings } = cookieOf(c);
  const value = await getSignedCookie(c, await signingKey(c), name, "prefix" in settings ? settings.prefix : undefined);
  if (typeof value !== "string") return null;
  // One that an earlier version has signed is none.
  const stored = Stored.safeParse(JSON.parse(value));
  if (!stored.success) return null;
  const [session, endsAt] = stored.data;
  return Date.now() < endsAt ? session : null;
}

/** For signatures of one purpose, which are worth nothing for another. */
export async function derivedKey(adminToken: string, purpose: string): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(adminToken), hmac, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(purpose))));
}

const signingKey = (c: AppContext): Promise<string> => derivedKey(c.env.ADMIN_TOKEN ?? "", "console session");
