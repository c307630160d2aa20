/** The actions on items of the inbox. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { setState } from "../support/half-changed.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount, setRuns } from "../support/outcomes.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
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
const idsOn = (html: string) => [...html.matchAll(/<a id="([^"]*)" class="item-link"/g)].map(([, id]) => id);
const marks = async () =>
  (await env.DB.prepare("SELECT * FROM inbox_marks WHERE item = ?").bind(item.number).all()).results;
const redirected = ({ status, location }: PageAnswer): string => {
  expect(status).toBe(303);
  return location ?? "";
};

const act = (mark: string, more: Record<string, string> = {}, query = "") =>
  page.post(`${path}/mark${query}`, { ids: item.id, mark, ...more });

describe("actions", () => {
  it("§14 dismiss an item with a reason and undo it, with the filter kept", async () => {
    const back = redirected(await act("dismiss not_a_problem", {}, "?kind=gone_silent"));
    expect(back).toBe(`${path}?kind=gone_silent&did=dismiss&changed=${item.id}`);
    expect(await marks()).toMatchObject([{ dismissed_at: NOW, dismiss_reason: "not_a_problem", snoozed_until: null }]);
    const { html } = await page.get(back);
    expect(idsOn(html)).toEqual([]);
    expect(textOf(html)).toMatch(/Dismissed: .*acme/);
    expect(html).toContain(`action="${path}/mark?kind=gone_silent"`);
    expect(html).toContain('value="undo dismiss"');

    const undone = await page.get(redirected(await act("undo dismiss", {}, "?kind=gone_silent")));
    expect(await marks()).toMatchObject([{ dismissed_at: null, dismiss_reason: null }]);
    expect(idsOn(undone.html)).toEqual([item.id]);
    expect(textOf(undone.html)).toMatch(/Undone: .*acme/);
  });

  // 8 Jan 2030 is a Tuesday; Auckland is 13 hours ahead.
  it.each([
    ["UTC", "snooze tomorrow", {}, "2030-01-09T09:00:00Z", "Wed 9 Jan 2030, 09:00"],
    ["Pacific/Auckland", "snooze monday", {}, "2030-01-13T20:00:00Z", "Mon 14 Jan 2030, 09:00"],
    ["America/New_York", "snooze date", { date: "2030-07-01" }, "2030-07-01T13:00:00Z", "Mon 1 Jul 2030, 09:00"],
  ])("§14 snooze an item by the clock of %s: %s", async (timezone, mark, more, until, shownAs) => {
    await admin("PATCH", `/workspaces/${workspace.id}`, { timezone });
    const back = redirected(await act(mark, more));
    expect(await marks()).toMatchObject([{ dismissed_at: null, snoozed_until: Date.parse(until) }]);
    expect(textOf((await page.get(back)).html)).toContain(`Snoozed until ${shownAs}: `);
    redirected(await act("undo snooze", {}, "?status=snoozed"));
    expect(idsOn((await open()).html)).toEqual([item.id]);
  });

  it.each([
    ["snooze date", {}, "You can snooze an item until a day in the year after today."],
    ["snooze date", { date: "2030-01-08" }, "You can snooze an item until a day in the year after today."],
    ["snooze date", { date: "2031-06-01" }, "You can snooze an item until a day in the year after today."],
    ["snooze never", {}, "Incomplete form."],
    ["dismiss lost", {}, "Incomplete form."],
    ["note", { note: "x".repeat(1_001) }, "“Note” must have at most 1000 characters."],
  ])("refuse %s with %o", async (mark, more, error) => {
    const { status, html } = await act(mark, more);
    expect(status).toBe(400);
    expect(textOf(html)).toContain(error);
    expect(await marks()).toEqual([]);
  });

  it("§14 record who contacted the account, a note without addresses, and the owner", async () => {
    redirected(await act("contacted"));
    const back = redirected(await act("note", { note: "Wrote to jo@example.com" }));
    expect(back).toBe(`${path}?did=note&show=${item.id}&changed=${item.id}`);
    const noted = textOf((await page.get(back)).html);
    expect(noted).toMatch(/Note saved: acme has gone silent\..* saved it just now/);
    const owned = redirected(await page.post(`${path}/owner`, { ids: item.id, show: item.id, owner: " Ann Lee " }));
    const text = textOf((await page.get(owned)).html);
    expect(text).toContain("Owner saved, Ann Lee: acme has gone silent.");
    expect(text).toContain("contacted the account on 8 Jan 2030.");
    expect(text).toContain("Wrote to [redacted]");
    expect(text).toContain("Owner Ann Lee");
  });

  it("§14 mark several items at once, and undo that", async () => {
    const drop = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const ids = [item.id, drop.id];
    const several = (mark: string) =>
      page.post(`${path}/mark`, [...ids.map((id): [string, string] => ["ids", id]), ["mark", mark]]);
    const { html } = await page.get(redirected(await several("snooze tomorrow")));
    expect(idsOn(html)).toEqual([]);
    expect(textOf(html)).toContain("09:00: 2 items.");
    for (const id of ids) expect(html).toContain(`name="ids" value="${id}"`);
    expect(idsOn((await page.get(redirected(await several("undo snooze")))).html)).toEqual([drop.id, item.id]);
  });

  it("§14 set and remove the owner of several accounts, and find the items that nobody owns", async () => {
    const globex = await outcomes.account("globex");
    const theirs = await outcomes.item({ account: globex.number, kind: "usage_drop", rank: 8 });
    const set = (...ids: string[]) =>
      page.post(`${path}/owner`, [...ids.map((id): [string, string] => ["ids", id]), ["owner", "Ann"]]);
    expect(textOf((await page.get(redirected(await set(theirs.id)))).html)).toContain("Owner saved, Ann: ");
    expect(idsOn((await open("?owner=(nobody)")).html)).toEqual([item.id]);
    expect(textOf((await open("?owner=(nobody)")).html)).toContain("Open 1 ");
    expect(textOf((await page.get(redirected(await set(theirs.id, item.id)))).html)).toContain(": 2 items.");
    expect(textOf((await open("?owner=(nobody)")).html)).toContain("No open items without an owner");
    redirected(await page.post(`${path}/owner`, { ids: item.id, owner: "" }));
    expect(idsOn((await open("?owner=(nobody)")).html)).toEqual([item.id]);
  });

  it("§14 offer to undo only what they did themselves", async () => {
    await outcomes.mark(item, { contacted: true }, NOW - DAY_MS);
    const { html } = await page.get(redirected(await act("contacted")));
    expect(html).not.toContain("Undo");
    await outcomes.mark(item, { snoozedUntil: NOW + DAY_MS });
    const drop = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const back = redirected(await page.post(`${path}/mark?status=snoozed`, { ids: drop.id, mark: "contacted" }));
    const { html: contacted } = await page.get(back);
    expect(contacted).toContain('value="undo contacted"');
    expect(contacted).not.toContain('value="undo snooze"');
  });

  it("are not reported by a forged address", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    await outcomes.resolve(item.number);
    for (const id of [item.id, foreign.id, "%3Cb%3E"]) {
      expect((await open(`?did=dismiss&changed=${id}`)).html).not.toContain('class="notice');
    }
  });

  it("are 404 for an unknown item and for one of another workspace", async () => {
    const other = await outcomesOf(await newWorkspace());
    const globex = await other.account("globex");
    const foreign = await other.item({ account: globex.number });
    for (const id of [foreign.id, "itm_0"]) {
      expect((await page.post(`${path}/mark`, { ids: id, mark: "contacted" })).status).toBe(404);
    }
    expect((await page.post(`${path}/owner`, { ids: foreign.id, owner: "Ann" })).status).toBe(404);
  });

  it("§14 are allowed to administrators", async () => {
    page = await signedIn();
    redirected(await act("dismiss handled"));
    expect(await marks()).toMatchObject([{ dismissed_at: NOW }]);
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
    const { html } = await open(`?show=${item.id}`);
    expect(idsOn(html)).toEqual([item.id]);
    expect(html).not.toContain("inbox/mark");
    expect((await act("contacted")).status).toBe(403);
    expect((await page.post(`${path}/owner`, { ids: item.id, owner: "Ann" })).status).toBe(403);
    expect(await marks()).toEqual([]);
  });
});
