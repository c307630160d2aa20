import { route, type Route } from "../route.ts";
import { object } from "../schemas/shapes.ts";

const MAX_AGE_SECONDS = 3_600;

/** @param describe builds the document; called once, on the first request, because it takes some milliseconds */
export function describeRoute(describe: () => Record<string, unknown>): Route {
  let document: Record<string, unknown> | undefined;
  return route(
    {
      name: "describe_api",
      method: "get",
      paths: { "/openapi.json": "describeApi" },
      tag: "Service",
      summary: "Describe the API",
      description: "Needs no key. Scripts of any origin may read it. It may be cached for an hour.",
      access: null,
      anyOrigin: true,
      response: { status: 200, description: "An OpenAPI 3.1 document.", schema: object },
      errors: [],
    },
    (c) => {
      c.header("Cache-Control", `public, max-age=${MAX_AGE_SECONDS}`);
      document ??= describe();
      return c.json(document, 200);
    },
  );
}
