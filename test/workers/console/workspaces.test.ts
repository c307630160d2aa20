/** The list of workspaces, and how a new one begins: for who has the admin token. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { fullScans } from "../costs/full-scans.ts";
import { newMeter } from "../costs/meter.ts";
import { tablesWith } from "../support/database.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { ORIGIN, send } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, type PageAnswer, signedIn } from "./support/signed-in.ts";

const PATH = "/console/workspaces";
const KEY = /bik_[0-9A-Za-z]{30}/;
const MAX_PAGE_BYTES = 100_000;

let admins: Browser;
beforeAll(async () => {
  admins = await signedIn();
});
afterEach(() => {
  vi.useRealTimers();
});

const names = async () => (await env.DB.prepare("SELECT name FROM workspaces").all<{ name: string }>()).results;
const rows = ({ html }: PageAnswer) => html.match(/<th scope="row">/g)?.length ?? 0;
const make = (fields: Record<string, string> = {}) => admins.post(PATH, { name: "Shop", writeLimit: "100", ...fields });

describe("the list of workspaces", () => {
  it("says of each what it is called, what is stored, when the last message came, and its limit", async () => {
    vi.setSystemTime(Date.UTC(2030, 0, 1));
    const shop = await newWorkspace({ name: "Shop", writeLimit: 1_250 });
    await shop.post("/api/v1/cdp", batch(tracks(1_000)));
    vi.setSystemTime(Date.UTC(2030, 0, 3));
    await newWorkspace({ name: "Staging" });
    const { status, html } = await (await signedIn()).get(PATH);
    expect(status).toBe(200);
    const text = textOf(html);
    expect(text).toContain("Shop 2 d ago 2 d ago 1,000 1,250");
    expect(text).toContain("Staging none just now 0 100");
    expect(html).toContain(`href="/console/w/${shop.id}/live"`);
  });

  it("shows markup in a name as text", async () => {
    await newWorkspace({ name: '<script>alert("x")</script>' });
    const { html } = await admins.get(PATH);
    expect(html).not.toContain("<script>alert");
    expect(textOf(html)).toContain('<script>alert("x")</script>');
  });

  it("is refused to the session of a key, and so is a new workspace", async () => {
    const { key } = await newWorkspace();
    const inside = await signedIn(key);
    const before = await names();
    expect((await inside.get(PATH)).status).toBe(403);
    expect((await inside.post(PATH, { name: "Mine", writeLimit: "100" })).status).toBe(403);
    expect(await names()).toEqual(before);
  });

  it("has pages of fifty, each workspace on one of them", async () => {
    for (let count = 0; count < 3; count += 1) await newWorkspace({ name: `Early ${count}` });
    await env.DB.prepare(
      `INSERT INTO workspaces (id, name, write_limit, created_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 60)
      SELECT printf('ws_page_%d', value), printf('Paged %d', value), 100, 0 FROM n`,
    ).run();
    const first = await admins.get(PATH);
    expect(rows(first)).toBe(50);
    const next = /href="(\/console\/workspaces\?cursor=[^"]+)"/.exec(first.html)?.[1] ?? "";
    const second = await admins.get(next);
    expect(rows(first) + rows(second)).toBe((await names()).length);
    expect(textOf(second.html)).toContain("Early 0");
    expect(second.html).toContain('href="/console/workspaces"');
  });

  it("begins anew for a cursor that is none", async () => {
    expect(await admins.get(`${PATH}?cursor=x`)).toMatchObject({ status: 303, location: PATH });
  });

  it("of 10,000 workspaces costs one round trip and no scan, and is a page below 100 KB", async () => {
    const meter = await newMeter();
    await env.DB.prepare(
      `INSERT INTO workspaces (id, name, write_limit, created_at)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10000)
      SELECT printf('ws_%024d', value), printf('A workspace of the deployment %d', value), 100, 0 FROM n`,
    ).run();
    const cost = await meter.request("GET", PATH, undefined, { Cookie: admins.cookie });
    expect(cost).toMatchObject({ status: 200, trips: 1, objectCalls: 0 });
    for (const { sql, values } of cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
    await env.DB.prepare(`UPDATE workspaces SET name = ? WHERE id LIKE 'ws_00%'`).bind('"'.repeat(200)).run();
    const { html } = await admins.get(PATH);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe("a new workspace", () => {
  it("§2 §9 answers with its key, which opens it, and stands in what is to be pasted", async () => {
    const { status, html, location } = await make({ name: "Brand new" });
    expect([status, location]).toEqual([200, null]);
    const text = textOf(html);
    expect(text).toContain("Brand new is ready");
    expect(text).toContain("it will not be shown again");
    expect(text).not.toContain("YOUR_KEY");
    const [key = ""] = KEY.exec(html) ?? [];
    expect(html).toContain(`data-copy="${key}"`);
    expect(text).toContain(`-H 'Authorization: Bearer ${key}'`);
    const sent = await send("POST", "/api/v1/events", capture(), { headers: { Authorization: `Bearer ${key}` } });
    expect(sent.status).toBe(200);
  });

  it("§2 §9 its key is in no address, no header and no cookie, and neither stored nor shown again", async () => {
    const { html, headers } = await make({ name: "Once" });
    const [key = "none"] = KEY.exec(html) ?? [];
    expect(JSON.stringify([...headers])).not.toContain(key);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect([...html.matchAll(/(?:href|action|src)="([^"]*)"/g)].filter(([, url]) => url?.includes(key))).toEqual([]);
    expect(await tablesWith(key)).toEqual([]);
    const [, start = ""] = /href="(\/console\/w\/[^"]+\/start)"/.exec(html) ?? [];
    const again = await admins.get(start);
    expect(again.html).not.toMatch(KEY);
    expect(textOf(again.html)).toContain("Bearer YOUR_KEY");
  });

  it("the page with the key never loads itself again, as that would make another workspace", async () => {
    const { html } = await make();
    expect(html).toMatch(/data-refresh="2" data-source="\/console\/w\/[^"]+\/start"/);
    expect(html).not.toContain('http-equiv="refresh"');
  });

  it("§7 §9 has the write limit that it was made with", async () => {
    const { html } = await make({ writeLimit: "7" });
    const [key = ""] = KEY.exec(html) ?? [];
    const { headers } = await send("POST", "/api/v1/cdp", track(), { headers: { Authorization: `Bearer ${key}` } });
    expect(headers.get("RateLimit-Policy") ?? "").toContain("q=7");
  });

  it.each([
    ["“Name” takes", { name: "" }],
    ["“Name” takes", { name: "   " }],
    ["“Name” takes", { name: "x".repeat(201) }],
    ["“Messages in 10 s” takes", { writeLimit: "" }],
    ["“Messages in 10 s” takes", { writeLimit: "0" }],
    ["“Messages in 10 s” takes", { writeLimit: "1.5" }],
    ["“Messages in 10 s” takes", { writeLimit: "1e3" }],
    ["“Messages in 10 s” takes", { writeLimit: "100001" }],
  ])("§9 the page comes again and says “%s”: %j", async (fault, fields: Record<string, string>) => {
    const before = await names();
    const { status, html } = await make({ name: "Kept", ...fields });
    expect(status).toBe(400);
    expect(html).toContain('role="alert"');
    expect(textOf(html)).toContain(fault);
    for (const value of Object.values(fields)) expect(html).toContain(`value="${value}"`);
    expect(await names()).toEqual(before);
  });

  it("costs a round trip to make and one to read, and one call of the object", async () => {
    const meter = await newMeter();
    const made = await meter.request("POST", PATH, "name=Metered&writeLimit=100", {
      Cookie: admins.cookie,
      Origin: ORIGIN,
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(made).toMatchObject({ status: 200, trips: 2, objectCalls: 1 });
  });
});
