/** Query parameters of reads are validated strictly: a misspelled filter must not return everything. */
import { beforeAll, describe, expect, it } from "vitest";

import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const LISTS = ["/api/v1/events", "/api/v1/rejected", "/api/v1/accounts", "/api/v1/inbox"];

const named = ({
  status,
  body,
}: {
  status: number;
  body: { error?: { code: string; issues?: { path: string }[] } };
}) => ({
  status,
  code: body.error?.code,
  paths: body.error?.issues?.map(({ path }) => path),
});
const refused = (name: string) => ({ status: 400, code: "invalid_request", paths: [name] });

describe("§1 query parameters", () => {
  it.each(["0x10", "1e2", "%205", "5%20", "+5", "-1", "0", "201", "1.0", "", "Infinity"])(
    "refuses limit=%s and names it",
    async (limit) => {
      expect(named(await workspace.get(`/api/v1/events?limit=${limit}`))).toEqual(refused("limit"));
    },
  );

  it.each(["1", "200", "007"])("accepts limit=%s", async (limit) => {
    expect((await workspace.get(`/api/v1/events?limit=${limit}`)).status).toBe(200);
  });

  it.each([...LISTS, "/api/v1/users/u1", "/api/v1/accounts/acme"])(
    "GET %s refuses an unknown parameter and names it",
    async (path) => {
      expect(named(await workspace.get(`${path}?account=acme`))).toEqual(refused("account"));
    },
  );

  it.each(["limit=1&limit=2", "cursor=a&cursor=b"])("refuses the repeated parameter in %s", async (query) => {
    expect(named(await workspace.get(`/api/v1/events?${query}`))).toEqual(refused(query.slice(0, query.indexOf("="))));
  });

  it.each([
    ["/api/v1/accounts", "state"],
    ["/api/v1/accounts", "sort"],
    ["/api/v1/inbox", "status"],
    ["/api/v1/inbox", "kind"],
  ])("GET %s refuses an unknown %s", async (path, name) => {
    expect(named(await workspace.get(`${path}?${name}=x`))).toEqual(refused(name));
  });

  it("§9 administration refuses an unknown parameter too", async () => {
    expect(named(await admin("GET", "/workspaces?page=2"))).toEqual(refused("page"));
  });

  it("ignores parameters of writes and probes, which senders and monitors add", async () => {
    const sent = await workspace.post("/v1/batch?ip=1", { batch: [] });
    const probed = await workspace.get("/healthz?nocache=1");
    expect([sent.status, probed.status]).toEqual([200, 200]);
  });
});
