/** Settings of a workspace: what is shown to whom, and what its forms do. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { fullScans } from "../costs/full-scans.ts";
import { newMeter } from "../costs/meter.ts";
import { rowCounts, tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { NOW, setRuns } from "../support/outcomes.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

let workspace: TestWorkspace;
let admins: Browser;
let inside: Browser;
let at: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  await setRuns();
  workspace = await newWorkspace({ name: "Shop", writeLimit: 250 });
  admins = await signedIn();
  inside = await signedIn(workspace.key);
  at = `/console/w/${workspace.id}/settings`;
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async (browser = admins, query = "") => textOf((await browser.get(at + query)).html);
const detail = async (field: string) => (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace?.[field];
const accept = (fields = {}) =>
  admins.post(`${at}/agreement`, { acceptedBy: "Ann Lee", version: "2030-01", ...fields });

const attach = (company = "Acme Corp") =>
  workspace.post("/api/v1/identity", { accountId: "acme", traits: { company } }, { headers: JSON_TYPE });

describe("name and limit", () => {
  it("§7 §9 are changed, and the limit holds for the next write", async () => {
    expect(await admins.post(at, { name: "Store", writeLimit: "7" })).toMatchObject({
      status: 303,
      location: `${at}?done=changed`,
    });
    expect(await read(admins, "?done=changed")).toContain("The workspace was changed.");
    expect([await detail("name"), await detail("writeLimit")]).toEqual(["Store", 7]);
    const { headers } = await workspace.post("/api/v1/cdp", track());
    expect(headers.get("RateLimit-Policy")).toContain("q=7");
  });

  it.each([
    ["“Name” takes", { name: " ", writeLimit: "7" }],
    ["“Messages in 10 s” takes", { name: "Store", writeLimit: "many" }],
    ["“Messages in 10 s” takes", { name: "Store" }],
  ])("§9 are refused where “%s” something else, and stay: %j", async (fault, fields: Record<string, string>) => {
    const { status, html } = await admins.post(at, fields);
    expect(status).toBe(400);
    expect(textOf(/role="alert">.*?<\/div>/s.exec(html)?.[0] ?? "")).toContain(fault);
    expect([await detail("name"), await detail("writeLimit")]).toEqual(["Shop", 250]);
  });
});

describe("the data processing agreement", () => {
  it("§6 §9 its acceptance opens the identity operation, and is on record", async () => {
    await workspace.post("/api/v1/events", capture());
    expect(await read()).toContain("not accepted");
    expect((await attach()).status).toBe(403);
    expect(await accept()).toMatchObject({ status: 303, location: `${at}?done=accepted` });
    expect((await attach()).status).toBe(200);
    expect(await read()).toContain("accepted Version 2030-01, by Ann Lee, just now");
    expect(await detail("dpa")).toMatchObject({ version: "2030-01", acceptedBy: "Ann Lee" });
  });

  it("§6.1 its withdrawal, of which the page says that it erases, leaves no identity trait", async () => {
    await workspace.post("/api/v1/events", capture());
    await accept();
    await attach("Withdrawn Corp");
    expect(await tablesWith("Withdrawn Corp")).not.toEqual([]);
    expect(await read()).toContain("This erases every name and e-mail address");
    vi.setSystemTime(NOW + 3_600_000);
    expect(await admins.post(`${at}/agreement/withdraw`)).toMatchObject({
      status: 303,
      location: `${at}?done=withdrawn`,
    });
    expect(await tablesWith("Withdrawn Corp")).toEqual([]);
    expect((await attach()).status).toBe(403);
    expect(await read()).toContain("2030-01 Ann Lee 1 h ago just now");
  });

  it.each([
    ["“Accepted by” takes", { acceptedBy: "" }],
    ["“Version” takes", { version: " " }],
  ])("§9 is not accepted where “%s” something else", async (fault, fields) => {
    const { status, html } = await accept(fields);
    expect(status).toBe(400);
    expect(textOf(html)).toContain(fault);
    expect(await detail("dpa")).toBeNull();
  });
});

describe("the recompute", () => {
  it("§10 shows when runs began, how long they took, and how they ended", async () => {
    await setRuns({ asOf: NOW, fault: "Error: a table is gone" }, { asOf: NOW }, { asOf: NOW, finished: false });
    vi.setSystemTime(NOW + 600_000);
    const text = await read();
    expect(text).toContain("9 min ago not finished 0 0 0 0");
    expect(text).toContain("9 min ago more to do 100 ms 0 0 0 0");
    expect(text).toContain("10 min ago failed in part Error: a table is gone 100 ms");
  });

  it("§10 runs now, and says what it did", async () => {
    await workspace.post("/api/v1/events", capture());
    expect(await admins.post(`${at}/recompute`)).toMatchObject({ status: 303, location: `${at}?done=recomputed` });
    expect(await read(admins, "?done=recomputed")).toMatch(/The recompute ran\..* by hand complete \S+ m?s \d+ \d+ /);
    expect((await rowCounts())["activity"]).toBeGreaterThan(0);
  });

  it("§10 says so when one is under way already", async () => {
    await env.DB.prepare(
      "INSERT OR REPLACE INTO leases (name, holder, expires_at) SELECT name, 'another', ? FROM leases",
    )
      .bind(NOW + 60_000)
      .run();
    const { location } = await admins.post(`${at}/recompute`);
    await env.DB.prepare("UPDATE leases SET holder = NULL, expires_at = 0").run();
    expect(location).toBe(`${at}?done=running`);
    expect(await read(admins, "?done=running")).toContain("under way already");
  });
});

describe("the session of a key", () => {
  it("sees limit, retention, agreement and runs, and is told what the admin token opens", async () => {
    await accept();
    await setRuns({ asOf: NOW });
    const text = await read(inside);
    for (const said of [
      "Write limit 250",
      "Events are kept for 400 days",
      "accepted Version 2030-01, just now",
      "more to do",
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toContain("need a sign-in with the admin token");
    // A person's name, which is for who has the admin token.
    expect(text).not.toContain("Ann Lee");
  });

  it("sees no keys, no forms but the sign-out, and of runs nothing that counts other tenants' events", async () => {
    await workspace.newKey(["ingest"]);
    await setRuns({ asOf: NOW, fault: "Error: of another tenant" });
    const { html } = await inside.get(at);
    expect([...html.matchAll(/<form[^>]*action="([^"]*)"/g)].map(([, action]) => action)).toEqual([
      "/console/sign-out",
    ]);
    for (const unsaid of ["API keys", workspace.key.slice(-4), "Events folded", "another tenant"]) {
      expect(html).not.toContain(unsaid);
    }
  });

  it.each(["", "/keys", "/keys/KEY/revoke", "/agreement", "/agreement/withdraw", "/recompute"])(
    "may not POST %j, which changes nothing",
    async (path) => {
      const fields = { name: "x", writeLimit: "1", scopes: "all", acceptedBy: "x", version: "x" };
      const before = (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace;
      expect((await inside.post(at + path.replace("KEY", workspace.keyId), fields)).status).toBe(403);
      expect((await admin("GET", `/workspaces/${workspace.id}`)).body.workspace).toEqual(before);
    },
  );

  it("is told nothing of another workspace's settings", async () => {
    const other = await newWorkspace();
    expect((await inside.get(`/console/w/${other.id}/settings`)).status).toBe(404);
    expect((await inside.post(`/console/w/${other.id}/settings/recompute`)).status).toBe(404);
  });
});

describe("what it costs", () => {
  it("is two round trips, that of the session included, and no scan", async () => {
    const meter = await newMeter();
    for (const { cookie } of [await signedIn(), await signedIn(meter.workspace.key)]) {
      const path = `/console/w/${meter.workspace.id}/settings`;
      const cost = await meter.request("GET", path, undefined, { Cookie: cookie });
      expect(cost).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
      for (const { sql, values } of cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
    }
  });
});
