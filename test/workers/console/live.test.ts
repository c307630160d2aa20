/** The live page: the log of stored and rejected messages with its search and pages, and counts over time. */
import { beforeAll, describe, expect, it } from "vitest";

import { createApp } from "../../../src/app.ts";
import { fullScans } from "../costs/full-scans.ts";
import { newMeter } from "../costs/meter.ts";
import { addTracks } from "../support/bulk-rows.ts";
import { newRequest, ORIGIN } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { bytesOf, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let page: Browser;
beforeAll(async () => {
  workspace = await newWorkspace();
  page = await signedIn(workspace.key);
});

const at = (query = "", { id } = workspace) => `/console/w/${id}/live${query}`;
const read = async (query = "") => textOf((await page.get(at(query))).html);

/** The rows of the log, newest first, as text. */
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr id="message-.*?<\/tr>/gs)].map(([row]) => textOf(row).trim());

/** Opens the message whose row contains a text, as its button does. */
async function open(text: string): Promise<string> {
  const { html } = await page.get(at());
  const row = [...html.matchAll(/<tr id="message-(\w+)".*?<\/tr>/gs)].find(([each]) => each.includes(text));
  return textOf((await page.get(at(`?open=${row?.[1]}`))).html);
}

/** Follows a button of the log that sends its form. */
function valueOf(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (value === undefined) throw new Error(`no ${name}`);
  return value;
}

const tracks = (messageIds: string[]) => ({
  batch: messageIds.map((messageId) => ({ type: "track", userId: "u", event: "x", messageId })),
});

describe("the live page", () => {
  it("leads an empty workspace to the first event", async () => {
    expect(await read()).toContain("No messages yet");
    expect(await read("?show=rejected")).toContain("No rejected messages to show");
    expect(await read()).toContain("0 of 100 messages");
  });

  it("shows how the name, account and time of an opened message were determined", async () => {
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
    const report = await open("report.exported");
    expect(report).toContain("“Report Exported” as report.exported");
    expect(report).toContain("acme: the user's account at that time");
    expect(report).toMatch(/2\.1 min before receipt, by its timestamp/);
    expect(report).toContain('"messageId": "m2"');
    expect(await open("group")).toContain("acme: named by groupId");
    expect(await open("trial.started")).toContain("time of receipt: timestamp before 2000 counts as absent");
    const board = await open("board.shared");
    expect(board).toContain("u2: personal account of a user without a company");
    expect(board).toContain('"pages": 7');
    expect(board).not.toContain("jo@acme.example");
  });

  it("shows rejected messages among the stored, with the field that is wrong", async () => {
    await workspace.post("/api/v1/cdp", [{ type: "track", userId: "u1", messageId: "bad", properties: { n: 1 } }]);
    const { html } = await page.get(at());
    expect(rowsOf(html)[0]).toMatch(/track – none u1 – none invalid message event is missing/);
    expect(rowsOf(html).some((row) => row.includes("stored"))).toBe(true);
    expect(await open("event is missing")).toContain('"messageId": "bad"');
  });

  it("§4.5 shows rejected native captures", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "Not dotted" });
    expect(rowsOf((await page.get(at())).html)[0]).toMatch(/not.dotted acme u1 – none invalid message event must be/);
  });

  it("counts stored and rejected messages by links that filter the log, and says that senders are rate-limited", async () => {
    const own = await newWorkspace({ writeLimit: 10 });
    const inside = await signedIn(own.key);
    await own.post("/api/v1/cdp", tracks(["a", "b", "c", "d"]));
    await own.post("/api/v1/cdp", tracks(["c", "d"]));
    await own.post("/api/v1/cdp", { type: "track", userId: "u" });
    expect((await inside.get(at("", own))).html).not.toContain("rate-limited.");
    expect((await own.post("/api/v1/cdp", tracks(["e", "f", "g", "h"]))).status).toBe(429);
    for (const span of ["", "?span=hour", "?span=days"]) {
      const { html } = await inside.get(at(span, own));
      const figures = [...html.matchAll(/<dd class="figure"><a href="([^"]*)">(\d+)<\/a>/g)];
      expect(figures.map(([, , value]) => value)).toEqual(["4", "1"]);
      const pages = await Promise.all(figures.map(([, href = ""]) => inside.get(href.replaceAll("&amp;", "&"))));
      expect(pages.map((each) => rowsOf(each.html).length)).toEqual([4, 1]);
      expect(textOf(html)).toContain("Rate-limited 4 so far");
      expect(textOf(html)).toMatch(/Senders are rate-limited\. 4 messages refused since \d\d:\d\d UTC/);
      expect(html).toContain(`<meter min="0" max="10" low="7" high="9" optimum="0" value="7">7 of 10</meter>`);
    }
    const listed = await (await signedIn()).get("/console/workspaces");
    expect(listed.html).toMatch(new RegExp(`${own.id}/live".*?<td class="num">4</td>`, "s"));
    expect(textOf((await inside.get(at("", own))).html)).toContain("4 stored in total");
  });
});

