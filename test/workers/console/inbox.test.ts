/** The inbox page. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { markOwner } from "../support/destinations.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { run } from "../recompute/runs.ts";
import { addressesOn, ownerIdOn, textOf } from "./support/page-text.ts";
import { type Browser, type PageAnswer, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
let item: { number: number; id: string };
let page: Browser;
let path: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme", { attributes: { mrr: 1_490, currency: "EUR" } });
  item = await outcomes.item({
    account: acme.number,
    kind: "gone_silent",
    rank: 3.9,
    openedDay: DAY - 3,
    evidence: [
      { code: "gap_business_days", value: 9, expected: 6 },
      { code: "last_day", value: DAY - 13 },
    ],
  });
  await setRuns({ asOf: NOW });
  page = await signedIn(workspace.key);
  path = `/console/w/${workspace.id}/inbox`;
});
afterEach(() => {
  vi.useRealTimers();
});

const open = async (query = ""): Promise<PageAnswer> => page.get(`${path}${query}`);
/** The ids of the items on a page, in their order. */
const idsOn = (html: string) => [...html.matchAll(/<a id="([^"]*)" class="item-link"/g)].map(([, id]) => id);
const emptyTitle = async (query = "") => /class="empty-title">([^<]*)/.exec((await open(query)).html)?.[1];

const at = (daysAgo: number) => new Date(NOW - daysAgo * DAY_MS).toISOString();

const track = (userId: string, daysAgo: number) => ({
  type: "track",
  event: "report.exported",
  userId,
  groupId: "acme",
  timestamp: at(daysAgo),
});
const identify = (userId: string, role: string) => ({
  type: "identify",
  userId,
  traits: { role },
  timestamp: at(9),
});

/** The text of the panel with the item. */
const shown = async (query = "") =>
  textOf(/<aside.*<\/aside>/s.exec((await open(`?show=${item.id}${query}`)).html)?.[0] ?? "");

