/** The Worker's app: common middleware, the API's routes, the tools of agents, the console. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { requestId } from "hono/request-id";

import { MAX_REQUEST_ID_CHARS } from "./config.ts";
import { consoleApp } from "./console/console.tsx";
import { dropUnread } from "./edge/request-body.ts";
import type { AppEnv } from "./edge/app-context.ts";
import { notFound, onError } from "./edge/errors.ts";
import { requestLog } from "./edge/request-log.ts";
import { requireAdmin } from "./edge/credentials.ts";
import { mcpApp } from "./mcp/mcp.ts";
import { addRoutes, pathFinder, refuseOtherMethods } from "./http/add-routes.ts";
import { ROUTES } from "./http/all-routes.ts";

/** Browsers must not guess another content type, and caches must not keep what needs a key. */
const defaultHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Cache-Control", "no-store");
  await next();
});

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: pathFinder(ROUTES) });
  app.onError(onError);
  app.notFound(notFound);
  app.use(dropUnread, requestId({ limitLength: MAX_REQUEST_ID_CHARS }), defaultHeaders, requestLog);
  app.use("/admin/*", requireAdmin);
  const api = new Hono<AppEnv>();
  addRoutes(api, ROUTES);
  app.use(refuseOtherMethods(api));
  app.route("/", api);
  app.route("/mcp", mcpApp);
  app.route("/console", consoleApp);
  return app;
}
