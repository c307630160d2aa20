/** Section 1: the paths, their methods, and the message types that paths name. */
import { describe, expect, it } from "vitest";

import { capture, type Fields, track } from "../support/messages.ts";
import { refusal, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace } from "../support/workspace.ts";

const CDP_PATHS = ["/api/v1/cdp", "/api/cdp", "/v1/batch", "/v1/b", "/v1/import"];
const NATIVE_PATHS = ["/api/v1/events", "/api/events"];
const USER = { userId: "u1", messageId: "m1" };
/** Paths of client libraries with the type that they name, and a message of this type. */
const TYPE_PATHS: [path: string, type: string, message: Fields][] = [
  ["/v1/track", "track", { ...USER, event: "Report Exported" }],
  ["/v1/t", "track", { ...USER, event: "Report Exported" }],
  ["/v1/identify", "identify", { ...USER, traits: { role: "admin" } }],
  ["/v1/i", "identify", { ...USER, traits: { role: "admin" } }],
  ["/v1/group", "group", { ...USER, groupId: "acme" }],
  ["/v1/g", "group", { ...USER, groupId: "acme" }],
];
const UNSUPPORTED_PATHS: [path: string, type: string][] = [
  ["/v1/page", "page"],
  ["/v1/p", "page"],
  ["/v1/screen", "screen"],
  ["/v1/s", "screen"],
  ["/v1/alias", "alias"],
  ["/v1/a", "alias"],
];

describe("§1 a path that names a type", () => {
  it.each(TYPE_PATHS)("§1 POST %s supplies a missing type %s, and rejects another one", async (path, type, message) => {
    const { post } = await newWorkspace();
    expect(await post(path, message)).toMatchObject({ status: 200, body: { ok: true, stored: 1, rejected: [] } });
    const other = { ...message, messageId: "m2", type: type === "track" ? "identify" : "track" };
    expect(await post(path, other)).toMatchObject(refusal(400, "invalid_message", "type"));
    expect(await post(path, { batch: [other, { ...message, messageId: "m3", type }] })).toMatchObject({
      status: 200,
      body: { stored: 1, rejected: [{ index: 0, messageId: "m2", code: "invalid_message", path: "type" }] },
    });
  });

  it.each(UNSUPPORTED_PATHS)("§1 §4.5 POST %s of a %s is 200 and lists it in rejected", async (path, type) => {
    const { post } = await newWorkspace();
    for (const message of [USER, { ...USER, type }]) {
      expect(await post(path, message)).toMatchObject({
        status: 200,
        body: { ok: true, stored: 0, rejected: [{ index: 0, messageId: "m1", code: "unsupported_type" }] },
      });
    }
    expect(await post(path, track())).toMatchObject(refusal(400, "invalid_message"));
  });
});

describe("§4.5 a message without a supported type", () => {
  it.each(["page", "screen", "alias"])("§4.5 of type %s alone is 200 and listed in rejected", async (type) => {
    const { post } = await newWorkspace();
    for (const path of CDP_PATHS) {
      expect(await post(path, { ...USER, type })).toMatchObject({
        status: 200,
        body: { account: null, user: null, rejected: [{ code: "unsupported_type" }] },
      });
    }
  });

  it.each([["delete"], ["track "], [""], [5], [null], [undefined]])(
    "§4.5 of type %j alone is 400 invalid_message",
    async (type) => {
      const { post } = await newWorkspace();
      expect(await post("/api/v1/cdp", track({ type }))).toMatchObject(refusal(400, "invalid_message"));
    },
  );
});

