/** Get started: what to paste, and the moment that the first event arrives. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { fullScans } from "../costs/full-scans.ts";
import { messages, newMeter } from "../costs/meter.ts";
import { emptyTables } from "../support/database.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { ORIGIN } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { KEY, textOf } from "./support/page-text.ts";
import { type Browser, creationIdIn, signedIn } from "./support/signed-in.ts";

const NOW = Date.UTC(2030, 0, 7, 8);

let workspace: TestWorkspace;
let inside: Browser;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  inside = await signedIn(workspace.key);
});
afterEach(() => {
  vi.useRealTimers();
});

const page = async () => (await inside.get(`/console/w/${workspace.id}/start`)).html;
/** The status of the first event. */
const status = async () =>
  textOf(/<div id="arrival".*?(?=<section class="card"><h2>A key)/s.exec(await page())?.[0] ?? "");

describe("the snippets", () => {
  it("contain the service's own address, and a placeholder for the key", async () => {
    const text = textOf(await page());
    for (const part of [
      `curl ${ORIGIN}/api/v1/events \\ -H 'Authorization: Bearer YOUR_KEY'`,
      `writeKey: "YOUR_KEY", host: "${ORIGIN}"`,
      `new Analytics("YOUR_KEY", { dataPlaneUrl: "${ORIGIN}", }`,
      `Webhook URL ${ORIGIN}/api/v1/cdp`,
      "Header Authorization Bearer YOUR_KEY",
    ]) {
      expect(text).toContain(part);
    }
  });
});

const ON_SERVERS = [
  "Command: curl",
  "Script: Python",
  "Script: @segment/analytics-node",
  "Script: @rudderstack/rudder-sdk-node",
];

/** The labels of the snippets with a text. */
const snippetsWith = (text: string, html: string) =>
  [...html.matchAll(/<pre[^>]*aria-label="((?:Command|Script|Setting)[^"]*)"[^>]*>(.*?)<\/pre>/gs)].flatMap(
    ([, label, snippet]) => (snippet?.includes(text) ? [label] : []),
  );

/** Opens the page as an administrator. @returns submits the form that creates a key */
async function startForm() {
  const administrator = await signedIn();
  const path = `/console/w/${workspace.id}/start`;
  const creationId = creationIdIn((await administrator.get(path)).html);
  return (fields: Record<string, string>) => administrator.post(`${path}/key`, { creationId, ...fields });
}

describe("a key", () => {
  it("is created by one click, shown once, and is in each snippet", async () => {
    const administrator = await signedIn();
    const { html } = await administrator.get(`/console/w/${workspace.id}/start`);
    const creationId = creationIdIn(html);
    const created = await administrator.post(`/console/w/${workspace.id}/start/key`, { creationId });
    const [key = ""] = KEY.exec(created.html) ?? [];
    expect(snippetsWith(key, created.html)).toEqual([...ON_SERVERS, "Setting: Authorization header"]);
    expect(
      (await workspace.post("/api/v1/events", capture(), { headers: { Authorization: `Bearer ${key}` } })).status,
    ).toBe(200);
    expect((await workspace.get("/api/v1/events", { headers: { Authorization: `Bearer ${key}` } })).status).toBe(403);

    const again = await administrator.post(`/console/w/${workspace.id}/start/key`, { creationId });
    expect(again).toMatchObject({ status: 303, location: `/console/w/${workspace.id}/start?done=key_exists` });
    const { html: shown } = await administrator.get(again.location ?? "");
    expect(textOf(shown)).toContain("This key already exists.");
    expect(KEY.test(shown)).toBe(false);
  });

  it("is created only by administrators", async () => {
    const refused = await inside.post(`/console/w/${workspace.id}/start/key`, { creationId: "0".repeat(24) });
    expect(refused.status).toBe(403);
    expect(textOf(await page())).toContain("Administrators can create one");
  });

  it("with all scopes isn't in the snippets for web pages", async () => {
    const administrator = await signedIn();
    const creationId = creationIdIn((await administrator.get("/console/workspaces")).html);
    const { html } = await administrator.post("/console/workspaces", { name: "New", writeLimit: "100", creationId });
    const [key = ""] = KEY.exec(html) ?? [];
    expect(snippetsWith(key, html)).toEqual([...ON_SERVERS, "Setting: Authorization header"]);
  });

  it("§19 for web pages is only in their snippets, and belongs to the origin", async () => {
    const create = await startForm();
    const { html } = await create({ from: "pages", origins: "https://App.example.com" });
    const [key = ""] = KEY.exec(html) ?? [];
    expect(snippetsWith(key, html)).toEqual(["Script: @segment/analytics-next", "Script: @rudderstack/analytics-js"]);
    const sent = (origin: string) =>
      workspace.post("/v1/t", track(), { headers: { Authorization: `Bearer ${key}`, Origin: origin } });
    expect((await sent("https://app.example.com")).status).toBe(200);
    expect((await sent("https://example.com")).status).toBe(403);
    const refused = await create({ from: "pages", origins: "app.example.com" });
    expect([refused.status, KEY.test(refused.html)]).toEqual([400, false]);
    expect(textOf(refused.html)).toContain("“Origins” must be an origin such as https://app.example.com");
    expect(refused.html).toContain('<option value="pages" selected="">');
    expect(refused.html).toMatch(/name="origins"[^>]* value="app\.example\.com"/);
    expect(textOf((await create({ from: "pages" })).html)).toContain("“Origins” must have 1 to 20 entries.");
  });

  it("§20 for Segment's webhooks is in their settings, with the secret", async () => {
    const { html } = await (await startForm())({ from: "segment" });
    const [key = ""] = KEY.exec(html) ?? [];
    expect(snippetsWith(key, html)).toEqual(["Setting: Authorization header"]);
    const [secret = "none"] = /whsec_[\w+/=]+/.exec(html) ?? [];
    expect(snippetsWith(secret, html)).toEqual(["Setting: Shared Secret"]);
    expect((await admin("GET", `/workspaces/${workspace.id}`)).text).not.toContain('"segmentBatches":true');
  });
});

