/** Unusual paths, headers and bodies give no access, and each response has the security headers. */
import { beforeAll, describe, expect, it } from "vitest";

import { D1_BROKEN, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { capture } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 10_000 });
  await workspace.post("/api/v1/events", capture({ userId: "u/1", accountId: "a/b" }));
});
const bearer = () => ({ Authorization: `Bearer ${workspace.key}` });

describe("§1 a path", () => {
  /** A lenient router would read these as the administration. */
  it.each([
    "//admin/workspaces",
    "/Admin/workspaces",
    "/ADMIN/workspaces",
    "/admin//workspaces",
    "/admin/workspaces/",
    "/admin%2Fworkspaces",
    "/admin;x=1/workspaces",
    "/admin\\workspaces%00",
    "/api/v1/admin/workspaces",
    "/api/v1/..%2F..%2Fadmin/workspaces",
    "/admin/workspaces%20",
    "/admin/workspaces.json",
    "/admin/%2e%2e%2fworkspaces",
  ])("§9 %s does not list workspaces, even with the admin token", async (path) => {
    const { status, text } = await send("GET", path, undefined, { headers: ADMIN_HEADERS });
    expect([401, 404]).toContain(status);
    expect(text).not.toContain(workspace.id);
  });

  it.each([
    "/api/v1/../../admin/workspaces",
    "/api/%2e%2e/admin/workspaces",
    "/%61dmin/workspaces",
    "/x/../admin/workspaces",
  ])("§9 %s is an administration path, and needs the admin token", async (path) => {
    for (const headers of [{}, bearer()]) {
      expect((await send("GET", path, undefined, { headers })).status).toBe(401);
    }
    expect((await send("GET", path, undefined, { headers: ADMIN_HEADERS })).status).toBe(200);
  });
});

