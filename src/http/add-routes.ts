/** Adds declared routes to an app, with CORS, links to versioned paths, and 405 for other methods. */
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";

import type { AppEnv } from "../edge/context.ts";
import { errorResponse } from "../edge/errors.ts";
import { type Route, successorOf } from "./route.ts";

const EXPOSED_HEADERS = ["X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Reset"];
const anyOriginCors = cors({ origin: "*", allowMethods: ["POST"], maxAge: 86_400, exposeHeaders: EXPOSED_HEADERS });

const linkTo = (successor: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.header("Link", `<${successor}>; rel="successor-version"`);
    await next();
  });

export function addRoutes(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const { declaration, handlers } of routes) {
    for (const described of Object.keys(declaration.paths)) {
      const path = described.replaceAll(/\{(\w+)\}/g, ":$1");
      const successor = successorOf(path);
      if (successor !== null) app.use(path, linkTo(successor));
      // Browsers ask before they send such a request.
      if (declaration.anyOrigin && declaration.method === "post") app.options(path, anyOriginCors);
      app.on([declaration.method], [path], ...(declaration.anyOrigin ? [anyOriginCors] : []), ...handlers);
    }
  }
}

/** Answers other methods on known paths with 405 and `Allow`. Reads the app's routes, so that it covers all of them. */
export function refuseOtherMethods(app: Hono<AppEnv>): void {
  const routes = app.routes.filter(({ method }) => method !== "ALL");
  // Literal paths first: /users/erase also matches /users/:externalId, which takes other methods.
  const paths = [...new Set(routes.map((one) => one.path))].toSorted(
    (a, b) => a.split(":").length - b.split(":").length,
  );
  for (const path of paths) {
    const methods = routes
      .filter((one) => one.path === path || new RegExp(`^${one.path.replaceAll(/:\w+/g, "[^/:]+")}$`).test(path))
      .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const allow = [...new Set(methods)].toSorted().join(", ");
    app.all(path, (c) => {
      c.header("Allow", allow);
      return errorResponse(c, "method_not_allowed", `Use one of these methods: ${allow}.`);
    });
  }
}
