/** The page of one account: its items, its owner, and the timeline of what people did. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { markOwner } from "../support/destinations.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { dateBefore, summary, timeline } from "./support/account-page.ts";
import { card, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  await setRuns({ asOf: NOW });
  return () => vi.useRealTimers();
});

const path = () => `/console/w/${workspace.id}/accounts`;
const page = async (id: string, as: Browser = admin) => as.get(`${path()}/${id}`);

describe("the actions on items", () => {
  it("put an item aside and take it back, in the same view", async () => {
    const { number, id } = await outcomes.account("acme");
    const item = await outcomes.item({ account: number, kind: "gone_silent" });
    for (const [action, shown] of [
      [
        "dismiss",
        /Dismissed: acme has gone silent\. Undo Nothing to do for this account Dismissed and snoozed: 1 .* dismissed Reopen$/,
      ],
      [
        "dismiss/undo",
        /Reopened: acme has gone silent\. High.* Snooze until Monday Dismiss Handled Not a problem Wrong Other$/,
      ],
      [
        "snooze",
        /Snoozed until 14 Jan 2030: acme has gone silent\. Undo .*Dismissed and snoozed: 1 .* snoozed until 14 Jan 2030 Reopen$/,
      ],
    ] as const) {
      const { status, location } = await admin.post(`${path()}/${id}/items/${item.id}/${action}?range=30`, {});
      expect([action, status, location]).toEqual([action, 303, `${path()}/${id}?range=30&changed=${item.id}`]);
      expect(card((await admin.get(location ?? "")).html, "To do")).toMatch(shown);
      expect(card((await page(id)).html, "To do")).not.toContain("Undo");
    }
  });

  it("dismiss an item for a reason, as in the inbox", async () => {
    const { number, id } = await outcomes.account("acme");
    const item = await outcomes.item({ account: number, kind: "gone_silent" });
    expect((await page(id)).html).toMatch(/name="reason" value="not_a_problem" aria-label="Dismiss, Not a problem: /);
    await admin.post(`${path()}/${id}/items/${item.id}/dismiss`, { reason: "not_a_problem" });
    const { html } = await page(id);
    expect(card(html, "To do")).toMatch(/dismissed \(not a problem\) Reopen$/);
    expect(timeline(html).join()).toMatch(/dismissed “.*”: not a problem\./);
    // Customers get the printed page.
    expect(html).toMatch(/<li class="accent no-print"><time[^>]*>[^<]*<\/time><p>[^<]*dismissed/);
  });

  it("need the scope “inbox”, and an item of the workspace", async () => {
    const { number, id } = await outcomes.account("acme");
    const item = await outcomes.item({ account: number, kind: "gone_silent" });
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect((await page(id, reader)).html).not.toContain("/dismiss");
    expect((await reader.post(`${path()}/${id}/items/${item.id}/dismiss`, {})).status).toBe(403);
    expect((await admin.post(`${path()}/${id}/items/itm_none/dismiss`, {})).status).toBe(404);
  });
});

describe("the timeline", () => {
  it("lists changes of health, attributes and items by day, latest first", async () => {
    const { number, id } = await outcomes.account("acme", {
      firstAt: (DAY - 40) * DAY_MS,
      lastEventAt: NOW,
      timeline: [
        [DAY - 40, { plan: "team", seats: 5, mrr: 100, currency: "USD" }],
        [DAY - 6, { seats: 9, plan: null }],
      ],
    });
    await outcomes.healthDay(number, DAY - 5, 80, "healthy");
    await outcomes.healthDay(number, DAY - 4, 55, "watch");
    await outcomes.healthDay(number, DAY - 3, 54, "watch");
    const drop = { account: number, kind: "usage_drop", openedDay: DAY - 20, resolvedDay: DAY - 10 } as const;
    await outcomes.item({ ...drop, resolution: "recovered" });
    await outcomes.item({ account: number, kind: "gone_silent", openedDay: DAY - 1 });
    expect(timeline((await page(id)).html)).toEqual([
      `${dateBefore(-1)} Latest event.`,
      expect.stringMatching(`^${dateBefore(1)} .*acme.*\\.$`),
      `${dateBefore(4)} Health: Watch (was Healthy), score 55.`,
      `${dateBefore(6)} Plan: none (was team); Seats: 9 (was 5).`,
      expect.stringMatching(`^${dateBefore(10)} Resolved: “.*acme.*”\\. The account recovered\\.$`),
      expect.stringMatching(`^${dateBefore(20)} .*acme.*\\.$`),
      `${dateBefore(40)} Plan: team; Seats: 5; MRR: $100; Currency: USD.`,
      `${dateBefore(40)} First seen.`,
    ]);
  });
});

it("lists open items as to do, but no resolved, dismissed or snoozed ones", async () => {
  const { number, id } = await outcomes.account("acme");
  const open = await outcomes.item({ account: number, kind: "gone_silent" });
  const dismissed = await outcomes.item({ account: number, kind: "contraction" });
  const snoozed = await outcomes.item({ account: number, kind: "slow_decline" });
  await outcomes.item({ account: number, kind: "usage_drop", resolvedDay: DAY });
  await outcomes.mark(dismissed, { dismissed: true });
  await outcomes.mark(snoozed, { snoozedUntil: NOW + 1 });
  const { html } = await page(id);
  const links = [...html.matchAll(/href="([^"]*)" aria-label="View in inbox/g)].map(([, href]) => href);
  expect(links).toEqual([`/console/w/${workspace.id}/inbox?show=${open.id}`]);
});

describe("the owner", () => {
  it("is set and removed by a form that offers the owners in use", async () => {
    const { id } = await outcomes.account("acme");
    const globex = await outcomes.account("globex");
    await markOwner(globex.number, "Bo");
    const form = (await page(id)).html;
    expect(form).toContain('placeholder="nobody"');
    expect(form).toContain('<option value="Bo">');
    for (const [owner, shown] of [
      ["  Ann Lee ", "Ann Lee"],
      ["", ""],
    ] as const) {
      const { status, location } = await admin.post(`${path()}/${id}/owner`, { owner });
      expect([status, location]).toEqual([303, `${path()}/${id}`]);
      expect((await page(id)).html).toContain(
        `name="owner" aria-label="Owner" maxlength="128" list="owners" value="${shown}"`,
      );
      expect(summary((await page(id)).html)).toContain("The administrator saved it just now");
    }
  });

  it("is refused with what was typed if it is too long", async () => {
    const { id } = await outcomes.account("acme");
    const { status, html } = await admin.post(`${path()}/${id}/owner`, { owner: "x".repeat(129) });
    expect(status).toBe(400);
    expect(textOf(html)).toContain("“Owner” must be one line of at most 128 characters.");
    expect(html).toContain(`value="${"x".repeat(129)}"`);
  });

  it("can be changed only with the scope “inbox”", async () => {
    const { id, number } = await outcomes.account("acme");
    await markOwner(number, "Bo");
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    const { html } = await page(id, reader);
    expect(summary(html)).toMatch(/Owner Bo$/);
    expect(html).not.toContain('name="owner"');
    expect((await reader.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(403);
    const marker = await signedIn((await workspace.newKey(["read", "inbox"])).key);
    expect((await marker.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(303);
    expect(summary((await page(id, reader)).html)).toMatch(/Owner Ann \S+ saved it just now$/);
  });

  it("is 404 for an unknown account and for one of another workspace", async () => {
    const foreign = await (await outcomesOf(await newWorkspace())).account("globex");
    for (const id of [foreign.id, "nobody"]) {
      expect((await admin.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(404);
    }
  });
});
