/** Finds API keys and the admin token in requests, and checks them. */
import { createMiddleware } from "hono/factory";

import { MIN_ADMIN_TOKEN_CHARS, READ_LIMIT_SECONDS, SEND_LIMIT_SECONDS } from "../config.ts";
import type { Scope } from "../core/api-key.ts";
import { DAY_MS } from "../core/durations.ts";
import { type AppContext, type AppEnv, callOf } from "./app-context.ts";
import { errorResponse, type ErrorResponse, failed, failure, type Failure, notFound, unauthorized } from "./errors.ts";
import { sameSecret } from "./same-secret.ts";
import { DatabaseUnavailable } from "../db/client/faults.ts";
import { type AdminToken, markTokenUsed } from "../db/people/people.ts";
import { maySend, mayRead } from "../limiter/check-read-limit.ts";
import { findAdminToken } from "../services/people.ts";
import { findKey, findWritable, hasScope } from "../services/workspaces/api-keys.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";

/** Reads the key or token in the Authorization header: `null` without the header, "" if the header has no key. */
function bearerKey(headers: Headers): string | null {
  const value = headers.get("Authorization");
  return value === null ? null : (/^Bearer +(\S+)$/i.exec(value.trim())?.[1] ?? "");
}

/**
 * Reads the key from the headers that CDP senders use: Bearer, the user name of Basic authentication without a password,
 * or X-Write-Key. `null` without any of them.
 */
export function senderKey(headers: Headers): string | null {
  const basic = /^Basic +(\S+)$/i.exec(headers.get("Authorization")?.trim() ?? "")?.[1];
  if (basic !== undefined) return basicUser(basic);
  return bearerKey(headers) ?? headers.get("X-Write-Key")?.trim() ?? null;
}

/** @param scopes the key needs one of them */
export async function authorize(
  c: AppContext,
  key: string | null,
  scopes: readonly Scope[],
): Promise<KeyGrant | ErrorResponse<"unauthorized" | "forbidden">> {
  const grant = key === null ? null : await findKey(callOf(c), key);
  if (grant === null) return unauthorized(c);
  const logFields = c.get("logFields");
  logFields.workspace = grant.workspace.id;
  logFields.keyId = grant.keyId;
  if (!scopes.some((scope) => hasScope(grant, scope))) {
    c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"`);
    return errorResponse(c, "forbidden", `This key lacks the scope "${scopes.join('" or "')}".`);
  }
  return grant;
}

/** Refuses requests without a bearer key that has one of the scopes. Sets `grant`. */
export const requireKey = (...scopes: Scope[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const grant = await authorize(c, bearerKey(c.req.raw.headers), scopes);
    if (grant instanceof Response) return grant;
    c.set("grant", grant);
    await next();
    if (!(await isOfErased(c.env, grant, c.error))) return;
    c.res = unauthorized(c);
    c.header("Retry-After", undefined);
    delete c.get("logFields").fault;
  });

/**
 * Tests whether a request failed because the workspace of its cached key was erased. It may have moved instead: then the
 * next request finds it.
 */
export const isOfErased = async (env: Env, grant: KeyGrant, error: unknown): Promise<boolean> =>
  error instanceof DatabaseUnavailable && error.kind === "absent" && (await findWritable(env, grant)) === null;

/** Counts a read with a key. @returns the failure to report when the key has read too often */
export async function countRead(env: Env, { keyId }: KeyGrant): Promise<Failure<"rate_limited"> | null> {
  if (await mayRead(env, keyId)) return null;
  return failure("rate_limited", `Too many reads with this key. Retry in ${READ_LIMIT_SECONDS} s.`);
}

/** Refuses too many reads with the key of `requireKey`. */
export const limitReads = createMiddleware<AppEnv>(async (c, next) => {
  const refused = await countRead(c.env, c.get("grant"));
  if (refused === null) return next();
  c.header("Retry-After", String(READ_LIMIT_SECONDS));
  return failed(c, refused);
});

/** Refuses too many requests to other hosts for the workspace of the key. */
export const limitSends = createMiddleware<AppEnv>(async (c, next) => {
  if (await maySend(c.env, c.get("grant").workspace.id)) return next();
  c.header("Retry-After", String(SEND_LIMIT_SECONDS));
  return errorResponse(c, "rate_limited", `Too many tests and resends. Retry in ${SEND_LIMIT_SECONDS} s.`);
});

export interface AdminSecrets {
  ADMIN_TOKEN?: string;
  /** The token before a rotation. */
  ADMIN_TOKEN_PREVIOUS?: string;
}

export const hasAdminToken = ({ ADMIN_TOKEN: token = "" }: AdminSecrets): boolean =>
  token.length >= MIN_ADMIN_TOKEN_CHARS;

/** Finds which of the deployment's own tokens a text is; `null` for none of them. */
export async function adminTokenNamed(env: AdminSecrets, text: string): Promise<keyof AdminSecrets | null> {
  for (const name of ["ADMIN_TOKEN", "ADMIN_TOKEN_PREVIOUS"] as const) {
    const token = (env[name] ?? "").trim();
    if (token.length >= MIN_ADMIN_TOKEN_CHARS && (await sameSecret(token, text))) return name;
  }
  return null;
}

/**
 * Refuses requests without a token of an administrator, and changes with one that only reads. If no usable admin token is set,
 * the path does not exist.
 */
export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  if (!hasAdminToken(c.env)) return notFound(c);
  const text = bearerKey(c.req.raw.headers) ?? "";
  if ((await adminTokenNamed(c.env, text)) !== null) {
    c.set("actor", "admin");
    return next();
  }
  const token = await findAdminToken(callOf(c), text);
  if (token === null)
    return errorResponse(c, "unauthorized", "The admin token is required: Authorization: Bearer <ADMIN_TOKEN>.");
  if (token.readOnly && !["GET", "HEAD"].includes(c.req.method))
    return errorResponse(c, "forbidden", "This token only reads.");
  noteUse(c, token);
  c.set("actor", `admin:${token.id}`);
  return next();
});

/** Stores that a token is in use, once a day and after the response. A lost day is no fault. */
export function noteUse(c: AppContext, { id, lastUsedDay }: AdminToken): void {
  const today = Math.floor(Date.now() / DAY_MS);
  if (lastUsedDay !== today) c.executionCtx.waitUntil(markTokenUsed(c.env, id, today).catch(() => undefined));
}

/** Refuses named tokens: a copied one could create others that outlive it. */
export const requireOwnToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("actor") !== "admin") return errorResponse(c, "forbidden", "This needs the ADMIN_TOKEN of the deployment.");
  return next();
});

function basicUser(encoded: string): string {
  try {
    const [user = "", password = ""] = atob(encoded).split(":");
    return password === "" ? user : "";
  } catch {
    return "";
  }
}
