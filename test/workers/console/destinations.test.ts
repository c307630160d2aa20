/** The pages of destinations: the list, and the forms that create and change them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { listDestinations } from "../../../src/db/destinations/destinations.ts";
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
