/** The API's description: that it is of all routes and of nothing else, and can be had by anyone. */
import { expect, it } from "vitest";

import { createApp } from "../../../src/app.ts";
import { describeApi } from "../../../src/http/openapi/document.ts";
import { OPERATIONS } from "../../../src/http/openapi/operations/operations.ts";
import { send } from "../support/send.ts";

const operations = OPERATIONS.flatMap(({ at, method }) =>
  Object.entries(at).map(([path, id]) => ({ id, path, route: `${method.toUpperCase()} ${path}` })),
);

it("§1 describes every route of the app but those of the console, and none that there is not", () => {
  const routes = createApp()
    .routes.filter(({ method, path }) => method !== "ALL" && !/^\/console(?:\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(operations.map(({ route }) => route).toSorted()).toEqual([...new Set(routes)].toSorted());
});

it("calls no two operations alike", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

it("names the parameters that stand in a path, and no others", () => {
  for (const { at, parameters = {} } of OPERATIONS) {
    for (const path of Object.keys(at)) {
      expect(Object.keys(parameters), path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  }
});

it("refers to nothing that it does not have, and has nothing that nobody refers to", () => {
  const description = describeApi();
  const referred = new Set(
    [...JSON.stringify(description).matchAll(/"#\/components\/([^"]+)"/g)].map(([, at = ""]) => at),
  );
  const { schemas, responses, headers }: Record<string, object> = Object(Reflect.get(description, "components"));
  const there = Object.entries({ schemas, responses, headers }).flatMap(([kind, named]) =>
    Object.keys(named ?? {}).map((name) => `${kind}/${name}`),
  );
  expect([...referred].toSorted()).toEqual(there.toSorted());
});

it.each(OPERATIONS.filter(({ tag }) => tag === "Administration"))(
  "§9 without an admin token it is not there: $summary",
  ({ errors }) => {
    expect(errors).toContain("not_found");
  },
);

it("§1 is answered without a key, to scripts of any origin, and may be kept for an hour", async () => {
  const { status, headers, body } = await send("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body).toEqual(describeApi());
  expect(headers.get("Content-Type")).toBe("application/json");
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

it("§1 takes no other method than GET", async () => {
  const { status, headers } = await send("POST", "/openapi.json", {});
  expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});
