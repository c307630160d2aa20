/** The web console: its pages and access control. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { trimTrailingSlash } from "hono/trailing-slash";

import { MIN_ADMIN_TOKEN_CHARS } from "../config.ts";
import { describeFault } from "../core/describe-fault.ts";
import type { AppEnv } from "../edge/context.ts";
import { isUnavailable, notFound } from "../edge/errors.ts";
import { accountsPages } from "./accounts/route.tsx";
import { askPages } from "./ask/route.tsx";
import { assets } from "./assets/route.ts";
import { limitFormSize } from "./forms/read-form.ts";
import { home } from "./home/route.ts";
import { inboxPages } from "./inbox/route.tsx";
import { faultPage, notFoundPage } from "./layout/error-pages.tsx";
import { pageHeaders } from "./layout/page-headers.ts";
import { livePages } from "./live/route.tsx";
import { pathOf } from "./session/context.ts";
import { requireScope, requireSession, requireWorkspace } from "./session/guards.ts";
import { requireSameOrigin } from "./session/same-origin.ts";
import { settingsPages } from "./settings/route.tsx";
import { signIn } from "./sign-in/route.tsx";
import { startPages } from "./get-started/route.tsx";
import { workspacesPages } from "./workspaces/route.tsx";

/** Sessions are signed with the admin token, so there is no console without one. */
const requireAdminToken = createMiddleware<AppEnv>(async (c, next) => {
  if ((c.env.ADMIN_TOKEN ?? "").length < MIN_ADMIN_TOKEN_CHARS) return notFound(c);
  await next();
});

const workspacePages = new Hono<AppEnv>()
  .use(requireWorkspace, requireScope("read"))
  .get("/", (c) => c.redirect(pathOf(c.get("workspace"), "inbox"), 303))
  .route("/start", startPages)
  .route("/settings", settingsPages)
  .route("/live", livePages)
  .route("/accounts", accountsPages)
  .route("/inbox", inboxPages);

export const consoleApp = new Hono<AppEnv>()
  .use(requireAdminToken, pageHeaders, trimTrailingSlash())
  .route("/assets", assets)
  .use(requireSameOrigin, limitFormSize)
  .route("/", signIn)
  .use(requireSession)
  .route("/", home)
  .route("/workspaces", workspacesPages)
  // These pages open the workspace themselves, in the round trip that looks up the question's names.
  .route("/w/:workspace/ask", askPages)
  .route("/w/:workspace", workspacePages)
  .all("*", (c) => notFoundPage(c));

consoleApp.onError((error, c) => {
  c.get("facts").fault = describeFault(error);
  return faultPage(c, isUnavailable(error));
});
