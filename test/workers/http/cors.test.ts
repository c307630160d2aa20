/** Section 8: scripts of any origin may send to the ingest paths, and to no other path. */
import { beforeAll, describe, expect, it } from "vitest";

import { envWith, D1_OVERLOADED, databaseWith, failing, sendWith } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const INGEST = [
  "/api/v1/events",
  "/api/events",
  "/api/v1/cdp",
  "/api/cdp",
  "/v1/batch",
  "/v1/track",
  "/v1/p",
  "//v1/import/",
];
const OTHERS = [
  "/api/v1/identity",
  "/api/v1/rejected",
  "/api/v1/users/u1",
  "/healthz",
  "/admin/workspaces",
  "/nothing",
];
const ORIGIN = { Origin: "https://shop.example" };

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 1_000 });
});

const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("§8 CORS on ingest paths", () => {
  it.each(INGEST)("§8 OPTIONS %s allows any origin, without credentials", async (path) => {
    const { status, headers, text } = await send("OPTIONS", path, undefined, {
      headers: {
        ...ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-write-key",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect(headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toMatch(
      /authorization.*content-type.*x-write-key/,
    );
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it.each(INGEST)("§8 POST %s allows any origin to read its response, also if it is an error", async (path) => {
    const answers = [
      await workspace.post(path, { batch: [] }, { headers: { Authorization: `Bearer ${workspace.key}`, ...ORIGIN } }),
      await send("POST", path, track(), { headers: ORIGIN }),
      await send("POST", path, "{", { headers: { ...ORIGIN, "X-Write-Key": workspace.key } }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    }
  });

  it("§8 a 429 exposes its headers to scripts", async () => {
    const { post } = await newWorkspace({ writeLimit: 1 });
    await post("/v1/t", track());
    const { status, headers } = await post("/v1/t", track());
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([429, "*"]);
    const exposed = headers.get("Access-Control-Expose-Headers")?.toLowerCase();
    for (const name of ["retry-after", "ratelimit", "ratelimit-policy", "x-ratelimit-reset", "x-request-id"])
      expect(exposed).toContain(name);
  });

  it("§8 a 503 can be read by scripts too", async () => {
    await workspace.post("/v1/t", track());
    const { DB } = databaseWith(failing(D1_OVERLOADED));
    const init = { headers: { ...ORIGIN, "X-Write-Key": workspace.key } };
    const { status, headers } = await sendWith(envWith({ DB }), "POST", "/v1/t", track(), init);
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([503, "*"]);
  });
});

it.each(OTHERS)("§8 %s has no CORS headers, with or without credentials", async (path) => {
  for (const credentials of [{}, ADMIN_HEADERS, { Authorization: `Bearer ${workspace.key}` }]) {
    const headers = { ...ORIGIN, ...credentials };
    const preflight = await send("OPTIONS", path, undefined, {
      headers: { ...headers, "Access-Control-Request-Method": "GET" },
    });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    expect(corsHeaders(preflight.headers)).toEqual([]);
    expect(corsHeaders((await send("GET", path, undefined, { headers })).headers)).toEqual([]);
  }
});

it("§8 GET /api/v1/events has no CORS headers, although POST has", async () => {
  const headers = { Authorization: `Bearer ${workspace.key}`, ...ORIGIN };
  expect(corsHeaders((await workspace.get("/api/v1/events", { headers })).headers)).toEqual([]);
});