describe("an item", () => {
  it("is a row, and its panel shows what to do, the evidence and when it resolves", async () => {
    await markOwner(acme.number, "Ann Lee");
    const { html } = await open();
    expect(textOf(html)).toMatch(/High severity acme has gone silent acme €1,490 – none 4 Jan 2030 Ann Lee/);
    expect(html).toContain(`href="/console/w/${workspace.id}/accounts/${acme.id}"`);
    const text = await shown();
    for (const part of [
      "High Gone silent",
      "Open.",
      "What to do",
      "MRR at risk €1,490",
      "Owner Ann Lee",
      "Since 4 Jan 2030",
      "As of 7 Jan 2030",
      "Measure Actual Expected Business days without activity 9 6 Last active 25 Dec 2029 –",
      "Resolves",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("shows the company name in sessions with the scope identity", async () => {
    await workspace.accept();
    await workspace.attach({ accountId: "acme", traits: { company: "Acme Inc" } });
    const title = /class="item-link"[^>]*>([^<]*)/;
    expect(title.exec((await open()).html)?.[1]).toContain("Acme Inc");
    expect((await open(`?did=undo&changed=${item.id}`)).html).toMatch(/Undone: .*Acme Inc/);
    page = await signedIn((await workspace.newKey(["read"])).key);
    expect(title.exec((await open()).html)?.[1]).toContain("acme");
  });

  it("about an opportunity puts no MRR at risk", async () => {
    item = await outcomes.item({ account: acme.number, kind: "usage_growth" });
    expect(await shown()).toContain("MRR €1,490");
  });

  it("about the workspace has no account", async () => {
    item = await outcomes.item({ kind: "tracking_stopped" });
    expect(await shown()).not.toContain("Account");
  });

  it("that is resolved says why, and has no actions", async () => {
    await outcomes.resolve(item.number);
    expect(idsOn((await open("?status=resolved")).html)).toEqual([item.id]);
    const text = await shown("&status=resolved");
    expect(text).toContain("Resolved on 7 Jan 2030. The account recovered.");
    expect(text).not.toContain("Dismiss");
  });

  it("names the people to write to: those who decide first, then the most active", async () => {
    await workspace.post("/api/v1/cdp", {
      batch: [
        identify("busy", "engineer"),
        identify("boss", "Workspace Admin"),
        ...[1, 2, 3, 4].map((daysAgo) => track("busy", daysAgo)),
        track("boss", 3),
        track("rare", 2),
        track("once", 5),
        track("gone", 40),
      ],
    });
    await run(NOW);
    await workspace.accept();
    await workspace.attach({ userId: "boss", traits: { name: "Bo Ss", email: "bo+1@example.com" } });
    const { html } = await open(`?show=${item.id}`);
    expect(textOf(/<ul class="stack contacts">.*?<\/ul>/s.exec(html)?.[0] ?? "").trim()).toBe(
      "Bo Ss Workspace Admin · boss · active on 1 of 28 days, last on 5 Jan 2030 " +
        "busy engineer · active on 4 of 28 days, last on 7 Jan 2030 " +
        "rare active on 1 of 28 days, last on 6 Jan 2030",
    );
    expect(html).toContain('href="mailto:bo%2B1@example.com"');
    page = await signedIn((await workspace.newKey(["read"])).key);
    const { html: unnamed } = await open(`?show=${item.id}`);
    expect(textOf(unnamed)).toContain("Whom to write to boss Workspace Admin");
    expect(unnamed).not.toContain("mailto");
  });
});

describe("the list", () => {
  it("has the highest rank first, and counts the items of each status and kind", async () => {
    const drop = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const { html } = await open();
    expect(idsOn(html)).toEqual([drop.id, item.id]);
    const text = textOf(html);
    expect(text).toContain("Open 2 Snoozed 0 Dismissed 0 Resolved");
    expect(text).toContain("Gone silent (1)");
    expect(idsOn((await open("?status=open&kind=gone_silent")).html)).toEqual([item.id]);
    expect(idsOn((await open("?status=open&kind=")).html)).toHaveLength(2);
  });

  it("keeps the filter on the next page", async () => {
    const ids: string[] = [];
    for (let rank = 1; rank <= 45; rank += 1) {
      const { number } = await outcomes.account(`a${rank}`);
      ids.push((await outcomes.item({ account: number, kind: "usage_drop", rank })).id);
    }
    const first = await open("?kind=usage_drop");
    expect(idsOn(first.html)).toHaveLength(40);
    const next = /href="([^"]*cursor[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await page.get(next);
    expect(idsOn(second.html)).toEqual(ids.slice(0, 5).toReversed());
    expect(second.html).toContain(`href="${path}?kind=usage_drop"`);
  });

  it.each(["?status=lost", "?kind=nothing", "?cursor=nonsense"])(
    "shows the first page of open items for %s",
    async (query) => {
      expect(idsOn((await open(query)).html)).toEqual([item.id]);
    },
  );
});

describe("an item that a link asks for", () => {
  it("is marked in the list, and says whether it is dismissed, snoozed or resolved, also without the scope “inbox”", async () => {
    page = await signedIn((await workspace.newKey(["read"])).key);
    const drop = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const { html } = await open(`?show=${item.id}`);
    expect(idsOn(html)).toEqual([drop.id, item.id]);
    expect(html).toMatch(new RegExp(`id="${item.id}"[^>]*aria-current="true"`));
    expect(html.match(/aria-current="true"/g)).toHaveLength(1);
    await outcomes.mark(item, { snoozedUntil: NOW + DAY_MS });
    expect(await shown()).toContain("Snoozed until Wed 9 Jan 2030, 06:00.");
    await outcomes.mark(item, { dismissed: true, reason: "wrong" });
    expect(await shown()).toContain("Dismissed on 8 Jan 2030 (wrong).");
    await outcomes.resolve(item.number);
    expect(await shown()).toContain("Resolved on 7 Jan 2030.");
  });

  it("is missing if it is unknown or of another workspace", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    for (const id of [foreign.id, "itm_0", "%3Cb%3E"]) {
      const { status, html } = await open(`?show=${id}`);
      expect(status).toBe(200);
      expect(idsOn(html)).toEqual([item.id]);
      expect(textOf(html)).toContain("The item from your link does not exist in this workspace.");
    }
  });
});

describe("owners", () => {
  it("are in the rows of items, and the parameter owner shows and counts only theirs", async () => {
    const globex = await outcomes.account("globex");
    await outcomes.item({ account: globex.number, kind: "usage_drop" });
    await outcomes.item({ kind: "tracking_stopped" });
    await markOwner(acme.number, "Ann Lee");
    expect(textOf((await open()).html)).toContain("Ann Lee");
    const owner = ownerIdOn((await open()).html, "Ann Lee");
    const { html } = await open(`?owner=${owner}`);
    expect(idsOn(html)).toEqual([item.id]);
    expect(textOf(html)).toContain("Open 1 Snoozed 0");
    expect(html).toContain(`status=snoozed&amp;owner=${owner}`);
    expect(addressesOn(html)).not.toMatch(/Ann|Lee/);
    expect(idsOn((await open("?owner=")).html)).toHaveLength(3);
    expect(await emptyTitle(`?status=snoozed&owner=${owner}`)).toBe("No snoozed items of the owner “Ann Lee”");
  });
});

describe("an empty inbox", () => {
  it("says that there are no scores yet", async () => {
    const fresh = await newWorkspace();
    page = await signedIn(fresh.key);
    path = `/console/w/${fresh.id}/inbox`;
    for (const runs of [[], [{ asOf: NOW }]]) {
      await setRuns(...runs);
      expect(await emptyTitle()).toBe("No scores yet");
    }
  });

  it.each([
    ["?kind=contraction", "No open items of the kind “Seats or MRR reduced”"],
    ["?status=snoozed", "No snoozed items"],
    ["?status=resolved", "No resolved items"],
  ])("says what %s is empty of", async (query, title) => {
    expect(await emptyTitle(query)).toBe(title);
  });

  it("says that no account needs contact once all items are resolved", async () => {
    await outcomes.resolve(item.number);
    expect(await emptyTitle()).toBe("No accounts to contact right now");
  });
});
