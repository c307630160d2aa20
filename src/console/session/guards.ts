/** Middleware that checks access: the origin, then the session, the workspace that it opens, and its scopes. */
import { createMiddleware } from "hono/factory";

import { READ_LIMIT_SECONDS, SEND_LIMIT_SECONDS } from "../../config.ts";
import type { Scope } from "../../core/api-key.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { findOpened } from "../../db/workspaces/find-workspace.ts";
import { mayRead, maySend } from "../../limiter/check-read-limit.ts";
import { forbiddenPage, notFoundPage, tooManyPage } from "../layout/error-pages.tsx";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { endSession, readSession } from "./cookie.ts";

export const SIGN_IN = "/console/sign-in";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const isSafe = (c: AppContext): boolean => SAFE_METHODS.has(c.req.method);

/**
 * Refuses every request that may change something and doesn't come from a page of the console: cross-site request forgery.
 * Hono's own `csrf` checks only the content types of forms, and a page of another site can send any content type, or none.
 */
export const requireSameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!isSafe(c) && !isSameOrigin(c)) return forbiddenPage(c, "This request came from another site.");
  await next();
});

/** Browsers send at least one of the two headers, and pages can't forge either. */
const isSameOrigin = (c: AppContext): boolean =>
  c.req.header("Sec-Fetch-Site") === "same-origin" || c.req.header("Origin") === new URL(c.req.url).origin;

/** Without a session, redirects pages to the sign-in and refuses actions. */
export const requireSession = createMiddleware<AppEnv>(async (c, next) => {
  const session = await readSession(c);
  if (session === null) return askToSignIn(c);
  c.set("session", session);
  await next();
});

export const requireWorkspace = createMiddleware<AppEnv>(async (c, next) => {
  const id = c.req.param("workspace") ?? "";
  const session = c.get("session");
  const opener = session.by === "key" ? session : { id };
  const workspace = await findOpened(c.env, opener, isSafe(c));
  if (workspace === null && session.by === "key") {
    endSession(c);
    return askToSignIn(c);
  }
  // The same answer for another tenant's workspace and for one that doesn't exist.
  if (workspace?.id !== id) return notFoundPage(c, "You have no workspace with this id.");
  c.get("logFields").workspace = id;
  c.set("workspace", workspace);
  await next();
});

/** Refuses too many pages of one session. Every action but a question and a search is a write, which has no part in this limit. */
export const limitReads = createMiddleware<AppEnv>(async (c, next) => {
  const session = c.get("session");
  const isRead =
    isSafe(c) ||
    /\/(?:accounts$|accounts\/find$|accounts\/views$|owner$|ask$|ask\/csv$|live$|destinations\b)/.test(c.req.path);
  if (isRead && !(await mayRead(c.env, session.by === "key" ? session.keyId : "admin")))
    return tooManyPage(c, READ_LIMIT_SECONDS);
  await next();
});

/** Refuses too many requests to other hosts for a workspace. */
export const limitSends = createMiddleware<AppEnv>(async (c, next) => {
  if (!(await maySend(c.env, c.get("workspace").id))) return tooManyPage(c, SEND_LIMIT_SECONDS);
  await next();
});

export const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!hasScope(c.get("workspace"), scope)) return forbiddenPage(c, `You need a key with the scope “${scope}”.`);
    await next();
  });

export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("session").by !== "admin") return forbiddenPage(c, "You need the admin token.");
  await next();
});

function askToSignIn(c: AppContext): Response | Promise<Response> {
  if (!isSafe(c)) return forbiddenPage(c, "You are not signed in.");
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`${SIGN_IN}?to=${encodeURIComponent(pathname + search)}`, 303);
}
