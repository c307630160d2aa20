/** Section 9: who may administer. */
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
  ["GET", "/admin/unknown"],
];
const TOKEN = ADMIN_HEADERS.Authorization.slice(7);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const target = (path: string) => path.replace("ID", workspace.id).replace("KEY", workspace.keyId);
const init = (Authorization: string) => ({ headers: { "Content-Type": "application/json", Authorization } });

describe("§9 the admin token", () => {
  it.each(CALLS)("§9 %s %s is 404 if ADMIN_TOKEN is missing or too short", async (method, path, body) => {
    const without = envWith({});
    Reflect.deleteProperty(without, "ADMIN_TOKEN");
    for (const [changed, sent] of [
      [without, "undefined"],
      [envWith({ ADMIN_TOKEN: "" }), ""],
      [envWith({ ADMIN_TOKEN: "t".repeat(31) }), "t".repeat(31)],
    ] as const) {
      const answer = await sendWith(changed, method, target(path), body, init(`Bearer ${sent}`));
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
  });

  it("§9 has at least 32 characters", async () => {
    const token = "t".repeat(32);
    const changed = envWith({ ADMIN_TOKEN: token });
    const answer = await sendWith(changed, "GET", "/admin/workspaces?limit=1", undefined, init(`Bearer ${token}`));
    expect(answer.status).toBe(200);
  });

  it.each(CALLS)("§9 %s %s without the token is 401", async (method, path, body) => {
    const wrong = ["", `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN}x`, `Bearer ${workspace.key}`, TOKEN];
    for (const authorization of [...wrong, `Basic ${btoa(`${TOKEN}:`)}`]) {
      const answer = await send(method, target(path), body, init(authorization));
      expect(answer, authorization).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  it("§9 gives no access outside /admin", async () => {
    expect((await send("GET", "/api/v1/events", undefined, { headers: ADMIN_HEADERS })).status).toBe(401);
    expect((await send("POST", "/api/v1/cdp", { batch: [] }, { headers: ADMIN_HEADERS })).status).toBe(401);
  });
});

it.each(CALLS.filter(([, path]) => path.includes("ID")))(
  "§9 %s %s of an unknown workspace is 404",
  async (method, path, body) => {
    const unknown = path.replace("/admin", "").replace("ID", "ws_000000000000000000000000");
    const answer = await admin(method, unknown.replace("KEY", workspace.keyId), body);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  },
);

it("§9 every route that needs the admin token lies under /admin, where the app requires it", () => {
  for (const { declaration } of ROUTES) {
    for (const path of Object.keys(declaration.paths)) {
      expect([path, path.startsWith("/admin/")]).toEqual([path, declaration.access === "admin"]);
    }
  }
});
