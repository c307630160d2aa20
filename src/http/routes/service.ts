/** Liveness and readiness probes, and the OpenAPI document: docs/wire/README.md §1. */
import { RETRY_AFTER_FAULT_SECONDS } from "../../config.ts";
import { callOf } from "../../edge/app-context.ts";
import { errorResponse } from "../../edge/errors.ts";
import { checkDatabases } from "../../db/databases/check-databases.ts";
import { checkClientLimit } from "../../limiter/check-client-limit.ts";
import { done, object } from "../../edge/responses/fields.ts";
import { route, type Route } from "../declare-route.ts";

const MAX_AGE_SECONDS = 3_600;

const common = { method: "get", tag: "Service", access: null } as const;

export const probeRoutes = [
  route(
    {
      ...common,
      name: "liveness",
      paths: { "/healthz": "checkLiveness" },
      summary: "Check that the Worker runs",
      response: { status: 200, description: "The Worker runs.", schema: done },
    },
    (c) => c.json({ ok: true }, 200),
  ),
  route(
    {
      ...common,
      name: "readiness",
      paths: { "/readyz": "checkReadiness" },
      summary: "Check that the databases respond and have all tables and columns",
      response: { status: 200, description: "All databases respond.", schema: done },
      errors: ["rate_limited", "internal", "unavailable"],
    },
    async (c) => {
      await checkClientLimit(c.env, callOf(c).clientAddress);
      const missing = await checkDatabases(c.env);
      if (missing === null) return c.json({ ok: true }, 200);
      c.get("logFields").fault = missing;
      c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
      return errorResponse(c, "unavailable", `A migration is missing. ${missing}.`);
    },
  ),
];

/** @param build builds the document; called once, on the first request, because it takes some milliseconds */
export function openApiRoute(build: () => Record<string, unknown>): Route {
  let document: Record<string, unknown> | undefined;
  return route(
    {
      ...common,
      paths: { "/openapi.json": "describeApi" },
      summary: "Describe the API",
      description: "Needs no key. Scripts of any origin may read it. It may be cached for an hour.",
      anyOrigin: true,
      response: { status: 200, description: "An OpenAPI 3.1 document.", schema: object },
    },
    (c) => {
      c.header("Cache-Control", `public, max-age=${MAX_AGE_SECONDS}`);
      document ??= build();
      return c.json(document, 200);
    },
  );
}
