/** The OpenAPI document: it covers every route, refers to nothing that is missing, and needs no key. */
import { expect, it } from "vitest";

import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { ROUTES } from "../../../src/http/all-routes.ts";
import { createApp } from "../../../src/app.ts";
import { send } from "../support/send.ts";

const document: { paths: Record<string, Record<string, { operationId: string }>>; components: Record<string, object> } =
  JSON.parse(JSON.stringify(openApiDocument(ROUTES)));

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    route: `${method.toUpperCase()} ${path}`,
  })),
);

it("§1 describes every route of the app except preflights, the console's and /mcp, and no other", () => {
  const routes = createApp()
    .routes.filter(
      ({ method, path }) => !["ALL", "OPTIONS"].includes(method) && !/^\/(?:console|mcp)(?:\/|$)/.test(path),
    )
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(operations.map(({ route }) => route).toSorted()).toEqual([...new Set(routes)].toSorted());
});

it("gives each operation its own id", () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

it("declares exactly the parameters that its paths contain", () => {
  for (const { declaration } of ROUTES) {
    for (const path of Object.keys(declaration.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(declaration.params?.shape ?? {}), path).toEqual(names);
    }
  }
});

it("refers to every component that it has, and to no other", () => {
  const referred = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g)].map(([, at = ""]) => at),
  );
  const { schemas, responses, headers } = document.components;
  const present = Object.entries({ schemas, responses, headers }).flatMap(([kind, named]) =>
    Object.keys(named ?? {}).map((name) => `${kind}/${name}`),
  );
  expect([...referred].toSorted()).toEqual(present.toSorted());
});

it("§1 is public, readable by scripts of any origin, and cacheable for an hour", async () => {
  const { status, headers, body } = await send("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body).toEqual(document);
  expect(headers.get("Content-Type")).toBe("application/json");
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

it("§1 only supports GET", async () => {
  const { status, headers } = await send("POST", "/openapi.json", {});
  expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});
