/** Middleware that checks access: the origin, then the session, the user and the workspace that it opens, and the scopes. */
import { createMiddleware } from "hono/factory";

import { READ_LIMIT_SECONDS, SEND_LIMIT_SECONDS } from "../../config.ts";
import type { Scope } from "../../core/api-key.ts";
import { isAdministrator } from "../../core/role.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { noteUse } from "../../edge/credentials.ts";
import { type ConsoleUser, findOpened, type OpenWorkspace, type Proof } from "../../db/workspaces/find-workspace.ts";
import { mayRead, maySend } from "../../limiter/check-read-limit.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { truncate } from "../components/truncate.ts";
import { forbiddenPage, notFoundPage, tooManyPage, unknownUserPage } from "../layout/error-pages.tsx";
import { readAccess } from "./access.ts";
import { endSession, readSession } from "./cookie.ts";
import { mayPost } from "./session.ts";

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

/** Without a session, redirects pages to the sign-in and refuses actions. A session by cookie wins over single sign-on. */
export const requireSession = createMiddleware<AppEnv>(async (c, next) => {
  const proof = (await readSession(c)) ?? (await readAccess(c));
  if (proof === null) return askToSignIn(c);
  if (proof === "invalid") return unknownUserPage(c, "Cloudflare Access sent a sign-in that isn’t valid here.");
  c.set("proof", proof);
  await next();
});

/**
 * Finds the user, and the workspace that the path names. Refuses the forms that the user may not send, and takes them out of
 * pages.
 */
export const requireUser = createMiddleware<AppEnv>(async (c, next) => {
  const proof = c.get("proof");
  const id = /^\/console\/w\/([^/]+)/.exec(c.req.path)?.[1];
  const { user, workspace } = await findOpened(c.env, proof, id, isSafe(c));
  if (user === null && proof.by === "person")
    return unknownUserPage(c, `${truncate(proof.email)} isn’t registered. Ask an administrator to add you.`);
  if (user === null) {
    endSession(c);
    return askToSignIn(c);
  }
  if (user.by === "token") noteUse(c, user.token);
  c.set("session", user);
  if (!isSafe(c) && !mayPost(user, c.req.path))
    return forbiddenPage(c, "You may not change this. Ask an administrator.");
  if (workspace !== null && workspace.id === id) c.set("workspace", workspace);
  await next();
  if (c.res.headers.get("Content-Type")?.startsWith("text/html") === true) c.res = withoutForms(c.res, user);
});

/** Takes out the forms that would be refused, whatever page they are on. */
function withoutForms(page: Response, user: ConsoleUser): Response {
  if (mayPost(user, "")) return page;
  return new HTMLRewriter()
    .on('main form[method="post"]', {
      element(form) {
        if (!mayPost(user, form.getAttribute("action")?.split("?")[0] ?? "")) form.remove();
      },
    })
    .on("main details.confirm", { element: (details) => void details.remove() })
    .transform(page);
}

/** The same answer for another tenant's workspace and for one that doesn't exist. */
export const requireWorkspace = createMiddleware<AppEnv>(async (c, next) => {
  const workspace: OpenWorkspace | undefined = c.get("workspace");
  if (workspace === undefined) return notFoundPage(c, "You have no workspace with this id.");
  c.get("logFields").workspace = workspace.id;
  await next();
});

/** Refuses too many pages of one user. Every action but a question and a search is a write, which has no part in this limit. */
export const limitReads = createMiddleware<AppEnv>(async (c, next) => {
  const isRead =
    isSafe(c) ||
    /\/(?:accounts$|accounts\/find$|accounts\/views$|owner$|ask$|ask\/csv$|live$|destinations\b)/.test(c.req.path);
  if (isRead && !(await mayRead(c.env, readerOf(c.get("proof"))))) return tooManyPage(c, READ_LIMIT_SECONDS);
  await next();
});

function readerOf(proof: Proof): string {
  if (proof.by === "admin") return "admin";
  if (proof.by === "person") return proof.email;
  return proof.by === "key" ? proof.keyId : proof.tokenId;
}

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
  if (!isAdministrator(c.get("session"))) return forbiddenPage(c, "You need the admin token.");
  await next();
});

function askToSignIn(c: AppContext): Response | Promise<Response> {
  if (!isSafe(c)) return forbiddenPage(c, "You are not signed in.");
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`${SIGN_IN}?to=${encodeURIComponent(pathname + search)}`, 303);
}
