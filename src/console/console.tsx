/** The web console: its pages, and who may see them. */
import type { AppEnv } from "../edge/context.ts";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { createMiddleware } from "hono/factory";
import { trimTrailingSlash } from "hono/trailing-slash";

import { MIN_ADMIN_TOKEN_CHARS } from "../config.ts";
import { describeFault } from "../core/describe-fault.ts";
import { isUnavailable, notFound } from "../edge/errors.ts";
import { accountsPages } from "./accounts/route.tsx";
import { askPages } from "./ask/route.tsx";
import { pathOf } from "./session/context.ts";
import { limitedForm } from "./forms/read-form.ts";
import { assets } from "./assets/route.ts";
import { home } from "./home/route.ts";
import { inboxPages } from "./inbox/route.tsx";
import { livePages } from "./live/route.tsx";
import { openWorkspace, requireScope, requireSession } from "./session/guard.ts";
import { pageHeaders } from "./layout/page-headers.ts";
import { faultPage, forbiddenPage, missingPage } from "./layout/error-pages.tsx";
import { settingsPages } from "./settings/route.tsx";
import { signIn } from "./sign-in/route.tsx";
import { startPages } from "./start/route.tsx";
import { workspacesPages } from "./workspaces/route.tsx";

/** Sessions are signed with the admin token: where there is none, there is no console. */
const requireAdminToken = createMiddleware<AppEnv>(async (c, next) => {
  if ((c.env.ADMIN_TOKEN ?? "").length < MIN_ADMIN_TOKEN_CHARS) return notFound(c);
  await next();
});

/** The pages of one workspace. */
const workspacePages = new Hono<AppEnv>()
  .use(openWorkspace, requireScope("read"))
  .get("/", (c) => c.redirect(pathOf(c.get("workspace"), "inbox"), 303))
  .route("/start", startPages)
  .route("/settings", settingsPages)
  .route("/live", livePages)
  .route("/accounts", accountsPages)
  .route("/inbox", inboxPages);

export const consoleApp = new Hono<AppEnv>()
  .use(requireAdminToken, pageHeaders, trimTrailingSlash())
  .route("/assets", assets)
  // SameSite keeps the cookie from other sites' requests; this keeps out their requests themselves.
  .use(csrf(), limitedForm)
  .route("/", signIn)
  .use(requireSession)
  .route("/", home)
  .route("/workspaces", workspacesPages)
  .route("/w/:workspace/ask", askPages)
  .route("/w/:workspace", workspacePages)
  .all("*", (c) => missingPage(c));

consoleApp.onError((error, c) => {
  if (error instanceof HTTPException && error.status === 403) return forbiddenPage(c, "This came from another site.");
  c.get("facts").fault = describeFault(error);
  return faultPage(c, isUnavailable(error));
});
