/** Section 1: which paths there are, and with which methods. */
import { describe, expect, it } from "vitest";

import { capture, track } from "../support/messages.ts";
import { ADMIN_HEADERS, admin, newWorkspace } from "../support/workspace.ts";
import { send } from "../support/send.ts";

const CDP_PATHS = ["/api/v1/cdp", "/api/cdp", "/v1/batch", "/v1/track", "/v1/identify", "/v1/group"]
  .concat(["/v1/page", "/v1/screen", "/v1/alias"])
  .concat(["/v1/b", "/v1/t", "/v1/i", "/v1/g", "/v1/p", "/v1/s", "/v1/a"]);
const EVENT_PATHS = ["/api/v1/events", "/api/events"];

const UNKNOWN_PATHS = [
  "/",
  "/api",
  "/api/v1",
  "/api/v1/event",
  "/api/v1/events/",
  "/api/v2/events",
  "/api/v1/users",
  "/api/v1/users/a/b",
  "/api/v1/accounts/a/b",
  "/api/v1/inbox/itm_1",
  "/api/v1/inbox/itm_1/resolve",
  "/api/accounts",
  "/api/inbox",
]
  .concat([
    "/api/users/u1",
    "/api/rejected",
    "/v1",
    "/v1/x",
    "/v1/batch/",
    "/v1/TRACK",
    "/v2/track",
    "/v1/track/1",
    "/health",
  ])
  .concat(["//api/v1/events", "/api/v1/cdp%20", "/favicon.ico", "/.env"]);

