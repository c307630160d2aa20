/** Finds API keys and the admin token in requests, and checks them. */
import { createMiddleware } from "hono/factory";

import { MIN_ADMIN_TOKEN_CHARS, READ_LIMIT_SECONDS } from "../../config.ts";
import type { Scope } from "../../core/api-key.ts";
import { type AppContext, type AppEnv, callOf } from "../../edge/app-context.ts";
import { errorResponse, type ErrorResponse, notFound, unauthorized } from "../../edge/errors.ts";
import { sameSecret } from "../../edge/same-secret.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import { mayRead } from "../../limiter/check-read-limit.ts";
import { findKey, findWritable, hasScope } from "../../services/workspaces/api-keys.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";

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

export async function authorize(
  c: AppContext,
  key: string | null,
  scope: Scope,
): Promise<KeyGrant | ErrorResponse<"unauthorized" | "forbidden">> {
  const grant = key === null ? null : await findKey(callOf(c), key);
  if (grant === null) return unauthorized(c);
  const logFields = c.get("logFields");
  logFields.workspace = grant.workspace.id;
  logFields.keyId = grant.keyId;
  if (!hasScope(grant, scope)) {
    c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
    return errorResponse(c, "forbidden", `This key lacks the scope "${scope}".`);
  }
  return grant;
}

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Refuses requests without a bearer key that has the scope, and too many reads. Sets `grant`. */
export const requireKey = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const grant = await authorize(c, bearerKey(c.req.raw.headers), scope);
    if (grant instanceof Response) return grant;
    const isRead = READ_METHODS.has(c.req.method) || scope === "ask";
    if (isRead && !(await mayRead(c.env, grant.keyId))) {
      c.header("Retry-After", String(READ_LIMIT_SECONDS));
      return errorResponse(c, "rate_limited", `Too many reads with this key. Retry in ${READ_LIMIT_SECONDS} s.`);
    }
    c.set("grant", grant);
    await next();
    // A cached key's workspace may have been erased or moved. The next request finds a workspace that has moved.
    const isAbsent = c.error instanceof DatabaseUnavailable && c.error.kind === "absent";
    if (!isAbsent || (await findWritable(c.env, grant)) !== null) return;
    c.res = unauthorized(c);
    c.header("Retry-After", undefined);
    delete c.get("logFields").fault;
  });

/** Refuses requests without the deployment's admin token. If no usable token is set, the path does not exist. */
export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  const token = c.env.ADMIN_TOKEN ?? "";
  if (token.length < MIN_ADMIN_TOKEN_CHARS) return notFound(c);
  if (!(await sameSecret(token, bearerKey(c.req.raw.headers) ?? ""))) {
    return errorResponse(c, "unauthorized", "The admin token is required: Authorization: Bearer <ADMIN_TOKEN>.");
  }
  await next();
});

function basicUser(encoded: string): string {
  try {
    const [user = "", password = ""] = atob(encoded).split(":");
    return password === "" ? user : "";
  } catch {
    return "";
  }
}
