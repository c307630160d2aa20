/** Section 9: who may administer, and what an administration call must look like. */
import { beforeAll, describe, expect, it } from "vitest";

import { ROUTES } from "../../../src/http/routes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CALLS: [method: string, path: string, body?: unknown][] = [
  ["POST", "/admin/recompute"],
  ["POST", "/admin/workspaces", { name: "x" }],
  ["GET", "/admin/workspaces"],
  ["GET", "/admin/workspaces/ID"],
  ["PATCH", "/admin/workspaces/ID", { name: "x" }],
  ["DELETE", "/admin/workspaces/ID"],
  ["POST", "/admin/workspaces/ID/rebuild"],
  ["POST", "/admin/workspaces/ID/keys", {}],
  ["DELETE", "/admin/workspaces/ID/keys/KEY"],
  ["PUT", "/admin/workspaces/ID/dpa", { acceptedBy: "x", version: "1" }],
  ["DELETE", "/admin/workspaces/ID/dpa"],
];
const WITH_BODY = CALLS.filter(([, , body]) => body !== undefined);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const target = (path: string) => path.replace("ID", workspace.id).replace("KEY", workspace.keyId);
const json = { "Content-Type": "application/json" };
const token = "t".repeat(32);

describe("§9 the admin token", () => {
  it.each(CALLS)(
    "§9 %s %s without a usable ADMIN_TOKEN set is 404, whatever the sender has",
    async (method, path, body) => {
      const unset: Partial<Env> = {};
      const without = envWith(unset);
      Reflect.deleteProperty(without, "ADMIN_TOKEN");
      for (const [changed, sent] of [
        [without, "undefined"],
        [without, ""],
        [envWith({ ADMIN_TOKEN: "" }), ""],
        [envWith({ ADMIN_TOKEN: "t".repeat(31) }), "t".repeat(31)],
      ] as const) {
        const init = { headers: { ...json, Authorization: `Bearer ${sent}` } };
        const answer = await sendWith(changed, method, target(path), body, init);
        expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
      }
    },
  );

  it("§9 32 characters are enough", async () => {
    const init = { headers: { Authorization: `Bearer ${token}` } };
    expect(
      (await sendWith(envWith({ ADMIN_TOKEN: token }), "GET", "/admin/workspaces?limit=1", undefined, init)).status,
    ).toBe(200);
  });

  it.each(CALLS)("§9 %s %s without the token is 401", async (method, path, body) => {
    const wrong = [
      "",
      "Bearer",
      "Bearer x",
      `Bearer ${ADMIN_HEADERS.Authorization.slice(7, -1)}`,
      `${ADMIN_HEADERS.Authorization}x`,
    ].concat([
      `Bearer ${workspace.key}`,
      `Basic ${btoa(ADMIN_HEADERS.Authorization.slice(7))}`,
      ADMIN_HEADERS.Authorization.slice(7),
    ]);
    for (const Authorization of wrong) {
      const answer = await send(method, target(path), body, { headers: { ...json, Authorization } });
      expect(answer, `of ${Authorization}`).toMatchObject({
        status: 401,
        body: { ok: false, error: { code: "unauthorized" } },
      });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  it("§9 an unknown path under /admin without the token is 401, and without one set 404", async () => {
    expect((await send("GET", "/admin/nothing")).status).toBe(401);
    expect((await sendWith(envWith({ ADMIN_TOKEN: "" }), "GET", "/admin/nothing")).status).toBe(404);
  });

  it("§9 the token opens nothing outside /admin", async () => {
    const headers = { ...ADMIN_HEADERS };
    expect((await send("GET", "/api/v1/events", undefined, { headers })).status).toBe(401);
    expect((await send("POST", "/api/v1/cdp", { batch: [] }, { headers })).status).toBe(401);
  });
});

describe("§8 §9 bodies", () => {
  it.each(WITH_BODY)("§8 %s %s of another content type is 415 unsupported_media_type", async (method, path, body) => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "text/json",
      "json",
      "",
    ]) {
      const answer = await send(method, target(path), JSON.stringify(body), {
        headers: { ...ADMIN_HEADERS, "Content-Type": type },
      });
      expect(answer, `of ${type}`).toMatchObject({ status: 415, body: { error: { code: "unsupported_media_type" } } });
    }
  });

  it.each([
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
    'application/json; charset="utf-8"',
    "application/json ; charset=utf-8",
  ])("§8 %s is JSON: the body is read, and not taken for empty", async (type) => {
    const init = { headers: { "Content-Type": type } };
    const made = await admin("POST", `/workspaces/${workspace.id}/keys`, { scopes: ["read"] }, init);
    expect(made).toMatchObject({ status: 201, body: { key: { scopes: ["read"] } } });
    expect(await admin("PATCH", `/workspaces/${workspace.id}`, { name: type }, init)).toMatchObject({
      status: 200,
      body: { workspace: { name: type } },
    });
  });

  it.each(WITH_BODY)("§8 %s %s of bad JSON is 400 invalid_json", async (method, path) => {
    for (const body of ["", "{", "{'a':1}"]) {
      const answer = await admin(method, target(path).replace("/admin", ""), body);
      expect(answer, `of ${body}`).toMatchObject({ status: 400, body: { error: { code: "invalid_json" } } });
    }
  });

  it.each(WITH_BODY)(
    "§9 %s %s with what is no object, or another field, is 400 invalid_request",
    async (method, path, body) => {
      for (const wrong of ["null", "5", "[]", '"x"', JSON.stringify(Object.assign({ surprise: 1 }, body))]) {
        const answer = await admin(method, target(path).replace("/admin", ""), wrong);
        expect(answer, `of ${wrong}`).toMatchObject({
          status: 400,
          body: { error: { code: "invalid_request", issues: [expect.anything()] } },
        });
      }
    },
  );

  it("§9 a body of 16 KB is read, a larger one is 413", async () => {
    const body = JSON.stringify({ name: "large" });
    const path = `/workspaces/${workspace.id}`;
    expect((await admin("PATCH", path, body.padEnd(16_384))).status).toBe(200);
    expect(await admin("PATCH", path, body.padEnd(16_385))).toMatchObject({
      status: 413,
      body: { error: { code: "message_too_large" } },
    });
  });

  it.each(CALLS.filter(([, path]) => path.includes("ID")))(
    "§9 %s %s of an unknown workspace is 404",
    async (method, path, body) => {
      const unknown = path
        .replace("/admin", "")
        .replace("ID", "ws_000000000000000000000000")
        .replace("KEY", workspace.keyId);
      expect(await admin(method, unknown, body)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    },
  );
});

it("§9 every route that needs the admin token lies under /admin, where the app requires it", () => {
  for (const { declaration } of ROUTES) {
    for (const path of Object.keys(declaration.paths)) {
      expect([path, path.startsWith("/admin/")]).toEqual([path, declaration.access === "admin"]);
    }
  }
});