describe("the pages of the log", () => {
  let own: TestWorkspace;
  let inside: Browser;
  beforeAll(async () => {
    own = await newWorkspace({ writeLimit: 1_000 });
    inside = await signedIn(own.key);
    for (let times = 0; times < 25; times += 1) {
      const { batch } = tracks([`m${2 * times}`, `m${2 * times + 1}`]);
      await own.post("/api/v1/cdp", { batch: [...batch, { type: "track", userId: `bad-${times}` }] });
    }
  });

  it("have each stored and rejected message once, and stay the same when messages arrive", async () => {
    const { html: first } = await inside.get(at("", own));
    expect(first).toContain('id="log" class="column" data-refresh="2"');
    await own.post("/api/v1/cdp", tracks(["late"]));
    const { html: second } = await inside.get(at(`?next=${valueOf(first, "next")}`, own));
    expect(second).not.toContain("data-refresh");
    const ids = [first, second].map((html) => [...html.matchAll(/ id="message-(\w+)"/g)].map(([, id]) => id));
    expect(ids.map(({ length }) => length)).toEqual([40, 35]);
    expect(new Set(ids.flat()).size).toBe(75);
    expect(second).not.toContain('name="next"');
    const { html: paused } = await inside.get(at(`?at=${valueOf(first, "at")}`, own));
    expect(rowsOf(paused)).toEqual(rowsOf(first));
    expect(textOf(paused)).toContain("Resume");
  });

  it.each(["stored", "rejected"])("of %s messages stay the same, too", async (show) => {
    const { html } = await inside.get(at(`?show=${show}`, own));
    const { html: held } = await inside.get(at(`?show=${show}&at=${valueOf(html, "at")}`, own));
    expect(rowsOf(held)).toEqual(rowsOf(html));
    expect(rowsOf(html).every((row) => /stored/.test(row) === (show === "stored"))).toBe(true);
  });

  it("of one workspace can't be continued in another", async () => {
    const { html } = await inside.get(at("", own));
    const { html: theirs } = await page.get(at(`?next=${valueOf(html, "next")}`));
    expect(rowsOf(theirs)).toEqual(rowsOf((await page.get(at())).html));
  });
});

