/** Who may come in: first a session, then the workspace that it opens, then what the session may do there. */
import { createMiddleware } from "hono/factory";

import type { Scope } from "../../core/api-key.ts";
import { findOpened, type Opener, type OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { may } from "./context.ts";
import { forbiddenPage, missingPage } from "../layout/error-pages.tsx";
import { endSession, sessionOf } from "./cookie.ts";

const SAFE = new Set(["GET", "HEAD"]);

export const SIGN_IN = "/console/sign-in";

/** Without a session a page leads to the sign-in and back, and an action is refused. */
export const requireSession = createMiddleware<AppEnv>(async (c, next) => {
  const session = await sessionOf(c);
  if (session === null) return withoutSession(c);
  c.set("session", session);
  await next();
});

/** How the workspace of a path is opened, in one round trip. */
type Open = (c: AppContext, opener: Opener) => Promise<OpenWorkspace | null>;

/** Whoever has no session that opens the path's workspace gets no further. */
export const openingBy = (open: Open) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const id = c.req.param("workspace") ?? "";
    const session = c.get("session");
    const opener: Opener = session.who === "key" ? { by: "key", keyId: session.keyId } : { by: "id", id };
    const workspace = await timed(c, "databaseMs", () => open(c, opener));
    if (workspace === null && session.who === "key") {
      endSession(c);
      return withoutSession(c);
    }
    // Of a workspace that the session does not open nobody is told whether it is there.
    if (workspace?.id !== id) return missingPage(c);
    c.get("facts").workspace = id;
    c.set("workspace", workspace);
    await next();
  });

/** The workspace, and for a key's session whether the key still stands. */
export const openWorkspace = openingBy((c, opener) => findOpened(c.env, opener));

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

function withoutSession(c: AppContext): Response | Promise<Response> {
  if (!SAFE.has(c.req.method)) return forbiddenPage(c, "You are not signed in.");
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`${SIGN_IN}?to=${encodeURIComponent(pathname + search)}`, 303);
}
