/** Get started: what to paste, and the moment that the first event arrives. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { fullScans } from "../costs/full-scans.ts";
import { messages, newMeter } from "../costs/meter.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { ORIGIN, send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

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
/** The part of the page that tells what came, as somebody reads it. */
const told = async () => textOf(/<div id="arrival".*?(?=<div class="senders">)/s.exec(await page())?.[0] ?? "");

describe("what is to be pasted", () => {
  it("names the service by its own address, and leaves a place for the key", async () => {
    const text = textOf(await page());
    for (const said of [
      `curl ${ORIGIN}/api/v1/events \\ -H 'Authorization: Bearer YOUR_KEY'`,
      `writeKey: "YOUR_KEY", host: "${ORIGIN}"`,
      `new Analytics("YOUR_KEY", { dataPlaneUrl: "${ORIGIN}", }`,
      `Webhook URL ${ORIGIN}/api/v1/cdp`,
      "Header Authorization Bearer YOUR_KEY",
    ]) {
      expect(text).toContain(said);
    }
  });
});

describe("before anything is stored", () => {
  it("the page waits, and asks again by itself: with script for the part, without it for the page", async () => {
    expect(await told()).toContain("Waiting for your first event");
    const html = await page();
    expect(html).toContain('id="arrival" data-refresh="2"');
    expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="5"/);
  });

  it("§4.5 says why what came was rejected, and where: the newest of it", async () => {
    await workspace.post("/api/v1/cdp", batch([track({ timestamp: "yesterday" }), track({ event: 5 })]));
    vi.setSystemTime(NOW + 120_000);
    const text = await told();
    expect(text).toContain("Something came, and was rejected: 2 min ago event must be a string.");
    expect(text).not.toContain("yesterday");
    expect(text).toContain("Nothing is stored yet");
  });

  it("§4.5 of what is only counted it says what is wanting", async () => {
    await workspace.post("/api/v1/cdp", { type: "page", userId: "u1" });
    expect(await told()).toContain("Its type is none that is stored: track, identify and group are.");
  });

  it("§4.5 of what names nobody, too", async () => {
    await workspace.post("/api/v1/cdp", batch([{ type: "track", event: "Report Exported", anonymousId: "a1" }]));
    expect(await told()).toContain("It names nobody");
  });
});

describe("long after what came was rejected", () => {
  it("§4.5 the page waits: of a reject that is kept no more nothing is said but what is known", async () => {
    await workspace.post("/api/v1/cdp", batch([track({ event: 5 })]));
    await env.DB.prepare("DELETE FROM rejections").run();
    vi.setSystemTime(NOW + 31 * 86_400_000);
    inside = await signedIn(workspace.key);
    expect(await told()).toContain("Waiting for your first event");
  });
});

describe("once something is stored", () => {
  it("says that the first event arrived, of whom, and leads on", async () => {
    await workspace.post("/api/v1/events", capture());
    vi.setSystemTime(NOW + 180_000);
    expect(await told()).toContain("Your first event arrived: report.exported of acme, 3 min ago");
    const html = await page();
    for (const tab of ["live", "accounts"]) expect(html).toContain(`href="/console/w/${workspace.id}/${tab}"`);
    expect(html).not.toContain('http-equiv="refresh"');
    expect(html).not.toContain("data-refresh");
  });

  it("says how many have arrived, and which is the newest", async () => {
    await workspace.post("/api/v1/cdp", batch([...tracks(1), track({ messageId: "m9", event: "Board Shared" })]));
    expect(await told()).toContain("2 messages have arrived. The newest: board.shared of u1, just now");
  });

  it("of an identify it says that it is no event", async () => {
    await workspace.post("/api/v1/cdp", { type: "identify", userId: "u1", traits: { role: "admin" } });
    const text = await told();
    expect(text).toContain("Your first message arrived: identify of u1");
    expect(text).toContain("What people do comes with track");
  });

  it("a reject no longer shows", async () => {
    await workspace.post("/api/v1/cdp", batch([track(), track({ event: 5 })]));
    expect(await told()).not.toContain("rejected");
  });

  it("§6.2 does not name somebody who was erased", async () => {
    await workspace.post("/api/v1/cdp", track({ userId: "jo-doe" }));
    await send("DELETE", "/api/v1/users/jo-doe", undefined, { headers: { Authorization: `Bearer ${workspace.key}` } });
    const text = await told();
    expect(text).toContain("Your first event arrived: report.exported, just now");
    expect(text).not.toContain("jo-doe");
  });

  it("shows markup in ids as text", async () => {
    await workspace.post("/api/v1/events", capture({ accountId: "<b>acme</b>" }));
    expect(await told()).toContain("report.exported of <b>acme</b>");
    expect(await page()).not.toContain("<b>acme");
  });

  it("another workspace's page is 404, and what arrives there does not show here", async () => {
    const other = await newWorkspace();
    await other.post("/api/v1/events", capture({ accountId: "globex" }));
    expect((await inside.get(`/console/w/${other.id}/start`)).status).toBe(404);
    expect(await told()).toContain("Waiting for your first event");
  });
});

describe("what it costs", () => {
  it("is two round trips, that of the session included, no scan, and the same rows however many are stored", async () => {
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
