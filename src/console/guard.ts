/** Who may come in: first a session, then the workspace that it opens, then what the session may do there. */
import type { Next } from "hono";
import { createMiddleware } from "hono/factory";

import { KEY_CACHE_MS } from "../config.ts";
import type { Scope } from "../core/api-key.ts";
import { findWorkspace, findWorkspaceOfKey } from "../db/workspace-store.ts";
import { type AppContext, type AppEnv, timed } from "../http/context.ts";
import { shortMemory } from "../core/short-memory.ts";
import { may, type OpenWorkspace, type Session } from "./context.ts";
import { forbiddenPage, missingPage } from "./refusal-pages.tsx";
import { endSession, sessionOf } from "./session.ts";

const SAFE = new Set(["GET", "HEAD"]);

const MAX_OPENED = 1_000;

export const SIGN_IN = "/console/sign-in";

/** Without a session a page leads to the sign-in and back, and an action is refused. */
export const requireSession = createMiddleware<AppEnv>(async (c, next) => {
  const session = await sessionOf(c);
  if (session === null) return withoutSession(c);
  c.set("session", session);
  await next();
});

/** Workspaces as sessions have opened them here, for as long as a revoked key may still read. */
const opened = shortMemory<OpenWorkspace>({ forMs: KEY_CACHE_MS, maxEntries: MAX_OPENED });

/** One round trip: the workspace, and for a key's session whether the key still stands. */
export const openWorkspace = createMiddleware<AppEnv>(async (c, next) => {
  const id = c.req.param("workspace") ?? "";
  const workspace = await timed(c, "databaseMs", () => found(c, id));
  if (workspace?.id === id) opened.keep(nameOf(c.get("session"), id), workspace, Date.now());
  else opened.forget((known) => known.id === id);
  return enter(c, id, workspace, next);
});

/**
 * No round trip where the session opened the workspace a moment ago: for what costs two of its own. The workspace's name
 * may be the one of before.
 */
export const openKnownWorkspace = createMiddleware<AppEnv>(async (c, next) => {
  const id = c.req.param("workspace") ?? "";
  const known = opened.recall(nameOf(c.get("session"), id), Date.now());
  return known === undefined ? openWorkspace(c, next) : enter(c, id, known, next);
});

const nameOf = (session: Session, id: string): string => `${session.who === "admin" ? "admin" : session.keyId} ${id}`;

async function enter(c: AppContext, id: string, workspace: OpenWorkspace | null, next: Next): Promise<Response | void> {
  const session = c.get("session");
  if (workspace === null && session.who === "key") {
    endSession(c);
    return withoutSession(c);
  }
  // Of a workspace that the session does not open nobody is told whether it is there.
  if (workspace?.id !== id) return missingPage(c);
  c.get("facts").workspace = id;
  c.set("workspace", workspace);
  await next();
}

/** What asks for a scope that the session's key lacks is refused. */
export const requireScope = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!may(c.get("workspace"), scope)) return forbiddenPage(c, `This needs a key with the scope “${scope}”.`);
    await next();
  });

/** Only the admin token opens it. */
export const requireAdminSession = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("session").who !== "admin") return forbiddenPage(c, "This needs the admin token.");
  await next();
});

async function found(c: AppContext, id: string): Promise<OpenWorkspace | null> {
  const session = c.get("session");
  if (session.who === "key") return findWorkspaceOfKey(c.env, session.keyId);
  const workspace = await findWorkspace(c.env, id);
  return workspace === null ? null : { ...workspace, scopes: null };
}

function withoutSession(c: AppContext): Response | Promise<Response> {
  if (!SAFE.has(c.req.method)) return forbiddenPage(c, "You are not signed in.");
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`${SIGN_IN}?to=${encodeURIComponent(pathname + search)}`, 303);
}
