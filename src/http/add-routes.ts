/** Adds declared routes to an app, with CORS, links to versioned paths, and 405 for other methods. */
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed } from "hono/method-not-allowed";
import { getPath } from "hono/utils/url";

import type { AppEnv } from "../edge/app-context.ts";
import { errorResponse } from "../edge/errors.ts";
import { isOfSenders, type Route, type RouteDeclaration, successorOf } from "./declare-route.ts";

const EXPOSED_HEADERS = ["X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Reset"];

/** Allows every header that a preflight asks for. A wildcard is no origin for a request with credentials. */
const corsOf = ({ method, anyOrigin }: RouteDeclaration) =>
  cors({
    ...(anyOrigin === "with_credentials" ? { origin: (origin) => origin, credentials: true } : { origin: "*" }),
    allowMethods: method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
    maxAge: 86_400,
    exposeHeaders: EXPOSED_HEADERS,
  });

const linkTo = (successor: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.header("Link", `<${successor}>; rel="successor-version"`);
    await next();
  });

/**
 * Creates the function that finds the path of a request. Client libraries join a host that ends with a slash and a path
 * that starts with one, and some end paths with a slash: their paths accept repeated and trailing slashes.
 */
export function pathFinder(routes: readonly Route[]): (request: Request) => string {
  const ofSenders = routes.filter(({ declaration }) => isOfSenders(declaration.access));
  const paths = ofSenders.flatMap(({ declaration }) => Object.keys(declaration.paths));
  const pattern = new RegExp(`^(?:${paths.join("|").replaceAll(/\{\w+\}/g, "[^/]+")})$`);
  return (request) => {
    const path = getPath(request);
    if (!/\/\/|\/$/.test(path)) return path;
    const plain = path.replaceAll(/\/+/g, "/").replace(/\/$/, "");
    return pattern.test(plain) ? plain : path;
  };
}

export function addRoutes(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const { declaration, handlers } of routes) {
    for (const described of Object.keys(declaration.paths)) {
      const path = described.replaceAll(/\{(\w+)\}/g, ":$1");
      const successor = successorOf(path);
      if (successor !== null) app.use(path, linkTo(successor));
      const withCors = declaration.anyOrigin === undefined ? [] : [corsOf(declaration)];
      app.on([declaration.method], [path], ...withCors, ...handlers);
      // Browsers send a preflight before this request.
      if (isOfSenders(declaration.access)) app.on(["options"], [path], ...withCors);
    }
  }
}

/** Answers other methods on known paths of the API with 405 and `Allow`. */
export const refuseOtherMethods = (api: Hono<AppEnv>) =>
  methodNotAllowed({
    app: api,
    onMethodNotAllowed: (c, methods) => {
      const allow = methods.toSorted().join(", ");
      c.header("Allow", allow);
      return errorResponse(c, "method_not_allowed", `Use one of these methods: ${allow}.`);
    },
  });
