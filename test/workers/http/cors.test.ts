/** Section 8: browsers may send to the ingest paths from any origin, and to nothing else. */
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
  "/v1/identify",
  "/v1/group",
].concat(["/v1/page", "/v1/screen", "/v1/alias", "/v1/b", "/v1/t", "/v1/i", "/v1/g", "/v1/p", "/v1/s", "/v1/a"]);
const OTHERS = [
  "/api/v1/rejected",
  "/api/v1/users/u1",
  "/healthz",
  "/readyz",
  "/admin/workspaces",
  "/admin/workspaces/ws_1/keys",
];
const ORIGIN = { Origin: "https://shop.example" };

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 1_000 });
});

const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("§8 CORS on ingest paths", () => {
  it.each(INGEST)("§8 OPTIONS %s answers a preflight of any origin, with no credentials", async (path) => {
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

  it.each(INGEST)("§8 POST %s may be read by any origin, stored or refused", async (path) => {
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

  it("§8 a sender may read how long to wait", async () => {
    const { post } = await newWorkspace({ writeLimit: 1 });
    await post("/v1/t", track());
    const { status, headers } = await post("/v1/t", track());
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([429, "*"]);
    const exposed = headers.get("Access-Control-Expose-Headers")?.toLowerCase();
    for (const name of ["retry-after", "ratelimit", "ratelimit-policy", "x-ratelimit-reset", "x-request-id"])
      expect(exposed).toContain(name);
  });

  it("§8 a 503 may be read too", async () => {
    await workspace.post("/v1/t", track());
    const { DB } = databaseWith(failing(D1_OVERLOADED));
    const init = { headers: { ...ORIGIN, "X-Write-Key": workspace.key } };
    const { status, headers } = await sendWith(envWith({ DB }), "POST", "/v1/t", track(), init);
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([503, "*"]);
  });
});

describe("§8 no CORS elsewhere", () => {
  it.each(OTHERS)("§8 OPTIONS %s is not answered as a preflight", async (path) => {
    for (const more of [{}, ADMIN_HEADERS]) {
      const { status, headers } = await send("OPTIONS", path, undefined, {
        headers: { ...ORIGIN, "Access-Control-Request-Method": "GET", ...more },
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(corsHeaders(headers)).toEqual([]);
    }
  });

  it.each(["/api/v1/events", "/api/v1/rejected", "/api/v1/users/u1", "/healthz", "/readyz", "/nothing"])(
    "§8 GET %s carries none of its headers",
    async (path) => {
      const { headers } = await workspace.get(path, {
        headers: { Authorization: `Bearer ${workspace.key}`, ...ORIGIN },
      });
      expect(corsHeaders(headers)).toEqual([]);
    },
  );

  it("§8 administration carries none", async () => {
    const { headers } = await send("GET", "/admin/workspaces?limit=1", undefined, {
      headers: { ...ADMIN_HEADERS, ...ORIGIN },
    });
    expect(corsHeaders(headers)).toEqual([]);
  });
});