describe("the search", () => {
  let own: TestWorkspace;
  let inside: Browser;
  beforeAll(async () => {
    own = await newWorkspace({ writeLimit: 1_000 });
    inside = await signedIn(own.key);
    await own.post("/api/v1/cdp", [
      { type: "track", userId: "jo", event: "Report Exported", messageId: "one", context: { groupId: "acme" } },
      { type: "track", userId: "al", event: "board.shared", messageId: "two", context: { groupId: "acme" } },
      { type: "track", userId: "al", event: "board.shared", messageId: "three", context: { groupId: "globex" } },
      { type: "track", userId: "jo", event: "", messageId: "four" },
    ]);
  });

  it.each([
    ["a message id", "two", ["board.shared acme al"]],
    ["an account", "acme", ["board.shared acme al", "report.exported acme jo"]],
    ["a user, also of rejected messages", "jo", ["report.exported acme jo", "track – none jo"]],
    ["an event as it was sent", "Report Exported", ["report.exported acme jo"]],
    ["an event as it is stored", "board.shared", ["board.shared globex al", "board.shared acme al"]],
    ["the message id of a rejected message", "four", ["track – none jo"]],
    ["nothing else", "acm", []],
  ])("finds %s, which is in no address", async (_, q, rows) => {
    const { html, location } = await inside.post(at("", own), { q });
    expect(location).toBeNull();
    expect(rowsOf(html).map((row) => row.replace(/^\S+ /, "").split(/ (?:CDP|– none (?=invalid))/)[0])).toEqual(rows);
    expect([...html.matchAll(/(?:href|action)="([^"]*)"/g)].filter(([, href = ""]) => href.includes(q))).toEqual([]);
    expect(html).not.toContain("data-refresh");
  });

  it("keeps to stored or rejected messages", async () => {
    const { html } = await inside.post(at("", own), { q: "jo", show: "rejected" });
    expect(rowsOf(html)).toHaveLength(1);
  });

  it("opens what it finds", async () => {
    const { html } = await inside.post(at("", own), { q: "one" });
    const [, id = ""] = / id="message-(\w+)"/.exec(html) ?? [];
    const opened = await inside.post(at("", own), { q: "one", at: valueOf(html, "at"), open: id });
    expect(textOf(opened.html)).toContain('"event": "report.exported"');
  });

  it("reads 5,000 messages at a time, finds any message id, and costs two round trips", async () => {
    const meter = await newMeter();
    await addTracks(await meter.workspace.ref(), 12_000, Date.now(), "old.event");
    await meter.post("/api/v1/cdp", { type: "track", userId: "u", event: "rare.event", messageId: "newest" });
    const { cookie } = await signedIn(meter.workspace.key);
    const search = async (fields: Record<string, string>) => {
      meter.take();
      const init = { headers: { Cookie: cookie, Origin: ORIGIN }, method: "POST", body: new URLSearchParams(fields) };
      const response = await createApp().fetch(new Request(ORIGIN + at("", meter.workspace), init), meter.env);
      return { html: await response.text(), cost: meter.take() };
    };
    const first = await search({ q: "old.event" });
    expect(rowsOf(first.html)).toEqual([]);
    expect(textOf(first.html)).toContain("Search older messages");
    expect(first.cost).toMatchObject({ trips: 2, objectCalls: 1, written: 0 });
    expect(first.cost.read).toBeLessThan(8_000);
    const second = await search({ q: "old.event", next: valueOf(first.html, "next") });
    expect(rowsOf(second.html)).toEqual([]);
    const third = await search({ q: "old.event", next: valueOf(second.html, "next") });
    expect(rowsOf(third.html)).toHaveLength(1);
    expect(third.html).not.toContain('name="next"');
    const byId = await search({ q: "7" });
    expect(rowsOf(byId.html)).toHaveLength(1);
    for (const { sql, values } of [...first.cost.statements, ...byId.cost.statements])
      expect(await fullScans(sql, values), sql).toEqual([]);
  });
});

describe("what a page costs", () => {
  it.each(["x", '"', "漢"])(
    "stays below 100 KB with long messages of %s, in two round trips to D1",
    async (character) => {
      const { workspace: busy, env: metered, take, post } = await newMeter();
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
      const response = await createApp().fetch(request, metered);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(take()).toMatchObject({ trips: 2, objectCalls: 1, written: 0 });
      expect(rowsOf(html)).toHaveLength(40);
      // A chart with a bar in each minute takes 34 KB more.
      expect(bytesOf(html)).toBeLessThan(65_000);
    },
  );
});
