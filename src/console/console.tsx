/** The web console: its pages and access control. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { trimTrailingSlash } from "hono/trailing-slash";

import { isAdministrator } from "../core/role.ts";
import { describeFault } from "../core/describe-fault.ts";
import type { AppEnv } from "../edge/app-context.ts";
import { hasAdminToken } from "../edge/credentials.ts";
import { isUnavailable, notFound } from "../edge/errors.ts";
import { operation } from "../edge/request-log.ts";
import { accountsPages } from "./accounts/route.tsx";
import { askPages } from "./ask/route.tsx";
import { assets } from "./assets/route.ts";
import { auditPages } from "./audit/route.tsx";
import { databasesPages } from "./databases/route.tsx";
import { destinationsPages } from "./destinations/route.tsx";
import { featurePages } from "./features/route.tsx";
import { limitFormSize } from "./forms/read-form.ts";
import { homePages } from "./home/route.tsx";
import { inboxPages } from "./inbox/route.tsx";
import { faultPage, notFoundPage, signOnFaultPage } from "./layout/error-pages.tsx";
import { livePages } from "./live/route.tsx";
import { pathOf } from "./paths.ts";
import { KeysUnavailable } from "./session/access.ts";
import {
  limitReads,
  requireSameOrigin,
  requireScope,
  requireSession,
  requireUser,
  requireWorkspace,
} from "./session/guards.ts";
import { peoplePages, tokenForms } from "./people/route.tsx";
import { settingsPages } from "./settings/route.tsx";
import { signIn } from "./sign-in/route.tsx";
import { startPages } from "./get-started/route.tsx";
import { userPages } from "./users/route.tsx";
import { workspacesPages } from "./workspaces/route.tsx";

/** Sessions are signed with the admin token, so there is no console without one. */
const requireAdminToken = createMiddleware<AppEnv>(async (c, next) => {
  if (!hasAdminToken(c.env)) return notFound(c);
  await next();
});

/** Allows pages to load only what this Worker serves: no third-party and no inline scripts, styles or images. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "same-origin",
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  strictTransportSecurity: "max-age=15552000",
  xFrameOptions: "DENY",
});

/** The start page: redirects to the user's only workspace, or to the list of workspaces. */
const home = new Hono<AppEnv>().get("/", operation("console_start_page"), (c) => {
  const user = c.get("session");
  if (user.by === "key") return c.redirect(pathOf(user.key.workspace, "home"), 303);
  const [id, ...others] = (user.by === "person" && !isAdministrator(user) && user.person.workspaces) || [];
  return c.redirect(id === undefined || others.length > 0 ? "/console/workspaces" : pathOf({ id }, "home"), 303);
});

const workspacePages = new Hono<AppEnv>()
  .use(requireWorkspace, requireScope("read"))
  .get("/", (c) => c.redirect(pathOf(c.get("workspace"), "home"), 303))
  .route("/home", homePages)
  .route("/start", startPages)
  .route("/settings/destinations", destinationsPages)
  .route("/settings", settingsPages)
  .route("/live", livePages)
  .route("/accounts", accountsPages)
  .route("/users", userPages)
  .route("/features", featurePages)
  .route("/inbox", inboxPages)
  .route("/ask", askPages);

export const consoleApp = new Hono<AppEnv>()
  .use(requireAdminToken, pageHeaders, trimTrailingSlash())
  .route("/assets", assets)
  .use(requireSameOrigin, limitFormSize)
  .route("/", signIn)
  .use(requireSession, limitReads, requireUser)
  .route("/", home)
  .get("/docs", (c) => c.redirect("/console/docs/README"))
  .route("/workspaces", workspacesPages)
  .route("/databases", databasesPages)
  .route("/audit", auditPages)
  .route("/people", peoplePages)
  .route("/tokens", tokenForms)
  .route("/w/:workspace", workspacePages)
  .all("*", (c) => notFoundPage(c));

consoleApp.onError((error, c) => {
  c.get("logFields").fault = describeFault(error);
  return error instanceof KeysUnavailable ? signOnFaultPage(c) : faultPage(c, isUnavailable(error));
});
