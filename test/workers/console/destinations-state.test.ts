/** The pages of destinations: tests, attempts, and whether they deliver. test/workers/notify delivers to them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { findDestination, listDestinations } from "../../../src/db/destinations/destinations.ts";
import { newInbox } from "../notify/delivering.ts";
import { DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, type PageAnswer, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;
let path: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  path = `/console/w/${workspace.id}/settings/destinations`;
  return () => vi.useRealTimers();
});

type Fields = [string, string][];
const WEBHOOK: Fields = [
  ["kind", "webhook"],
  ["url", "https://hooks.example.com/behavior"],
];
const OPENED: Fields = [["events", "inbox.opened"]];
const newId = () => crypto.randomUUID().replaceAll("-", "").slice(0, 24);
const post = (fields: Fields, as = admin, id = newId()) => as.post(path, [...fields, ["creationId", id]]);
const stored = async () => listDestinations(env, await workspace.ref());
const newestPage = async () => `${path}/${(await stored()).at(-1)?.id}`;
/** Creates a destination. @returns the path of its page */
async function create(fields: Fields): Promise<string> {
  const { status } = await post(fields);
  expect([200, 303]).toContain(status);
  return newestPage();
}
const ticked = (html: string) =>
  [...html.matchAll(/<input type="checkbox"[^>]* value="([^"]*)" checked=""/g)].map(([, value]) => value);