describe("§1 a header, query or form", () => {
  const SPOOFED: Record<string, string>[] = [
    { "X-HTTP-Method-Override": "DELETE" },
    { "X-HTTP-Method": "DELETE" },
    { "X-Method-Override": "DELETE" },
    { "X-Original-URL": "/admin/workspaces" },
    { "X-Rewrite-URL": "/admin/workspaces" },
    { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/admin" },
    { "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "CF-Connecting-IP": "127.0.0.1" },
    { Forwarded: "for=127.0.0.1;host=evil.example;proto=http" },
    { "X-Workspace": "1", "X-Workspace-Id": "ws_1", "X-Admin": "true", Cookie: `token=${ADMIN_HEADERS.Authorization}` },
  ];

  it.each(SPOOFED)("§1 %j changes no response", async (headers) => {
    const plain = await workspace.get("/api/v1/users/u%2F1", { headers: bearer() });
    const spoofed = await workspace.get("/api/v1/users/u%2F1", { headers: { ...bearer(), ...headers } });
    expect([spoofed.status, spoofed.text]).toEqual([200, plain.text]);
    expect((await send("POST", "/api/v1/users/u%2F1", "", { headers: { ...bearer(), ...headers } })).status).toBe(405);
    expect((await send("GET", "/admin/workspaces", undefined, { headers })).status).toBe(401);
    expect((await send("GET", "/healthz", undefined, { headers })).text).not.toContain("evil");
  });

  it("§1 does not change the method", async () => {
    const headers = { ...bearer(), "Content-Type": "application/x-www-form-urlencoded" };
    expect((await send("POST", "/api/v1/users/u%2F1?_method=DELETE", "_method=DELETE", { headers })).status).toBe(405);
    expect((await workspace.get("/api/v1/users/u%2F1")).status).toBe(200);
  });

  it("§2 does not carry a key or the admin token", async () => {
    const token = ADMIN_HEADERS.Authorization.slice(7);
    for (const name of ["key", "api_key", "access_token", "token", "writeKey", "Authorization"]) {
      expect((await send("GET", `/api/v1/events?${name}=${workspace.key}`)).status).toBe(401);
      expect((await send("POST", `/api/v1/cdp?${name}=${workspace.key}`, { batch: [] })).status).toBe(401);
      expect((await send("GET", `/admin/workspaces?${name}=${token}`)).status).toBe(401);
      const Cookie = `${name}=${workspace.key}`;
      expect((await send("GET", "/api/v1/events", undefined, { headers: { Cookie } })).status).toBe(401);
    }
  });
});

describe("§8 §9 a body of an unusual JSON type is read or refused, but never ignored", () => {
  it.each([
    "application/json",
    "application/vnd.api+json",
    "application/json;",
    "application/json; x",
    "application/json	;x=y",
    "application/json, text/plain",
    "text/plain, application/json",
  ])("§9 so a key with a list of scopes has no others: %s", async (type) => {
    const { status, body } = await send("POST", `/admin/workspaces/${workspace.id}/keys`, '{"scopes":["read"]}', {
      headers: { ...ADMIN_HEADERS, "Content-Type": type },
    });
    expect([
      [201, ["read"]],
      [415, undefined],
    ]).toContainEqual([status, body.key?.scopes]);
  });
});

const DEEP = "[".repeat(200_000) + "]".repeat(200_000);
const DEEP_OBJECT = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;

describe("§4.1 a body that is hard to parse", () => {
  it.each<[what: string, body: string, statuses: number[]]>([
    ["200,000 levels of arrays", DEEP, [200]],
    ["a message of 2,000 levels", `{"type":"track","userId":"u","event":"e","properties":${DEEP_OBJECT}}`, [400, 413]],
    ["250,000 numbers", `[${"0,".repeat(250_000)}0]`, [413]],
    [
      "50,000 keys",
      `{"type":"track","userId":"u","event":"e","properties":{${Array.from({ length: 50_000 }, (_, n) => `"${n}":0`).join()}}}`,
      [413],
    ],
    [
      "a number of 9,000 digits",
      `{"type":"track","userId":"u","event":"e","properties":{"n":${"9".repeat(9_000)}}}`,
      [400],
    ],
    [
      "a large integer beside 200,000 levels of arrays",
      `[{"type":"track","userId":"u","event":"e","properties":{"n":9007199254740993}},${DEEP}]`,
      [200],
    ],
    ["a large integer in a text that ends too early", `[9007199254740993,${DEEP.slice(0, 200_000)}`, [400]],
    ["a repeated key", `{"type":"track",${'"userId":"a",'.repeat(1_000)}"event":"e","userId":"last"}`, [200]],
    ["a long string of escapes", `{"type":"track","userId":"u","event":"${"\\u0041".repeat(60_000)}"}`, [400, 413]],
  ])("§4.1 of %s has the usual response", async (_what, body, statuses) => {
    const { status } = await workspace.post("/api/v1/cdp", body);
    expect(statuses).toContain(status);
    expect((await workspace.get("/healthz")).status).toBe(200);
  });

  it("§4.2 may have keys like __proto__ and toString", async () => {
    const names = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "toJSON"];
    const own = `{${names.map((name) => `"${name}":{"polluted":true}`).join()}}`;
    const message = `{"type":"identify","userId":"proto","__proto__":{"accountId":"stolen"},"traits":${own}}`;
    const { body } = await workspace.post("/api/v1/cdp", message);
    expect(body).toMatchObject({ stored: 1, account: null });
    expect(Object.keys(Object((await workspace.get("/api/v1/users/proto")).body.user).traits).toSorted()).toEqual(
      names.toSorted(),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    const inherited = { accountId: "a", userId: "u", event: "e.f" };
    const native = JSON.stringify(inherited).replace("}", ',"__proto__":{"accountStage":"stolen"}}');
    expect((await workspace.post("/api/v1/events", native)).body).toMatchObject({ ignored: ["__proto__"] });
    expect((await workspace.get("/api/v1/accounts/a")).text).not.toContain("stolen");
  });
});

it.each<[what: string, make: () => Promise<Answer>]>([
  ["a write", () => workspace.post("/api/v1/events", capture())],
  ["a read", () => workspace.get("/api/v1/events")],
  ["a preflight", () => send("OPTIONS", "/api/v1/cdp")],
  ["readiness", () => send("GET", "/readyz")],
  ["administration", () => admin("GET", "/workspaces?limit=1")],
  ["HEAD", () => send("HEAD", "/healthz")],
  ["400", () => workspace.post("/api/v1/events", "{")],
  ["401", () => send("GET", "/api/v1/events")],
  ["404", () => send("GET", "/nothing")],
  ["405", () => send("DELETE", "/api/v1/cdp")],
  [
    "500",
    () =>
      sendWith(envWith({ DB: databaseWith(failing(D1_BROKEN)).DB }), "GET", "/api/v1/events", undefined, {
        headers: bearer(),
      }),
  ],
])("§8 the response to %s has a request id, nosniff and no-store", async (_what, make) => {
  const { headers } = await make();
  expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{8,}$/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("no-store");
});
