/** The list of workspaces, and creating one. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { newMeter } from "../costs/meter.ts";
import { addWorkspaces } from "../support/bulk-rows.ts";
import { tablesWith } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith } from "../support/faulty-env.ts";
import { setEntry } from "../support/half-changed.ts";
import { batch, capture, tracks } from "../support/messages.ts";
import { newRequest, ORIGIN, send } from "../support/send.ts";
import { admin as callAdmin, newWorkspace } from "../support/workspace.ts";
import { scansIn } from "./support/many-accounts.ts";
import { bytesOf, KEY, MAX_PAGE_BYTES, textOf } from "./support/page-text.ts";
import { type Browser, creationIdIn, type PageAnswer, signedIn } from "./support/signed-in.ts";

const PATH = "/console/workspaces";

let admin: Browser;
beforeAll(async () => {
  admin = await signedIn();
});
afterEach(() => {
  vi.useRealTimers();
});

const names = async () => (await env.DB.prepare("SELECT name FROM workspaces").all<{ name: string }>()).results;
const rows = ({ html }: PageAnswer) => html.match(/<th scope="row">/g)?.length ?? 0;
const formFields = async (fields: Record<string, string> = {}) => ({
  creationId: creationIdIn((await admin.get(PATH)).html),
  name: "Shop",
  writeLimit: "100",
  ...fields,
});
const create = async (fields: Record<string, string> = {}) => admin.post(PATH, await formFields(fields));

/** Sends the form, and lets all round trips fail from one on. */
async function failAt(at: number, fields: Record<string, string>): Promise<void> {
  const { DB } = databaseWith((run, trip) => (trip >= at ? Promise.reject(new Error(D1_BROKEN)) : run()));
  const headers = { Cookie: admin.cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
  const request = newRequest("POST", PATH, new URLSearchParams(fields).toString(), { headers });
  const failed = await createApp().fetch(request, envWith({ DB }), createExecutionContext());
  expect(failed.status).toBe(500);
}

describe("the list of workspaces", () => {
  it("shows the name, the last message, the number of stored messages and the limit", async () => {
    vi.setSystemTime(Date.UTC(2030, 0, 1));
    const shop = await newWorkspace({ name: "Shop", writeLimit: 1_250 });
    await shop.post("/api/v1/cdp", batch(tracks(1_000)));
    vi.setSystemTime(Date.UTC(2030, 0, 3));
    await newWorkspace({ name: "Staging" });
    const inside = await signedIn();
    const { html } = await inside.get(PATH);
    expect(textOf(html)).toContain("Shop 2 d ago 2 d ago 1,000 1,250");
    expect(textOf(html)).toContain("Staging – none just now 0 100");
    // The same number as on the live page.
    expect(textOf((await inside.get(`/console/w/${shop.id}/live`)).html)).toContain("1,000 stored in total");
  });

  it("is only for administrators", async () => {
    const { key } = await newWorkspace();
    const inside = await signedIn(key);
    const before = await names();
    expect((await inside.get(PATH)).status).toBe(403);
    expect((await inside.post(PATH, await formFields())).status).toBe(403);
    expect(await names()).toEqual(before);
  });

  it("has fifty workspaces on a page, each on one page", async () => {
    await addWorkspaces("page_", 60, "Paged %d");
    const first = await admin.get(PATH);
    expect(rows(first)).toBe(50);
    const next = /href="(\/console\/workspaces\?cursor=[^"]+)"/.exec(first.html)?.[1] ?? "";
    const second = await admin.get(next);
    expect(rows(first) + rows(second)).toBe((await names()).length);
    expect(second.html).toContain('href="/console/workspaces"');
    expect(await admin.get(`${PATH}?cursor=x`)).toMatchObject({ status: 303, location: PATH });
  });

  it("of 10,000 workspaces costs two round trips and no scan, and is a page below 100 KB", async () => {
    const meter = await newMeter();
    await addWorkspaces("0".repeat(19), 10_000, '"'.repeat(200));
    const cost = await meter.request("GET", PATH, undefined, { Cookie: admin.cookie });
    expect(cost).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    expect(await scansIn(cost)).toEqual([]);
    expect(cost.statements.filter(({ sql }) => sql.includes("rejection_counts"))).toEqual([]);
    expect(bytesOf((await admin.get(PATH)).html)).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe("a new workspace", () => {
  it("§2 §9 has a key, which the snippets contain, and its write limit", async () => {
    const { status, html } = await create({ name: "Brand new", writeLimit: "7" });
    expect(status).toBe(200);
    expect(textOf(html)).toContain("Brand new is ready");
    const [key = ""] = KEY.exec(html) ?? [];
    expect(html).toContain(`data-copy="${key}"`);
    expect(textOf(html)).toContain(`-H 'Authorization: Bearer ${key}'`);
    const sent = await send("POST", "/api/v1/events", capture(), { headers: { Authorization: `Bearer ${key}` } });
    expect(sent.status).toBe(200);
    expect(sent.headers.get("RateLimit-Policy")).toContain("q=7");
  });

  it("§2 §9 shows its key once, in no address, header or cookie, and does not store it", async () => {
    const { html, headers } = await create();
    const [key = "none"] = KEY.exec(html) ?? [];
    expect(JSON.stringify([...headers])).not.toContain(key);
    expect([...html.matchAll(/(?:href|action|src)="([^"]*)"/g)].filter(([, url]) => url?.includes(key))).toEqual([]);
    expect(await tablesWith(key)).toEqual([]);
    const [, start = ""] = /href="(\/console\/w\/[^"]+\/start)"/.exec(html) ?? [];
    expect((await admin.get(start)).html).not.toMatch(KEY);
  });

  it("is created once, however often its form is sent", async () => {
    const fields = await formFields({ name: "Only one" });
    await admin.post(PATH, fields);
    const again = await admin.post(PATH, { ...fields, writeLimit: "1" });
    expect(again).toMatchObject({ status: 303, location: `/console/w/ws_${fields.creationId}/start?done=created` });
    expect(textOf((await admin.get(again.location ?? "")).html)).toContain("This workspace already exists.");
    expect((await names()).filter(({ name }) => name === "Only one")).toHaveLength(1);
  });

  it("is created once when a double click sends the form twice at the same time", async () => {
    const fields = await formFields({ name: "Double click" });
    const limits = ["7", "8", "9", "7", "8", "9"];
    const pages = await Promise.all(limits.map((writeLimit) => admin.post(PATH, { ...fields, writeLimit })));
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303, 303, 303, 303, 303]);
    const created = await callAdmin("GET", `/workspaces/ws_${fields.creationId}`);
    expect(created.body.workspace).toMatchObject({ keys: [expect.anything()] });
    expect((await names()).filter(({ name }) => name === "Double click")).toHaveLength(1);
    const { write_limit: limit, id } = {
      ...(await env.DB.prepare("SELECT * FROM workspaces WHERE name = 'Double click'").first()),
    };
    expect((await env.WRITE_LIMITER.getByName(String(id)).usage()).limit).toBe(limit);
  });

  it.each([2, 3, 4])("is created when its form is sent again after round trip %i failed", async (at) => {
    const fields = await formFields({ name: `Failed at ${at}` });
    await failAt(at, fields);
    const again = await admin.post(PATH, fields);
    const [key = ""] = KEY.exec(again.html) ?? [];
    const sent = await send("POST", "/api/v1/events", capture(), { headers: { Authorization: `Bearer ${key}` } });
    expect([again.status, sent.status]).toEqual([200, 200]);
    const { workspace } = (await callAdmin("GET", `/workspaces/ws_${fields.creationId}`)).body;
    expect(workspace).toMatchObject({ name: `Failed at ${at}`, keys: [expect.anything()] });
  });

  it("has its first name and limit when its form is sent again with others", async () => {
    const fields = await formFields({ name: "First name", writeLimit: "7" });
    await failAt(3, fields);
    const again = await admin.post(PATH, { ...fields, name: "Second name", writeLimit: "9" });
    expect(again.status).toBe(200);
    expect(textOf(again.html)).toContain("First name is ready");
    const [key = ""] = KEY.exec(again.html) ?? [];
    const sent = await send("POST", "/api/v1/events", capture(), { headers: { Authorization: `Bearer ${key}` } });
    expect(sent.headers.get("RateLimit-Policy")).toContain("q=7");
    const { workspace } = (await callAdmin("GET", `/workspaces/ws_${fields.creationId}`)).body;
    expect(workspace).toMatchObject({ name: "First name", writeLimit: 7, keys: [expect.anything()] });
  });

  it("is not created again when its form is sent while it is being erased", async () => {
    const fields = await formFields({ name: "Being erased" });
    await admin.post(PATH, fields);
    await setEntry({ id: `ws_${fields.creationId}` }, { erasedAt: Date.now() });
    const again = await admin.post(PATH, fields);
    expect(again.status).toBe(404);
    expect(textOf(again.html)).toContain("This workspace was erased.");
  });

  it("is not created again when its form is sent after it was erased", async () => {
    const fields = await formFields({ name: "Erased" });
    expect((await admin.post(PATH, fields)).status).toBe(200);
    expect((await callAdmin("DELETE", `/workspaces/ws_${fields.creationId}`)).status).toBe(200);
    const again = await admin.post(PATH, fields);
    expect(again.status).toBe(404);
    expect(textOf(again.html)).toContain("This workspace was erased.");
    expect((await names()).filter(({ name }) => name === "Erased")).toEqual([]);
  });

  it("has a page that refreshes from another page, not from the form's response", async () => {
    const { html } = await create();
    expect(html).toMatch(/data-refresh="2" data-source="\/console\/w\/[^"]+\/start"/);
  });

  it.each([
    ["“Name” must have", { name: "   " }],
    ["“Name” must have 1 to 128 characters.", { name: "x".repeat(129) }],
    ["“Name” must not contain control characters", { name: "two\nlines" }],
    ["“Limit (messages per 10 s)” must be", { writeLimit: "" }],
    ["“Limit (messages per 10 s)” must be", { writeLimit: "0" }],
    ["“Limit (messages per 10 s)” must be", { writeLimit: "1.5" }],
    ["“Limit (messages per 10 s)” must be", { writeLimit: "1e3" }],
    ["“Limit (messages per 10 s)” must be", { writeLimit: "100001" }],
    ["Incomplete form", { creationId: "../x" }],
  ])("§9 is refused with “%s”: %j", async (error, fields: Record<string, string>) => {
    const before = await names();
    const { status, html } = await create({ name: "Kept", ...fields });
    expect(status).toBe(400);
    expect(textOf(/role="alert">.*?<\/div>/s.exec(html)?.[0] ?? "")).toContain(error);
    expect(await names()).toEqual(before);
  });

  it("costs four round trips and a call of the limiter", async () => {
    const meter = await newMeter();
    const created = await meter.request("POST", PATH, new URLSearchParams(await formFields()).toString(), {
      Cookie: admin.cookie,
      Origin: ORIGIN,
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(created).toMatchObject({ status: 200, trips: 4, objectCalls: 1 });
  });
});
