/** The live page: newest messages, how each was mapped, rejected messages, and counts over time. */
import { beforeAll, describe, expect, it } from "vitest";

import { createApp } from "../../../src/app.ts";
import { newMeter } from "../costs/meter.ts";
import { newRequest } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { bytesOf, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let page: Browser;
beforeAll(async () => {
  workspace = await newWorkspace();
  page = await signedIn(workspace.key);
});

const read = async () => textOf((await page.get(`/console/w/${workspace.id}/live`)).html);

const tracks = (messageIds: string[]) => ({
  batch: messageIds.map((messageId) => ({ type: "track", userId: "u", event: "x", messageId })),
});

describe("the live page", () => {
  it("leads an empty workspace to the first event", async () => {
    const text = await read();
    expect(text).toContain("No messages yet");
    expect(text).toContain("No rejected messages to show");
    expect(text).toContain("0 of 100 messages");
  });

  it("shows how the name, account and time of each message were determined", async () => {
    const sentAt = new Date();
    const timestamp = new Date(sentAt.getTime() - 123_000).toISOString();
    await workspace.post("/api/v1/cdp", {
      batch: [
        { type: "group", userId: "u1", groupId: "acme", messageId: "m1" },
        { type: "track", userId: "u1", event: "Report Exported", timestamp, messageId: "m2" },
        { type: "Track", userId: "u1", event: "trial.started", timestamp: "0001-01-01T00:00:00Z" },
        { type: "track", userId: "u2", event: "board.shared", properties: { email: "jo@acme.example", pages: 7 } },
      ],
    });
    const text = await read();
    expect(text).toContain("“Report Exported” as report.exported");
    expect(text).toContain("acme: named by groupId");
    expect(text).toContain("acme: the user's account at that time");
    expect(text).toContain("u2: personal account of a user without a company");
    expect(text).toMatch(/2\.1 min before receipt, by its timestamp/);
    expect(text).toContain("time of receipt: timestamp before 2000 counts as absent");
    expect(text).toContain('"pages": 7');
    expect(text).not.toContain("jo@acme.example");
  });

  it("shows rejected messages with the field that is wrong", async () => {
    await workspace.post("/api/v1/cdp", [{ type: "track", userId: "u1", messageId: "bad", properties: { n: 1 } }]);
    const text = await read();
    expect(text).toMatch(/track invalid message just now event is missing/);
    expect(text).toContain("bad");
  });

  it("§4.5 shows rejected native captures", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "Not dotted" });
    expect(await read()).toMatch(/not.dotted invalid message just now event must be/);
  });

  it("counts stored and rejected messages, and shows the use of the write limit", async () => {
    const own = await newWorkspace({ writeLimit: 10 });
    const inside = await signedIn(own.key);
    await own.post("/api/v1/cdp", tracks(["a", "b", "c", "d"]));
    await own.post("/api/v1/cdp", tracks(["c", "d"]));
    await own.post("/api/v1/cdp", { type: "track", userId: "u" });
    expect((await own.post("/api/v1/cdp", tracks(["e", "f", "g", "h"]))).status).toBe(429);
    for (const span of ["", "?span=hour", "?span=days"]) {
      const { html } = await inside.get(`/console/w/${own.id}/live${span}`);
      const figures = [...html.matchAll(/(\w+)<\/dt><dd class="figure">(\d+)<\/dd>/g)].map(([, name, value]) => [
        name,
        Number(value),
      ]);
      expect(Object.fromEntries(figures)).toEqual({ Stored: 4, Rejected: 1 });
      expect(html).toContain("4 messages were rate-limited so far.");
      expect(html).toContain(`<meter min="0" max="10" low="7" high="9" optimum="0" value="7">7 of 10</meter>`);
    }
  });

  it.each(["x", '"', "漢"])("stays below 100 KB with long messages of %s, in three round trips", async (character) => {
    const { workspace: busy, env, take, post } = await newMeter();
    const properties = { text: character.repeat(2_000) };
    for (let times = 0; times < 4; times += 1) {
      await post("/v1/batch", {
        batch: Array.from({ length: 20 }, (_, place) => ({
          type: "track",
          userId: `${character.repeat(250)}${place}`,
          messageId: `${character.repeat(250)}${times}-${place}`,
          event: place % 2 === 0 ? null : `Used ${"x".repeat(90)}`,
          properties,
          traits: properties,
        })),
      });
    }
    const { cookie } = await signedIn(busy.key);
    take();
    const request = newRequest("GET", `/console/w/${busy.id}/live`, undefined, { headers: { Cookie: cookie } });
    const response = await createApp().fetch(request, env);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(take()).toMatchObject({ trips: 3, objectCalls: 1, written: 0 });
    for (const listed of [/ id="message-/g, / id="reject-/g]) expect(html.match(listed)?.length).toBeGreaterThan(5);
    // A chart with a bar in each minute takes 34 KB more.
    expect(bytesOf(html)).toBeLessThan(65_000);
  });
});