describe("before anything is stored", () => {
  it("refreshes its status", async () => {
    expect(await status()).toContain("Waiting for your first event");
    expect(await page()).toContain('id="arrival" data-refresh="2"');
  });

  it("§4.5 shows why the newest message was rejected", async () => {
    await workspace.post("/api/v1/cdp", batch([track({ timestamp: "yesterday" }), track({ event: 5 })]));
    vi.setSystemTime(NOW + 120_000);
    const text = await status();
    expect(text).toContain("A message was rejected 2 min ago event must be a string.");
    expect(text).not.toContain("yesterday");
    expect(text).toContain("Nothing is stored yet");
  });

  it("§4.5 explains a message of an unsupported type", async () => {
    await workspace.post("/api/v1/cdp", { type: "page", userId: "u1" });
    expect(await status()).toContain("Its type is not supported. Send track, identify or group.");
  });

  it("§4.5 explains a message without a user and an account", async () => {
    await workspace.post("/api/v1/cdp", batch([{ type: "track", event: "Report Exported", anonymousId: "a1" }]));
    expect(await status()).toContain("It names no user and no account.");
  });
});

describe("31 days after a reject", () => {
  it("§4.5 waits again", async () => {
    await workspace.post("/api/v1/cdp", batch([track({ event: 5 })]));
    await emptyTables(["rejections"]);
    vi.setSystemTime(NOW + 31 * 86_400_000);
    inside = await signedIn(workspace.key);
    expect(await status()).toContain("Waiting for your first event");
  });
});

describe("once something is stored", () => {
  it("shows the first event, and links to the next pages", async () => {
    await workspace.post("/api/v1/events", capture());
    vi.setSystemTime(NOW + 180_000);
    expect(await status()).toContain("Your first event arrived: report.exported from acme, 3 min ago");
    const html = await page();
    for (const tab of ["live", "accounts"]) expect(html).toContain(`href="/console/w/${workspace.id}/${tab}"`);
    expect(html).not.toContain("data-refresh");
  });

  it("shows the number of messages and the newest one", async () => {
    await workspace.post("/api/v1/cdp", batch([...tracks(1), track({ messageId: "m9", event: "Board Shared" })]));
    expect(await status()).toContain("2 messages have arrived. The newest: board.shared from u1, just now");
  });

  it("says that an identify is not an event", async () => {
    await workspace.post("/api/v1/cdp", { type: "identify", userId: "u1", traits: { role: "admin" } });
    const text = await status();
    expect(text).toContain("Your first message arrived: identify from u1");
    expect(text).toContain("Send track messages");
  });

  it("no longer shows rejects", async () => {
    await workspace.post("/api/v1/cdp", batch([track(), track({ event: 5 })]));
    expect(await status()).not.toContain("rejected");
  });

  it("waits for a new event once all messages are archived", async () => {
    await workspace.post("/api/v1/events", capture());
    await admin("POST", "/recompute");
    const through = new Date(NOW).toISOString().slice(0, 10);
    expect((await admin("POST", `/workspaces/${workspace.id}/archive`, { through })).body).toMatchObject({
      messages: 1,
    });
    expect(await status()).toContain("Waiting for a new event");
  });

  it("§6.2 does not name an erased user", async () => {
    await workspace.post("/api/v1/cdp", track({ userId: "jo-doe" }));
    await workspace.erase("jo-doe");
    const text = await status();
    expect(text).toContain("Your first event arrived: report.exported, just now");
    expect(text).not.toContain("jo-doe");
  });
});

describe("what it costs", () => {
  it("is two round trips, including the session's, no scan, and the same rows however many messages are stored", async () => {
    const meter = await newMeter();
    const { cookie } = await signedIn(meter.workspace.key);
    const look = () => meter.request("GET", `/console/w/${meter.workspace.id}/start`, undefined, { Cookie: cookie });
    const more = () =>
      meter.post("/api/v1/cdp", [...messages(200, "track"), ...messages(100, "track", () => ({ event: "" }))]);
    await more();
    const early = await look();
    expect(early).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    for (const { sql, values } of early.statements) expect(await fullScans(sql, values), sql).toEqual([]);
    await more();
    expect((await look()).read).toBe(early.read);
  });
});
