/** The inbox page and its actions. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { markOwner } from "../support/destinations.ts";
import { setState } from "../support/half-changed.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
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
const idsOn = (html: string) => [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
const marks = async () =>
  (await env.DB.prepare("SELECT dismissed_at, snoozed_until FROM inbox_marks WHERE item = ?").bind(item.number).all())
    .results;
const emptyTitle = async (query = "") => /class="empty-title">([^<]*)/.exec((await open(query)).html)?.[1];

const redirected = ({ status, location }: PageAnswer): string => {
  expect(status).toBe(303);
  return location ?? "";
};

describe("an item", () => {
  it("shows severity, account, MRR, dates, evidence and the suggested action", async () => {
    const { html } = await open();
    const text = textOf(html);
    for (const part of [
      "High severity Gone silent",
      "MRR at risk €1,490",
      "Since 4 Jan 2030",
      "Priority 3.9",
      "As of 7 Jan 2030",
      "Measure Actual Expected Business days without activity 9 6 Last active 25 Dec 2029 –",
      "Suggested action",
      "Auto-resolves when:",
    ]) {
      expect(text).toContain(part);
    }
    expect(html).toContain(`href="/console/w/${workspace.id}/accounts/${acme.id}"`);
  });

  it("shows the company name in sessions with the scope identity", async () => {
    await workspace.accept();
    await workspace.attach({ accountId: "acme", traits: { company: "Acme Inc" } });
    const heading = /<h2 id[^>]*>([^<]*)/;
    expect(heading.exec((await open()).html)?.[1]).toContain("Acme Inc");
    expect((await open(`?done=reopened&item=${item.id}`)).html).toMatch(/Reopened: .*Acme Inc/);
    page = await signedIn((await workspace.newKey(["read"])).key);
    expect(heading.exec((await open()).html)?.[1]).toContain("acme");
  });

  it("about an opportunity puts no MRR at risk", async () => {
    await outcomes.item({ account: acme.number, kind: "usage_growth" });
    expect(textOf((await open("?kind=usage_growth")).html)).toContain("MRR €1,490");
  });

  it("about the workspace has no account", async () => {
    await outcomes.item({ kind: "tracking_stopped" });
    expect((await open("?kind=tracking_stopped")).html).not.toContain("<dt>Account</dt>");
  });

  it("that is resolved says why, and has no actions", async () => {
    await outcomes.resolve(item.number);
    const { html } = await open("?status=resolved");
    expect(textOf(html)).toContain("Resolved on 7 Jan 2030 The account recovered.");
    expect(html).not.toContain(`inbox/${item.id}/`);
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
    for (let rank = 1; rank <= 25; rank += 1) {
      const { number } = await outcomes.account(`a${rank}`);
      ids.push((await outcomes.item({ account: number, kind: "usage_drop", rank })).id);
    }
    const first = await open("?kind=usage_drop");
    expect(idsOn(first.html)).toHaveLength(20);
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
  it("comes first, is marked, and is not repeated in the list", async () => {
    const drop = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const { html } = await open(`?show=${item.id}`);
    expect(idsOn(html)).toEqual([item.id, drop.id]);
    expect(html).toMatch(new RegExp(`<article[^>]*aria-labelledby="${item.id}"[^>]*aria-current="true"`));
    expect(html.match(/aria-current="true"/g)).toHaveLength(1);
    expect(textOf(html)).toContain("The item from your link. It is open.");
    expect(html).not.toContain("Reopened");
  });

  it("says that it is dismissed, snoozed or resolved, also in sessions without the scope “inbox”", async () => {
    page = await signedIn((await workspace.newKey(["read"])).key);
    const shown = async () => {
      const { html } = await open(`?show=${item.id}`);
      expect(idsOn(html)).toEqual([item.id]);
      return textOf(html);
    };
    await outcomes.mark(item, { snoozedUntil: NOW + DAY_MS });
    expect(await shown()).toContain("It is snoozed until 9 Jan 2030, 06:00 UTC.");
    await outcomes.mark(item, { dismissed: true });
    expect(await shown()).toContain("It was dismissed on 8 Jan 2030, 06:00 UTC.");
    await outcomes.resolve(item.number);
    expect(await shown()).toContain("It was resolved on 7 Jan 2030.");
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
  it("are on the cards of items, and the parameter owner shows and counts only theirs", async () => {
    const globex = await outcomes.account("globex");
    await outcomes.item({ account: globex.number, kind: "usage_drop" });
    await outcomes.item({ kind: "tracking_stopped" });
    await markOwner(acme.number, "Ann Lee");
    expect(textOf((await open()).html)).toContain("Owner Ann Lee");
    const { html } = await open("?owner=Ann+Lee");
    expect(idsOn(html)).toEqual([item.id]);
    expect(textOf(html)).toContain("Open 1 Snoozed 0");
    expect(html).toContain("status=snoozed&amp;owner=Ann+Lee");
    expect(idsOn((await open("?owner=")).html)).toHaveLength(3);
    expect(await emptyTitle("?owner=nobody")).toBe("No open items of the owner “nobody”");
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

describe("actions", () => {
  it("§14 dismiss an item and reopen it, with the filter kept", async () => {
    const back = redirected(await page.post(`${path}/${item.id}/dismiss?kind=gone_silent`));
    expect(back).toBe(`${path}?kind=gone_silent&item=${item.id}`);
    expect(await marks()).toEqual([{ dismissed_at: NOW, snoozed_until: null }]);
    const { html } = await page.get(back);
    expect(idsOn(html)).toEqual([]);
    expect(textOf(html)).toMatch(/Dismissed: .*acme/);
    const undo = `${path}/${item.id}/dismiss/undo?kind=gone_silent`;
    expect(html).toContain(`action="${undo}"`);

    const undone = await page.get(redirected(await page.post(undo)));
    expect(await marks()).toEqual([{ dismissed_at: null, snoozed_until: null }]);
    expect(idsOn(undone.html)).toEqual([item.id]);
    expect(textOf(undone.html)).toMatch(/Reopened: .*acme/);
  });

  it.each([
    ["1", DAY_MS, "9 Jan 2030, 06:00 UTC"],
    ["30", 30 * DAY_MS, "7 Feb 2030, 06:00 UTC"],
  ])("§14 snooze an item for %s days and reopen it", async (days, length, until) => {
    const back = redirected(await page.post(`${path}/${item.id}/snooze`, { days }));
    expect(await marks()).toEqual([{ dismissed_at: null, snoozed_until: NOW + length }]);
    expect(textOf((await page.get(back)).html)).toContain(`Snoozed until ${until}: `);
    expect(textOf((await open("?status=snoozed")).html)).toContain(`Snoozed until ${until}. Reopen`);
    redirected(await page.post(`${path}/${item.id}/snooze/undo?status=snoozed`));
    expect(idsOn((await open()).html)).toEqual([item.id]);
  });

  it.each(["", "2", "-1", "1e9"])("can't snooze an item for “%s” days", async (days) => {
    const { status, html } = await page.post(`${path}/${item.id}/snooze?kind=gone_silent`, { days });
    expect(status).toBe(400);
    expect(textOf(html)).toContain("You can snooze an item for 1 day, 1 week or 1 month.");
    expect(await marks()).toEqual([]);
  });

  it("are not reported by a forged address", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    await outcomes.resolve(item.number);
    for (const id of [item.id, foreign.id, "%3Cb%3E"]) {
      expect((await open(`?item=${id}`)).html).not.toContain('class="notice');
    }
  });

  it("are 404 for an unknown item and for one of another workspace", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    for (const id of [foreign.id, "itm_0"]) {
      expect((await page.post(`${path}/${id}/dismiss`)).status).toBe(404);
      expect((await page.post(`${path}/${id}/snooze`, { days: "1" })).status).toBe(404);
    }
  });

  it("§14 are allowed to administrators", async () => {
    redirected(await (await signedIn()).post(`${path}/${item.id}/dismiss`));
    expect(await marks()).toEqual([{ dismissed_at: NOW, snoozed_until: null }]);
  });

  it("§14 change nothing while the workspace is erased", async () => {
    const ref = await workspace.ref();
    await setState(ref, "erased");
    const dismissed = outcomes.mark(item, { dismissed: true });
    await expect(dismissed).rejects.toThrow(DatabaseUnavailable);
    expect(await marks()).toEqual([]);
  });

  it("need the scope “inbox”: without it there are no buttons", async () => {
    page = await signedIn((await workspace.newKey(["read"])).key);
    const { html } = await open();
    expect(idsOn(html)).toEqual([item.id]);
    expect(html).not.toContain(`inbox/${item.id}/`);
    for (const action of ["dismiss", "dismiss/undo", "snooze", "snooze/undo"]) {
      expect((await page.post(`${path}/${item.id}/${action}`, { days: "1" })).status).toBe(403);
    }
    expect(await marks()).toEqual([]);
  });
});