describe("§1 paths", () => {
  it.each(["/healthz", "/readyz"])("§1 GET %s needs no key", async (path) => {
    expect(await send("GET", path)).toMatchObject({ status: 200, body: { ok: true } });
  });

  it("§1 are exact: any other path is 404 not_found for each method", async () => {
    const { key } = await newWorkspace();
    const paths = ["/", "/api/v1", "/api/v1/events/x", "/api/v2/events", "/api/v1/users", "/api/v1/users/a/b"]
      .concat(["/api/accounts", "/api/rejected", "/api/v1/inbox/itm_1", "/api/v1/inbox/itm_1/resolve"])
      .concat(["/v1/x", "/v1/BATCH", "/v1/track/1", "/v1/batch%2F", "/api/v1/cdp%20", "/.env", "//", "/v1//"])
      .concat(["/api/v1/ask/", "//api/v1/identity", "/api/v1//rejected", "/healthz/", "//readyz", "/openapi.json/"]);
    for (const path of paths) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        const answer = await send(method, path, undefined, { headers: { Authorization: `Bearer ${key}` } });
        expect(answer, `${method} ${path}`).toMatchObject(refusal(404, "not_found"));
      }
    }
    for (const path of ["/nothing", "/workspaces/ws_1/nothing"]) {
      expect(await admin("GET", path)).toMatchObject(refusal(404, "not_found"));
    }
  });

  it.each([...CDP_PATHS, ...NATIVE_PATHS, ...[...TYPE_PATHS, ...UNSUPPORTED_PATHS].map(([path]) => path)])(
    "§1 %s accepts trailing and repeated slashes",
    async (path) => {
      const { post, key } = await newWorkspace();
      const body = NATIVE_PATHS.includes(path) ? capture() : { batch: [] };
      const plain = await post(path, body);
      expect(plain.status).toBe(200);
      for (const other of [`${path}/`, `/${path}`, path.replaceAll("/", "//"), `${path}///`, `//${path}//`]) {
        const same = await post(other, body);
        expect([same.status, Object.keys(same.body)], other).toEqual([200, Object.keys(plain.body)]);
        expect(same.headers.get("Link"), other).toBe(plain.headers.get("Link"));
        const headers = { Authorization: `Bearer ${key}`, Origin: "https://shop.example" };
        for (const method of ["OPTIONS", "PUT", "GET"]) {
          const [answer, expected] = [
            await send(method, other, undefined, { headers }),
            await send(method, path, undefined, { headers }),
          ];
          expect([answer.status, answer.body.code], `${method} ${other}`).toEqual([
            expected.status,
            expected.body.code,
          ]);
          for (const name of ["Allow", "Access-Control-Allow-Origin", "Access-Control-Allow-Methods"])
            expect(answer.headers.get(name), `${method} ${other}`).toBe(expected.headers.get(name));
        }
      }
    },
  );

  const known: [path: string, allow: string][] = [
    ...[...CDP_PATHS, ...TYPE_PATHS, ...UNSUPPORTED_PATHS].map((row): [string, string] => [
      typeof row === "string" ? row : row[0],
      "OPTIONS, POST",
    ]),
    ["/api/v1/events", "GET, HEAD, OPTIONS, POST"],
    ["/api/events", "OPTIONS, POST"],
    ["/api/v1/ask", "POST"],
    ["/api/ask", "POST"],
    ["/api/v1/users/u1", "DELETE, GET, HEAD"],
    ["/api/v1/users/erase", "DELETE, GET, HEAD, POST"],
    ["/api/v1/identity", "POST"],
    ["/api/identity", "POST"],
    ["/api/v1/rejected", "GET, HEAD"],
    ["/api/v1/accounts", "GET, HEAD"],
    ["/api/v1/accounts/acme", "GET, HEAD"],
    ["/api/v1/inbox", "GET, HEAD"],
    ["/api/v1/inbox/itm_1/dismiss", "DELETE, POST"],
    ["/api/v1/inbox/itm_1/snooze", "DELETE, POST"],
    ["/healthz", "GET, HEAD"],
    ["/readyz", "GET, HEAD"],
    ["/admin/recompute", "POST"],
    ["/admin/workspaces", "GET, HEAD, POST"],
    ["/admin/workspaces/ws_1", "DELETE, GET, HEAD, PATCH"],
    ["/admin/workspaces/ws_1/rebuild", "POST"],
    ["/admin/workspaces/ws_1/move", "DELETE, POST"],
    ["/admin/workspaces/ws_1/import", "DELETE, POST"],
    ["/admin/workspaces/ws_1/recompute", "POST"],
    ["/admin/workspaces/ws_1/keys", "POST"],
    ["/admin/workspaces/ws_1/keys/key_1", "DELETE, PATCH"],
    ["/admin/workspaces/ws_1/keys/key_1/rotate", "POST"],
    ["/admin/workspaces/ws_1/dpa", "DELETE, PUT"],
  ];

  it.each(known)("§1 %s with another method is 405, with Allow: %s", async (path, allow) => {
    const allowed = new Set(allow.split(", "));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      if (allowed.has(method)) continue;
      const answer = await send(method, path, undefined, { headers: ADMIN_HEADERS });
      expect(answer, method).toMatchObject(refusal(405, "method_not_allowed"));
      expect(answer.headers.get("Allow"), method).toBe(allow);
    }
  });
});

describe("§1 unversioned paths", () => {
  it.each([
    ["/api/events", "/api/v1/events", capture()],
    ["/api/cdp", "/api/v1/cdp", track()],
  ])("§1 §8 %s behaves like %s and links to it, also on errors", async (path, versioned, body) => {
    const { post } = await newWorkspace();
    const [answer, same] = [await post(path, body), await post(versioned, body)];
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, Object.keys(same.body)]);
    const refused = await send("POST", path, "{}");
    for (const { headers } of [answer, refused]) {
      expect(headers.get("Link")).toBe(`<${versioned}>; rel="successor-version"`);
    }
    expect(same.headers.get("Link")).toBeNull();
  });

  it("§1 §8 of client libraries have no Link", async () => {
    const { post } = await newWorkspace();
    for (const path of ["/v1/track", "/v1/batch"])
      expect((await post(path, { batch: [] })).headers.get("Link")).toBeNull();
  });
});
