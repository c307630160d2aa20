/** The settings, in pages: the workspace's name and limit, the agreement, erasure and the recompute. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { fullScans } from "../costs/full-scans.ts";
import { newMeter } from "../costs/meter.ts";
import { rowCounts, tablesWith } from "../support/database.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { capture, track } from "../support/messages.ts";
import { NOW, setRuns } from "../support/outcomes.ts";
import { admin as adminApi, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let admin: Browser;
let inside: Browser;
let path: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  await setRuns();
  workspace = await newWorkspace({ name: "Shop", writeLimit: 250 });
  admin = await signedIn();
  inside = await signedIn(workspace.key);
  path = `/console/w/${workspace.id}/settings`;
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async (section = "", browser = admin) => textOf((await browser.get(path + section)).html);
const detail = async (field: string) => (await adminApi("GET", `/workspaces/${workspace.id}`)).body.workspace?.[field];
const accept = (fields = {}) =>
  admin.post(`${path}/agreement`, { acceptedBy: "Ann Lee", version: "2030-01", ...fields });
const attach = (company = "Acme Corp") => workspace.attach({ accountId: "acme", traits: { company } });

it("§7 §9 changes name and limit, which applies to the next write", async () => {
  const { location } = await admin.post(path, { name: "Store", writeLimit: "7" });
  expect(await read(location?.slice(path.length))).toContain("Workspace updated.");
  expect([await detail("name"), await detail("writeLimit")]).toEqual(["Store", 7]);
  const { headers } = await workspace.post("/api/v1/cdp", track());
  expect(headers.get("RateLimit-Policy")).toContain("q=7");
});

it("§9 offers time zones that it accepts", async () => {
  const offered = [...(await admin.get(path)).html.matchAll(/<option value="([^"]*)"><\/option>/g)].map(
    ([, zone]) => zone,
  );
  expect(offered).toHaveLength(12);
  for (const timezone of offered) {
    const { location } = await admin.post(path, { name: "Shop", writeLimit: "250", timezone: String(timezone) });
    expect([timezone, location]).toEqual([timezone, `${path}?done=changed`]);
    expect(await detail("timezone")).toBe(timezone);
  }
});

it.each([
  ["", "“Name” must have", { name: " ", writeLimit: "7" }],
  ["", "“Limit (messages per 10 s)” must be", { name: "Store" }],
  ["/agreement", "“Accepted by” must have", { acceptedBy: "", version: "1" }],
  ["/agreement", "“Version” must have", { acceptedBy: "Ann Lee", version: " " }],
])(
  "§9 refuses the form of %j with “%s”, and changes nothing",
  async (action, error, fields: Record<string, string>) => {
    const { status, html } = await admin.post(path + action, fields);
    expect(status).toBe(400);
    expect(textOf(/role="alert">.*?<\/div>/s.exec(html)?.[0] ?? "")).toContain(error);
    expect([await detail("name"), await detail("writeLimit"), await detail("dpa")]).toEqual(["Shop", 250, null]);
  },
);

describe("the data processing agreement", () => {
  it("§6 §9 allows the identity operation once accepted", async () => {
    await workspace.post("/api/v1/events", capture());
    const before = await read("/privacy");
    expect(before).toContain("not accepted");
    expect(before).toContain("Version 2026-11 Parties. The controller is");
    expect((await attach()).status).toBe(403);
    expect(await accept()).toMatchObject({ status: 303, location: `${path}/privacy?done=accepted` });
    expect((await attach()).status).toBe(200);
    expect(await read("/privacy")).toContain("accepted Version 2030-01, by Ann Lee, just now");
    expect(await detail("dpa")).toMatchObject({ version: "2030-01", acceptedBy: "Ann Lee" });
  });

  it("§6.1 erases all identity traits once withdrawn, as the page warns", async () => {
    await workspace.post("/api/v1/events", capture());
    await accept();
    await attach("Withdrawn Corp");
    expect(await tablesWith("Withdrawn Corp")).not.toEqual([]);
    expect(await read("/privacy")).toContain("This erases every name and e-mail address");
    vi.setSystemTime(NOW + 3_600_000);
    expect((await admin.post(`${path}/agreement/withdraw`)).location).toBe(`${path}/privacy?done=withdrawn`);
    expect(await tablesWith("Withdrawn Corp")).toEqual([]);
    expect((await attach()).status).toBe(403);
    expect(await read("/privacy")).toContain("2030-01 Ann Lee 1 h ago just now");
  });
});

describe("the recompute", () => {
  it("§10 is listed with the start, duration and status of each run", async () => {
    await setRuns({ asOf: NOW, fault: "Error: a table is gone" }, { asOf: NOW }, { asOf: NOW, finished: false });
    vi.setSystemTime(NOW + 600_000);
    const text = await read("/system");
    expect(text).toContain("9 min ago unfinished 0 0 0 0");
    expect(text).toContain("9 min ago incomplete 100 ms 0 0 0 0");
    expect(text).toContain("10 min ago failed Error: a table is gone 100 ms");
  });

  it("§10 runs on demand", async () => {
    await workspace.post("/api/v1/events", capture());
    expect(await admin.post(`${path}/recompute`)).toMatchObject({
      status: 303,
      location: `${path}/system?done=recomputed`,
    });
    expect(await read("/system?done=recomputed")).toMatch(/Recompute finished\..* manual complete \S+ m?s \d+ \d+ /);
    expect((await rowCounts())["account_progress"]).toBeGreaterThan(0);
  });

  it("§10 does not run twice at a time", async () => {
    await adminApi("POST", `/workspaces/${workspace.id}/rebuild`);
    await holdLease(env.DB, (await workspace.ref()).number, "another");
    const { location } = await admin.post(`${path}/recompute`);
    await freeLeases();
    expect(location).toBe(`${path}/system?done=running`);
    expect(await read("/system?done=running")).toContain("already running");
  });
});

describe("an import", () => {
  const importing = /An import started 2 h ago\. Accounts aren’t scored until it ends\./;

  it("§21 is shown on every page until an administrator ends it", async () => {
    await adminApi("POST", `/workspaces/${workspace.id}/import`);
    vi.setSystemTime(NOW + 2 * 3_600_000);
    for (const browser of [admin, inside]) {
      expect(await read("/system", browser)).toMatch(importing);
      expect(textOf((await browser.get(`/console/w/${workspace.id}/inbox`)).html)).toMatch(importing);
    }
    expect(await read("/system", inside)).not.toContain("End the import");
    expect((await inside.post(`${path}/import/end`)).status).toBe(403);

    expect(await read("/system")).toContain("End the import");
    const { location } = await admin.post(`${path}/import/end`);
    expect(location).toBe(`${path}/system?done=import_ended`);
    expect(await read("/system?done=import_ended")).toMatch(/^(?!.*An import started).*The import has ended\./);
    expect(await detail("import")).toBe(null);
    expect((await admin.post(`${path}/import/end`)).html).toContain("The workspace has no import.");
  });
});

describe("a key's session", () => {
  it("sees limit, retention, agreement and runs", async () => {
    await accept();
    await setRuns({ asOf: NOW });
    const pages = await Promise.all(["", "/keys", "/privacy", "/system"].map((section) => read(section, inside)));
    const text = pages.join(" ");
    for (const part of ["Write limit 250", "Event retention 430 days", "accepted Version 2030-01, just now"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("incomplete");
    for (const each of pages) expect(each).toContain("Sign in with the admin token");
    // A person's name, which is only for administrators.
    expect(text).not.toContain("Ann Lee");
  });

  it("sees no keys, no errors of the service, and no forms without the scope “identity”", async () => {
    const { key } = await workspace.newKey(["ingest", "read"]);
    await setRuns({ asOf: NOW, fault: "Error: a table is gone" });
    const reader = await signedIn(key);
    for (const section of ["", "/keys", "/privacy", "/system"]) {
      const { html } = await reader.get(path + section);
      expect([...html.matchAll(/<form method="post"[^>]*action="([^"]*)"/g)].map(([, action]) => action)).toEqual([
        "/console/sign-out",
      ]);
      for (const hidden of ["API keys", workspace.key.slice(-4), "a table is gone", "Erase a user"]) {
        expect(html).not.toContain(hidden);
      }
    }
    expect((await reader.post(`${path}/erase`, { userId: "u1" })).status).toBe(403);
  });

  it.each(["", "/keys", "/keys/KEY/revoke", "/agreement", "/agreement/withdraw", "/recompute"])(
    "can't POST %j",
    async (action) => {
      const fields = { name: "x", writeLimit: "1", scopes: "all", acceptedBy: "x", version: "x" };
      const before = (await adminApi("GET", `/workspaces/${workspace.id}`)).body.workspace;
      expect((await inside.post(path + action.replace("KEY", workspace.keyId), fields)).status).toBe(403);
      expect((await adminApi("GET", `/workspaces/${workspace.id}`)).body.workspace).toEqual(before);
    },
  );
});

it("§17 §18 shows what is stored, and downloads the messages of some days", async () => {
  await workspace.post("/api/v1/cdp", { batch: ["a", "b", "c"].map((id) => track({ messageId: id, userId: "u" })) });
  await adminApi("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 5_000_000 });
  expect(await read("/system", inside)).toContain("In the database 0 KB 3 messages; the limit is 5 MB");

  const today = new Date(NOW).toISOString().slice(0, 10);
  const download = await inside.get(`${path}/export?from=${today}&to=${today}`);
  const lines = download.html.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).message_id)).toEqual(["a", "b", "c"]);
  expect(download.headers.get("Content-Disposition")).toBe(`attachment; filename="messages-${today}-${today}.ndjson"`);
  expect((await inside.get(`${path}/export?from=${today}&to=2020-01-01`)).status).toBe(400);
});

it("§1 answers another method on the address of a form with a page", async () => {
  const { status, headers } = await admin.get(`${path}/agreement`);
  expect(status).toBe(404);
  expect(headers.get("Content-Type")).toContain("text/html");
});

it.each(["general", "keys", "privacy", "system"])(
  "the page %s costs two round trips at most, and no scan",
  async (section) => {
    const meter = await newMeter();
    const page = `/console/w/${meter.workspace.id}/settings${section === "general" ? "" : `/${section}`}`;
    const key = await signedIn(meter.workspace.key);
    for (const { cookie } of section === "system" ? [key] : [await signedIn(), key]) {
      const cost = await meter.request("GET", page, undefined, { Cookie: cookie });
      expect(cost).toMatchObject({ status: 200, objectCalls: 0 });
      expect(cost.trips).toBeLessThanOrEqual(2);
      for (const { sql, values } of cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
    }
  },
);

describe("erasing a user", () => {
  it("§6.2 erases the id, for administrators and keys with the scope “identity”", async () => {
    for (const browser of [admin, inside]) {
      await workspace.post("/api/v1/cdp", track({ userId: "jo-doe", messageId: crypto.randomUUID() }));
      expect(await tablesWith("jo-doe")).not.toEqual([]);
      expect(await browser.post(`${path}/erase`, { userId: "jo-doe" })).toMatchObject({
        status: 303,
        location: `${path}/privacy?done=erased`,
      });
      expect(await tablesWith("jo-doe")).toEqual([]);
    }
    expect(await read("/privacy?done=erased")).toContain("no user has it any more");
  });

  it("needs an id", async () => {
    const { status, html } = await admin.post(`${path}/erase`, { userId: " " });
    expect(status).toBe(400);
    expect(textOf(html)).toContain("“User id” is required.");
  });
});

describe("a page that doesn't exist", () => {
  it.each([
    ["acounts", ["Accounts"]],
    ["setting/keys", ["Settings"]],
    ["settings/key", ["Settings"]],
    ["nothing", ["Inbox", "Accounts", "Live", "Get started", "Settings"]],
  ])("says so of %s, and leads to %j", async (address, names) => {
    const { status, html } = await inside.get(`/console/w/${workspace.id}/${address}`);
    expect(status).toBe(404);
    expect(textOf(html)).toContain(`There is no page /console/w/${workspace.id}/${address}.`);
    const links = [...html.matchAll(/<a class="button" href="([^"]*)">([^<]*)</g)];
    expect(links.map(([, , name]) => name)).toEqual(names);
    for (const [, href = ""] of links) expect((await inside.get(href)).status).toBe(200);
  });

  it("leads administrators to the list of workspaces", async () => {
    const { html } = await admin.get("/console/w/ws_000000000000000000000000/inbox");
    expect(textOf(html)).toContain("You have no workspace with this id. Workspaces");
  });
});
