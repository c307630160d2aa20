/** The app at the edge: the order of its middleware, and every path it knows. */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";

import { consoleApp } from "./console/console.tsx";
import { accounts } from "./http/routes/accounts.ts";
import { admin } from "./http/routes/admin.ts";
import { beginAnswer, headersByHono, say } from "./edge/answer.ts";
import { ask } from "./http/routes/ask.ts";
import { captureEvent } from "./http/routes/capture.ts";
import type { AppEnv } from "./edge/context.ts";
import { requireKey } from "./http/middleware/credentials.ts";
import { failure, notFound, onError } from "./edge/errors.ts";
import { answerErasure } from "./http/routes/erase-user.ts";
import { health } from "./http/routes/probes.ts";
import { attachIdentity, requireAgreement } from "./http/routes/identity.ts";
import { inbox } from "./http/routes/inbox.ts";
import { ingestCdp } from "./http/routes/cdp.ts";
import { jsonOnly } from "./http/middleware/json-body.ts";
import { answerDescription } from "./http/openapi/openapi.ts";
import { reads } from "./http/routes/reads.ts";
import { operation, requestLog } from "./edge/request-log.ts";

/** The paths of the compatibility ingest, those that CDP client libraries have built in too, and the message type that each names. */
const CDP_PATHS: Record<string, string | null> = {
  "/api/v1/cdp": null,
  "/api/cdp": null,
  "/v1/batch": null,
  "/v1/b": null,
  "/v1/track": "track",
  "/v1/t": "track",
  "/v1/identify": "identify",
  "/v1/i": "identify",
  "/v1/group": "group",
  "/v1/g": "group",
  "/v1/page": "page",
  "/v1/p": "page",
  "/v1/screen": "screen",
  "/v1/s": "screen",
  "/v1/alias": "alias",
  "/v1/a": "alias",
};

/** Browsers may send from any origin; no credentials of theirs are involved. */
const preflight = cors({ origin: "*", allowMethods: ["POST"], maxAge: 86_400 });

/** What their scripts may read of the answer. */
const readableByAnyOrigin = createMiddleware<AppEnv>(async (c, next) => {
  say(c, {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "X-Request-Id,Retry-After,RateLimit,RateLimit-Policy,X-RateLimit-Reset",
  });
  await next();
});

/** Unversioned paths answer the same and point to the versioned one. */
const successor = (path: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    say(c, { Link: `<${path}>; rel="successor-version"` });
    await next();
  });

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(onError);
  app.notFound(notFound);
  app.use(beginAnswer, requestLog);
  app.use("/console/*", headersByHono);

  app.use("/api/events", successor("/api/v1/events"));
  app.use("/api/cdp", successor("/api/v1/cdp"));
  app.use("/api/ask", successor("/api/v1/ask"));
  app.use("/api/identity", successor("/api/v1/identity"));

  for (const [path, versioned] of [
    ["/api/v1/events", true],
    ["/api/events", false],
  ] as const) {
    app.options(path, headersByHono, preflight);
    app.post(path, operation("capture_event"), readableByAnyOrigin, (c) => captureEvent(c, versioned));
  }
  for (const [path, type] of Object.entries(CDP_PATHS)) {
    app.options(path, headersByHono, preflight);
    app.post(path, operation("ingest_cdp"), readableByAnyOrigin, (c) => ingestCdp(c, type));
  }
  for (const path of ["/api/v1/identity", "/api/identity"]) {
    app.post(path, operation("attach_identity"), requireKey("identity"), requireAgreement, jsonOnly, attachIdentity);
  }
  app.delete("/api/v1/users/:externalId", operation("erase_user"), requireKey("identity"), (c) =>
    answerErasure(c, c.req.param("externalId")),
  );
  app.route("/api/v1", ask);
  app.route("/api", ask);
  app.route("/api/v1", reads);
  app.route("/api/v1", accounts);
  app.route("/api/v1", inbox);
  app.route("/admin", admin);
  app.route("/console", consoleApp);
  app.route("/", health);
  app.get("/openapi.json", operation("describe_api"), readableByAnyOrigin, answerDescription);

  refuseOtherMethods(app);
  return app;
}

/** A known path with another method is 405 and says which it takes. Reads the routes, so that none is forgotten. */
function refuseOtherMethods(app: Hono<AppEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const own = methods.get(path) ?? new Set();
    own.add(method);
    if (method === "GET") own.add("HEAD");
    methods.set(path, own);
  }
  for (const [path, own] of methods) {
    const allow = [...own].toSorted().join(", ");
    app.all(path, (c) => {
      say(c, { Allow: allow });
      return failure(c, "method_not_allowed", `This path takes ${allow}.`);
    });
  }
}