describe("§1 paths", () => {
  it.each(EVENT_PATHS)("§1 POST %s captures one behaviour event", async (path) => {
    const { post } = await newWorkspace();
    expect(await post(path, capture())).toMatchObject({
      status: 200,
      body: { ok: true, account: { externalId: "acme" } },
    });
  });

  it.each(CDP_PATHS)("§1 POST %s ingests compatibility messages", async (path) => {
    const { post } = await newWorkspace();
    expect(await post(path, { batch: [] })).toMatchObject({
      status: 200,
      body: { ok: true, source: "cdp", stored: 0 },
    });
  });

  it.each(["/api/v1/events", "/api/v1/rejected"])("§1 GET %s reads what is stored", async (path) => {
    const { get } = await newWorkspace();
    expect(await get(path)).toMatchObject({ status: 200, body: { ok: true, nextCursor: null } });
  });

  it.each([
    ["/api/v1/accounts", "accounts"],
    ["/api/v1/inbox", "items"],
  ])("§1 GET %s reads outcomes", async (path, list) => {
    const { get } = await newWorkspace();
    expect((await get(path)).body).toEqual({ ok: true, asOf: null, [list]: [], nextCursor: null });
  });

  it("§1 GET /api/v1/users/{externalId} reads one user", async () => {
    const { post, get } = await newWorkspace();
    await post("/api/v1/cdp", track());
    expect(await get("/api/v1/users/u1")).toMatchObject({
      status: 200,
      body: { ok: true, user: { externalId: "u1" } },
    });
  });

  it.each(["/api/v1/identity", "/api/identity"])("§1 POST %s attaches identity traits", async (path) => {
    const { id, key, post } = await newWorkspace();
    await admin("PUT", `/workspaces/${id}/dpa`, { acceptedBy: "Ann", version: "1" });
    await post("/api/v1/events", capture());
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    expect(await send("POST", path, { accountId: "acme", traits: { company: "Acme" } }, { headers })).toMatchObject({
      status: 200,
      body: { ok: true, account: { externalId: "acme" }, user: null, attached: ["company"] },
    });
  });

  it("§1 DELETE /api/v1/users/{externalId} erases one user", async () => {
    const { key } = await newWorkspace();
    const headers = { Authorization: `Bearer ${key}` };
    expect(await send("DELETE", "/api/v1/users/u1", undefined, { headers })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  });

  it.each(["/healthz", "/readyz"])("§1 GET %s needs no key", async (path) => {
    expect(await send("GET", path)).toMatchObject({ status: 200, body: { ok: true } });
  });

  it.each(UNKNOWN_PATHS)("§1 %s is 404 not_found for any method", async (path) => {
    const { key } = await newWorkspace();
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const answer = await send(method, path, undefined, { headers: { Authorization: `Bearer ${key}` } });
      expect(answer, `by ${method}`).toMatchObject({ status: 404, body: { ok: false, error: { code: "not_found" } } });
    }
  });

  it("§1 an unknown path under /admin is 404, with the admin token", async () => {
    expect(await admin("GET", "/nothing")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(await admin("GET", "/workspaces/ws_1/nothing")).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
  });
});

describe("§1 methods", () => {
  const known: [path: string, documented: string[]][] = [
    ...CDP_PATHS.map((path): [string, string[]] => [path, ["POST", "OPTIONS"]]),
    ["/api/v1/events", ["GET", "POST", "OPTIONS"]],
    ["/api/events", ["POST", "OPTIONS"]],
    ["/api/v1/ask", ["POST"]],
    ["/api/ask", ["POST"]],
    ["/api/v1/users/u1", ["GET", "DELETE"]],
    ["/api/v1/users/erase", ["GET", "DELETE", "POST"]],
    ["/api/v1/identity", ["POST"]],
    ["/api/identity", ["POST"]],
    ["/api/v1/rejected", ["GET"]],
    ["/api/v1/accounts", ["GET"]],
    ["/api/v1/accounts/acme", ["GET"]],
    ["/api/v1/inbox", ["GET"]],
    ["/api/v1/inbox/itm_1/dismiss", ["POST", "DELETE"]],
    ["/api/v1/inbox/itm_1/snooze", ["POST", "DELETE"]],
    ["/healthz", ["GET"]],
    ["/readyz", ["GET"]],
    ["/admin/recompute", ["POST"]],
    ["/admin/workspaces", ["GET", "POST"]],
    ["/admin/workspaces/ws_1", ["GET", "PATCH", "DELETE"]],
    ["/admin/workspaces/ws_1/rebuild", ["POST"]],
    ["/admin/workspaces/ws_1/keys", ["POST"]],
    ["/admin/workspaces/ws_1/keys/key_1", ["DELETE"]],
    ["/admin/workspaces/ws_1/dpa", ["PUT", "DELETE"]],
  ];

  it.each(known)("§1 %s with any other method than %j is 405 with Allow", async (path, documented) => {
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    const { headers } = await send("PROPFIND", path, undefined, { headers: ADMIN_HEADERS });
    const allowed = (headers.get("Allow") ?? "").split(", ");
    expect(allowed).toEqual(expect.arrayContaining(documented));
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const answer = await send(method, path, undefined, { headers: ADMIN_HEADERS });
      expect(answer, `by ${method}`).toMatchObject({
        status: 405,
        body: { ok: false, error: { code: "method_not_allowed" } },
      });
      expect(answer.headers.get("Allow"), `by ${method}`).toBe(allowed.join(", "));
    }
  });

  it.each(known.filter(([path]) => path !== "/api/v1/events" && path.startsWith("/api/v1/c")))(
    "§1 Allow of %s names no method that it refuses",
    async (path) => {
      const { headers } = await send("GET", path);
      expect(headers.get("Allow")).toBe("OPTIONS, POST");
    },
  );
});

describe("§1 unversioned paths", () => {
  it.each([
    ["/api/events", "/api/v1/events", capture()],
    ["/api/cdp", "/api/v1/cdp", track()],
  ])("§1 §8 %s answers the same and links to %s as its successor", async (path, versioned, body) => {
    const { post } = await newWorkspace();
    const answer = await post(path, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Link")).toBe(`<${versioned}>; rel="successor-version"`);
    const same = await post(versioned, body);
    expect(same.headers.get("Link")).toBeNull();
    expect(Object.keys(answer.body)).toEqual(Object.keys(same.body));
  });

  it.each(["/api/events", "/api/cdp"])("§1 §8 %s links on errors too", async (path) => {
    const refused = await send("POST", path, "{}");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("Link")).toContain('rel="successor-version"');
  });

  it.each(["/v1/track", "/v1/batch"])("§1 §8 %s, a client library's path, has no successor", async (path) => {
    const { post } = await newWorkspace();
    expect((await post(path, { batch: [] })).headers.get("Link")).toBeNull();
  });
});