const rows = ({ html }: PageAnswer) => textOf(/<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? "").trim();
const notices = ({ html }: PageAnswer) =>
  [...html.matchAll(/<div class="notice.*?<\/div>/gs)].map(([notice]) => textOf(notice).trim());

describe("a test", () => {
  it("leads to a page that is reloaded without another test", async () => {
    const inbox = await newInbox(workspace, { kind: "slack" });
    const { status, location } = await admin.post(`${path}/${inbox.id}/test`);
    expect([status, location]).toEqual([303, expect.stringMatching(/\/dst_\w+\?attempt=att_\w+$/)]);
    for (const page of [await admin.get(location ?? ""), await admin.get(location ?? "")]) {
      expect(notices(page)).toEqual(["Delivered (200)."]);
    }
    expect(await inbox.received()).toHaveLength(1);
    expect(notices(await admin.get(`${path}/${inbox.id}?attempt=att_0`))).toEqual([]);
  });

  it.each([404, 410])("says what %i means", async (answer) => {
    const inbox = await newInbox(workspace, { kind: "slack" });
    await inbox.answers(answer);
    const page = await admin.get((await admin.post(`${path}/${inbox.id}/test`)).location ?? "");
    const meaning = "This webhook no longer exists: create a new one in Slack, and change the URL here.";
    expect(notices(page)).toEqual([`Not delivered: refused (${answer}). ${meaning}`]);
    expect(rows(page)).toContain(`Test refused ${answer} ${meaning}`);
  });
});

describe("the attempts", () => {
  it("say what they were about, with names only in sessions with the scope identity", async () => {
    await workspace.accept();
    const { number, id } = await outcomes.account("globex");
    await workspace.attach({ accountId: "globex", traits: { company: "Globex Inc" } });
    const item = await outcomes.item({ account: number, kind: "gone_silent" });
    const inbox = await newInbox(workspace);
    await inbox.notify(item.number);
    await inbox.notify(number, { type: "health.changed", change: "at_risk", detail: "watch" });
    await inbox.deliver(NOW);
    const page = await admin.get(`${path}/${inbox.id}`);
    expect(rows(page)).toMatch(/Change of health Globex Inc Watch → At risk delivered 200 Send again/);
    expect(rows(page)).toMatch(/Opened item Globex Inc .*Globex Inc.* delivered 200 Send again/);
    expect(page.html).toContain(`href="/console/w/${workspace.id}/inbox?show=${item.id}"`);
    expect(page.html).toContain(`href="/console/w/${workspace.id}/accounts/${id}"`);
    const plain = await signedIn((await workspace.newKey(["read", "notify"])).key);
    const seen = await plain.get(`${path}/${inbox.id}`);
    expect(rows(seen)).toContain("Change of health globex Watch → At risk");
    expect(seen.html).not.toContain("Globex Inc");
  });

  it("can be sent again, while the notification is kept", async () => {
    const { number } = await outcomes.account("acme");
    const inbox = await newInbox(workspace);
    const notification = await inbox.notify((await outcomes.item({ account: number })).number);
    await inbox.deliver(NOW);
    const [attempt] = await inbox.attempts();
    const sent = await admin.post(`${path}/${inbox.id}/attempts/${attempt?.id}/resend`);
    expect(sent.status).toBe(303);
    expect(notices(await admin.get(sent.location ?? ""))).toEqual(["Delivered (200)."]);
    expect(await inbox.verified()).toEqual({ [notification]: 2 });
    await inbox.forget(notification);
    expect((await admin.get(`${path}/${inbox.id}`)).html).not.toContain("/resend");
    expect((await admin.post(`${path}/${inbox.id}/attempts/${attempt?.id}/resend`)).status).toBe(404);
  });

  it("offer no repetition of what a summary has delivered", async () => {
    const { number } = await outcomes.account("acme");
    const inbox = await newInbox(workspace, { kind: "slack" });
    await inbox.answers(503);
    await inbox.notify((await outcomes.item({ account: number })).number);
    await inbox.deliver(NOW);
    for (let count = 0; count < 12; count += 1) {
      await inbox.notify((await outcomes.item({ account: number, occurrence: count + 2 })).number);
    }
    const later = NOW + 60 * 60_000;
    vi.setSystemTime(later);
    await inbox.deliver(later);
    const text = rows(await (await signedIn()).get(`${path}/${inbox.id}`));
    expect(text).toMatch(/Summary 13 changes delivered 200 Send again/);
    expect(text).toMatch(/Opened item acme .* refused 503 in a summary$/);
  });

  it("are preceded by how many notifications wait, and until when", async () => {
    const { number } = await outcomes.account("acme");
    const item = await outcomes.item({ account: number });
    const inbox = await newInbox(workspace);
    await inbox.notify(item.number, { nextAttemptAt: NOW + 5 * 60_000 });
    await inbox.notify(item.number, { type: "inbox.resolved", nextAttemptAt: NOW + 9 * 60_000 });
    const waiting = async () => textOf((await admin.get(`${path}/${inbox.id}`)).html);
    expect(await waiting()).toContain("Waiting: 2 notifications. Next attempt in 5 min.");
    vi.setSystemTime(NOW + 6 * 60_000);
    expect(await waiting()).toContain("Next attempt now.");
  });
});

describe("the state", () => {
  it("says since when a destination is disabled, and is no error if somebody did it", async () => {
    const page = await create([...WEBHOOK, ...OPENED]);
    expect((await admin.post(`${page}/disable`)).location).toBe(page);
    vi.setSystemTime(NOW + 3 * 60_000);
    const { html } = await admin.get(page);
    expect(textOf(html)).toContain("State disabled 3 min ago Sends");
    expect(html).toContain('<span class="badge none">disabled</span>');
    expect((await admin.post(`${page}/enable`)).location).toBe(page);
    expect(textOf((await admin.get(page)).html)).toContain("State working");
    expect(textOf((await admin.get(page)).html)).toContain("enabling the destination again doesn’t send it");
  });

  it.each([
    ["gone", "The receiver says that this address is gone."],
    ["failing", "Nothing could be delivered for 3 days."],
  ] as const)("of a destination that is disabled as %s says why", async (disabledReason, text) => {
    const inbox = await newInbox(workspace, { disabledAt: NOW, disabledReason });
    expect(textOf((await admin.get(`${path}/${inbox.id}`)).html)).toContain(`disabled just now ${text}`);
  });

  it("says when deliveries began to fail", async () => {
    const inbox = await newInbox(workspace, { failingSince: NOW - 3 * DAY_MS });
    expect(textOf((await admin.get(`${path}/${inbox.id}`)).html)).toContain("failing The first failure was 3 d ago.");
    expect(rows(await admin.get(path))).toMatch(/failing$/);
  });

  it("ends when the destination is deleted", async () => {
    const page = await create([...WEBHOOK, ...OPENED]);
    expect((await admin.post(`${page}/delete`)).location).toBe(path);
    expect(await stored()).toEqual([]);
    expect((await admin.get(page)).status).toBe(404);
    expect((await admin.post(`${page}/delete`)).status).toBe(404);
  });
});

describe("a key's session", () => {
  it("needs the scope “notify”, and sees no way to destinations without it", async () => {
    const page = await create([...WEBHOOK, ...OPENED]);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    for (const one of [path, page]) {
      expect((await reader.get(one)).status).toBe(403);
      expect((await reader.post(one, OPENED)).status).toBe(403);
    }
    for (const action of ["test", "disable", "enable", "delete"]) {
      expect((await reader.post(`${page}/${action}`)).status).toBe(403);
    }
    expect((await reader.get(`/console/w/${workspace.id}/settings`)).html).not.toContain("estinations");
    expect(await stored()).toMatchObject([{ disabledAt: null }]);
  });

  it("can have names sent, and change what sends them, only with the scope “identity”", async () => {
    await workspace.accept();
    const page = await create([...WEBHOOK, ...OPENED, ["includeIdentity", "yes"]]);
    const plain = await signedIn((await workspace.newKey(["read", "notify"])).key);
    expect((await plain.get(path)).html).not.toContain("includeIdentity");
    const needed = "Sending names needs a key that also has the scope “identity”.";
    const refused = await post([...WEBHOOK, ...OPENED, ["includeIdentity", "yes"]], plain);
    expect([refused.status, notices(refused)]).toEqual([400, [needed]]);
    const { html } = await plain.get(page);
    expect(textOf(html)).toContain(`This destination sends names. ${needed}`);
    expect(html).not.toContain('name="events"');
    const both = await signedIn((await workspace.newKey(["read", "notify", "identity"])).key);
    expect(ticked((await both.get(page)).html)).toEqual(["inbox.opened", "yes"]);
  });

  it("is not led to the time zone, which only administrators change", async () => {
    const link = "Change the time zone";
    expect((await admin.get(path)).html).toContain(link);
    const plain = await signedIn((await workspace.newKey(["read", "notify"])).key);
    expect((await plain.get(path)).html).not.toContain(link);
  });

  it("finds no destination of another workspace", async () => {
    const other = await newInbox(await newWorkspace());
    const mine = await signedIn((await workspace.newKey(["read", "notify"])).key);
    expect((await mine.get(`${path}/${other.id}`)).status).toBe(404);
    expect((await mine.post(`${path}/${other.id}`, OPENED)).status).toBe(404);
    expect((await mine.post(`${path}/${other.id}/test`)).status).toBe(404);
    expect(await findDestination(env, await workspace.ref(), other.id)).toBeNull();
  });
});
