/** The live page: newest messages, how each was mapped, rejected messages, and counts over time. */
import { beforeAll, describe, expect, it } from "vitest";

import { createApp } from "../../../src/app.ts";
import { newMeter } from "../costs/meter.ts";
import { newRequest } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let page: Browser;
beforeAll(async () => {
  workspace = await newWorkspace();
  page = await signedIn(workspace.key);
});

/** What somebody reads, without the markup. */
async function read(path = ""): Promise<string> {
  const { html } = await page.get(`/console/w/${workspace.id}/live${path}`);
  return html
    .replaceAll(/<head>[\s\S]*?<\/head>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

const tracks = (messageIds: string[]) => ({
  batch: messageIds.map((messageId) => ({ type: "track", userId: "u", event: "x", messageId })),
});

describe("the live page", () => {
  it("says how to begin before anything has come", async () => {
    const text = await read();
    expect(text).toContain("Nothing has come in yet");
    expect(text).toContain("Nothing was rejected");
    expect(text).toContain("0 of 100 messages");
  });

  it("shows each message with its name, its account and why, and its time", async () => {
    const sentAt = new Date();
    const timestamp = new Date(sentAt.getTime() - 123_000).toISOString();
    await workspace.post("/api/v1/cdp", {
      batch: [
        { type: "group", userId: "u1", groupId: "acme", messageId: "m1" },
        { type: "track", userId: "u1", event: "Report Exported", timestamp, messageId: "m2" },
        { type: "track", userId: "u2", event: "board.shared", properties: { email: "jo@acme.example", pages: 7 } },
      ],
    });
    const text = await read();
    expect(text).toContain("“Report Exported” as report.exported");
    expect(text).toContain("acme: named by groupId");
    expect(text).toContain("acme: its user&#39;s account when it came, by an earlier message");
    expect(text).toContain("u2: the account of one of a user that belonged to none");
    expect(text).toMatch(/2 min 3 s before receipt, by its timestamp/);
    expect(text).toContain("&quot;pages&quot;: 7");
    expect(text).not.toContain("jo@acme.example");
  });

  it("shows what was rejected, with the field that was wrong", async () => {
    await workspace.post("/api/v1/cdp", [{ type: "track", userId: "u1", messageId: "bad", properties: { n: 1 } }]);
    const text = await read();
    expect(text).toMatch(/track invalid message just now event is missing/);
    expect(text).toContain("bad");
  });

  it("counts stored and rejected messages, and shows how much of the limit is in use", async () => {
    const own = await newWorkspace({ writeLimit: 10 });
    const inside = await signedIn(own.key);
    await own.post("/api/v1/cdp", tracks(["a", "b", "c", "d"]));
    await own.post("/api/v1/cdp", tracks(["c", "d"]));
    await own.post("/api/v1/cdp", { type: "track", userId: "u" });
    expect((await own.post("/api/v1/cdp", tracks(["e", "f", "g", "h"]))).status).toBe(429);
    for (const span of ["", "?span=hour", "?span=days"]) {
      const { html } = await inside.get(`/console/w/${own.id}/live${span}`);
      const figures = [...html.matchAll(/<dt>(\w+)<\/dt><dd>(\d+)<\/dd>/g)].map(([, name, value]) => [
        name,
        Number(value),
      ]);
      expect(Object.fromEntries(figures)).toEqual({ Stored: 4, Rejected: 1 });
      expect(html).toContain("4 messages were rate-limited so far.");
      expect(html).toContain(`<meter min="0" max="10" low="7" high="9" optimum="0" value="7">7 of 10</meter>`);
    }
  });

  it.each(["x", '"', "漢"])(
    "stays under 100 KB however much came, of %s too, in three round trips",
    async (character) => {
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
      // The bars of an hour in which each minute has something of everything take 34 KB, of which one is here.
      expect(new TextEncoder().encode(html).length).toBeLessThan(65_000);
    },
  );
});
