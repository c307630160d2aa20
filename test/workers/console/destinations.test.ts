/** The pages of destinations. test/workers/notify delivers to them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { findDestination, listDestinations } from "../../../src/db/destinations/destinations.ts";
import { newInbox } from "../notify/delivering.ts";
import { markOwner } from "../support/destinations.ts";
import { DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, creationIdIn, type PageAnswer, signedIn } from "./support/signed-in.ts";

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
const SLACK: Fields = [
  ["kind", "slack"],
  ["url", "https://hooks.slack.com/services/T000/B000/canarysecret"],
];
const OPENED: Fields = [["events", "inbox.opened"]];
const WEEKLY: Fields = [
  ["events", "digest"],
  ["every", "week"],
  ["at", "08:30"],
  ["weekday", "monday"],
];

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
/** The visible values of the fields with a name. */
const valueOf = (html: string, name: string) =>
  new RegExp(`<input(?=[^>]* name="${name}")(?=[^>]* value="([^"]*)")`).exec(html)?.[1];
const ticked = (html: string) =>
  [...html.matchAll(/<input type="checkbox"[^>]* value="([^"]*)" checked=""/g)].map(([, value]) => value);
const selected = (html: string) => [...html.matchAll(/<option value="([^"]*)" selected=""/g)].map(([, value]) => value);
const rows = ({ html }: PageAnswer) => textOf(/<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? "").trim();
const notices = ({ html }: PageAnswer) =>
  [...html.matchAll(/<div class="notice.*?<\/div>/gs)].map(([notice]) => textOf(notice).trim());

describe("the list", () => {
  it("tells destinations of one kind apart, and shows no secret", async () => {
    await create([
      ...SLACK,
      ...OPENED,
      ...WEEKLY,
      ["kinds", "gone_silent"],
      ["minSeverity", "high"],
      ["minMrr", "1500.5"],
      ["owner", "Ann Lee"],
    ]);
    vi.setSystemTime(NOW + 2 * DAY_MS);
    const listed = await (await signedIn()).get(path);
    expect(rows(listed)).toBe(
      "Slack https://hooks.slack.com Opened items, Digest " +
        "kinds: Gone silent; severity high or higher; MRR of at least 1,500.5; accounts of Ann Lee " +
        "every Monday at 08:30 (UTC) 2 d ago working",
    );
    expect(listed.html).not.toContain("canarysecret");
  });

  it("offers the owners in use, and opened items for a new destination", async () => {
    await markOwner((await outcomes.account("acme")).number, "Ann Lee");
    const { html } = await admin.get(path);
    expect(html).toContain('<option value="Ann Lee">');
    expect(ticked(html)).toEqual(["inbox.opened"]);
  });
});

describe("creating a webhook", () => {
  it("shows its secret once, and creates nothing when the page is reloaded", async () => {
    const id = creationIdIn((await admin.get(path)).html);
    const created = await post([...WEBHOOK, ...OPENED], admin, id);
    expect(created.html).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    const again = await post([...WEBHOOK, ...OPENED], admin, id);
    expect(await stored()).toHaveLength(1);
    expect([again.status, again.location]).toEqual([303, await newestPage()]);
    for (const page of [path, await newestPage()]) expect((await admin.get(page)).html).not.toContain("whsec_");
  });
});

describe("a form that is refused", () => {
  it("keeps what was typed, ticks nothing by itself, and names the field", async () => {
    const refused = await post([
      ...SLACK,
      ["kinds", "gone_silent"],
      ["minSeverity", "high"],
      ["minMrr", "99.5"],
      ["owner", "Ann"],
      ["at", "07:15"],
      ["every", "week"],
      ["weekday", "friday"],
    ]);
    expect([refused.status, notices(refused)]).toEqual([400, ["Tick at least one event under “Send”."]]);
    const { html } = refused;
    expect(ticked(html)).toEqual(["gone_silent"]);
    expect(selected(html)).toEqual(["slack", "week", "friday", "high"]);
    expect(["url", "minMrr", "owner", "at"].map((name) => valueOf(html, name))).toEqual([
      "https://hooks.slack.com/services/T000/B000/canarysecret",
      "99.5",
      "Ann",
      "07:15",
    ]);
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Fields, string]>([
    ["without a URL", [["kind", "slack"], ...OPENED], "Enter a URL."],
    [
      "without https",
      [["kind", "webhook"], ["url", "http://a.example.com"], ...OPENED],
      "The URL must begin with https://.",
    ],
    ["with a negative MRR", [...SLACK, ...OPENED, ["minMrr", "-1"]], "“Minimum MRR” must be a number of 0 or more."],
    ["with an MRR in words", [...SLACK, ...OPENED, ["minMrr", "much"]], "“Minimum MRR” must be a number of 0 or more."],
    [
      "with a long owner",
      [...SLACK, ...OPENED, ["owner", "x".repeat(129)]],
      "“Owner” must be one line of at most 128 characters.",
    ],
    [
      "without a time of the digest",
      [...SLACK, ["events", "digest"], ["every", "day"]],
      "Enter the time of the digest, such as 09:00.",
    ],
  ])("%s says so", async (_name, fields, message) => {
    const refused = await post(fields);
    expect([refused.status, notices(refused)]).toEqual([400, [message]]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    "https://app.slack.com/client/T000/C000",
    "https://hooks.slack.com/workflows/T000/A000",
    "https://hooks.slack.com",
  ])("has %s as the URL of a webhook of Slack", async (url) => {
    const message =
      "This URL is not a webhook of Slack. The URL of a webhook begins with https://hooks.slack.com/services/.";
    expect(notices(await post([["kind", "slack"], ["url", url], ...OPENED]))).toEqual([message]);
    const page = await create([...SLACK, ...OPENED]);
    expect(notices(await admin.post(page, [["url", url], ...OPENED]))).toEqual([message]);
  });
});

describe("changing a destination", () => {
  it("begins with what is stored, but the URL, and keeps what stays", async () => {
    const page = await create([
      ...SLACK,
      ...OPENED,
      ...WEEKLY,
      ["kinds", "gone_silent"],
      ["owner", "Ann"],
      ["minMrr", "5"],
    ]);
    const { html } = await admin.get(page);
    expect(html).not.toContain("canarysecret");
    expect(ticked(html)).toEqual(["inbox.opened", "digest", "gone_silent"]);
    expect(["url", "minMrr", "owner", "at"].map((name) => valueOf(html, name))).toEqual(["", "5", "Ann", "08:30"]);
    expect(selected(html)).toEqual(["week", "monday", ""]);

    const [before] = await stored();
    vi.setSystemTime(NOW + DAY_MS);
    const changed = await (await signedIn()).post(page, [["url", ""], ...OPENED, ...WEEKLY, ["owner", "Bo"]]);
    expect([changed.status, changed.location]).toEqual([303, page]);
    // The days since the last digest are still to be told.
    expect(await stored()).toEqual([{ ...before, filter: { owner: "Bo" } }]);
  });

  it("changes the URL and the times of the digest", async () => {
    const page = await create([...WEBHOOK, ...OPENED, ...WEEKLY]);
    const [before] = await stored();
    const url = "https://other.example.com/hook";
    expect((await admin.post(page, [["url", url], ...OPENED])).status).toBe(303);
    const [after] = await stored();
    expect(after).toMatchObject({ shownUrl: url, events: ["inbox.opened"], digest: null, digestDueAt: null });
    expect(after?.sealed).not.toBe(before?.sealed);
  });

  it("keeps what was typed if it is refused", async () => {
    const page = await create([...WEBHOOK, ...OPENED]);
    const refused = await admin.post(page, [["url", "https://10.0.0.1/x"], ["owner", "Bo"], ...OPENED]);
    expect(refused.status).toBe(400);
    expect(notices(refused)[0]).toMatch(/^The URL must have a public DNS name/);
    expect(["url", "owner"].map((name) => valueOf(refused.html, name))).toEqual(["https://10.0.0.1/x", "Bo"]);
  });
});

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
