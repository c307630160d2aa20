/** Section 9: who may administer. */
import { beforeAll, describe, expect, it } from "vitest";

import { ROUTES } from "../../../src/http/all-routes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { refusal, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** Every administration operation with its example, and a path that doesn't exist. */
const CALLS: [method: string, path: string, body?: unknown][] = [
  ...ROUTES.filter(({ declaration }) => declaration.access === "admin").flatMap(({ declaration }) =>
    Object.keys(declaration.paths).map((path): [string, string, unknown] => [
      declaration.method.toUpperCase(),
      path,
      declaration.body?.example,
    ]),
  ),
  ["GET", "/admin/unknown"],
];
const TOKEN = ADMIN_HEADERS.Authorization.slice(7);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const target = (path: string) =>
  path.replace("{id}", workspace.id).replace("{keyId}", workspace.keyId).replace("{name}", "DB_1");
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
      expect(answer).toMatchObject(refusal(404, "not_found"));
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
      expect(answer, authorization).toMatchObject(refusal(401, "unauthorized"));
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  it("§9 gives no access outside /admin", async () => {
    expect((await send("GET", "/api/v1/events", undefined, { headers: ADMIN_HEADERS })).status).toBe(401);
    expect((await send("POST", "/api/v1/cdp", { batch: [] }, { headers: ADMIN_HEADERS })).status).toBe(401);
  });
});

it.each(CALLS.filter(([, path]) => path.includes("{id}")))(
  "§9 %s %s of an unknown workspace is 404",
  async (method, path, body) => {
    const unknown = path.replace("/admin", "").replace("{id}", "ws_000000000000000000000000");
    const answer = await admin(method, unknown.replace("{keyId}", workspace.keyId), body);
    expect(answer).toMatchObject(refusal(404, "not_found"));
  },
);

it("§9 every route that needs the admin token lies under /admin, where the app requires it", () => {
  for (const { declaration } of ROUTES) {
    for (const path of Object.keys(declaration.paths)) {
      expect([path, path.startsWith("/admin/")]).toEqual([path, declaration.access === "admin"]);
    }
  }
});
