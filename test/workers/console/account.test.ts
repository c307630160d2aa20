/** The page of one account. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { momentDate } from "../../../src/core/health/texts.ts";
import { markOwner } from "../support/destinations.ts";
import { capture, track } from "../support/messages.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
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

/** The text of the card with this heading. */
function card(html: string, title: string): string {
  const found = html.split("<section").find((part) => part.includes(`<h2>${title}</h2>`));
  if (found === undefined) throw new Error(`there is no card ${title}`);
  return textOf(found.slice(found.indexOf(">") + 1)).trim();
}

/** The entries of the timeline. */
const timeline = (html: string): string[] =>
  [...html.matchAll(/<li class="\w+"><time class="note" datetime="([^"]*)">[^<]*<\/time><p>([^<]*)<\/p>/g)].map(
    ([, day = "", text = ""]) => `${day} ${text}`,
  );

/** A date some days before the newest scored day. */
const dateBefore = (days: number) => new Date((DAY - days) * DAY_MS).toISOString().slice(0, 10);

describe("health", () => {
  it("shows the score with its reasons, components, and changes that add up to the trend", async () => {
    const { number, id } = await outcomes.account("acme", {
      health: {
        score: 30,
        uncapped: 80,
        state: "at_risk",
        trend: -70,
        losses: [20, 0, 0, 0, 0],
        reasons: [
          { kind: "cap", code: "silent", points: 50, observed: 9, expected: 6, window: { from: DAY - 9, to: DAY } },
        ],
        changes: [{ component: "recency", points: -20 }],
      },
    });
    await outcomes.healthDay(number, DAY - 7, 100, "healthy");
    await outcomes.healthDay(number, DAY, 30, "at_risk", 100);
    const health = card((await page(id)).html, "Health");
    expect(health).toContain("Score 30 At risk Change in 7 days −70 points Confidence High");
    expect(health).toMatch(/Reasons .*caps the score, −50 points\./);
    expect(health).toMatch(/What changed in 7 days .*20 points.* Score caps: −50 points in 7 days\. Score by/);
    expect(health).toMatch(/Recency .* of \S+ 20/);
    expect(health).toContain("Subtotal 80. A cap (see the reasons above) limits the score to 30.");
    expect(health).toContain("As of 7 Jan 2030, the last complete day (UTC).");
  });

  it("says what is missing for a score", async () => {
    const missing = [{ code: "active_days", observed: 2, required: 5 }] as const;
    const { id } = await outcomes.account("young", {
      health: { state: "insufficient_data", score: null, uncapped: null, confidence: null, trend: null, missing },
    });
    expect(card((await page(id)).html, "Health")).toMatch(
      /Score none Not enough data .* As of 7 Jan 2030: Active on 2 days/,
    );
    const fresh = await outcomes.account("fresh", { health: null });
    const { html } = await page(fresh.id);
    expect(card(html, "Health")).toContain("No score yet.");
    expect(html).not.toContain("<figure");
  });

  it("has a chart of the score and of the active users, and both as a table", async () => {
    const { number, id } = await outcomes.account("acme");
    for (const [before, score, users] of [
      [3, 71, 4],
      [2, 31, 0],
      [1, null, 2],
      [0, 34, 9],
    ] as const) {
      await outcomes.healthDay(number, DAY - before, score, score === null ? "stale" : "watch");
      if (users > 0) await outcomes.accountDay(number, DAY - before, users);
    }
    const { html } = await page(id);
    expect(html).toContain('Score of acme over 4 days: from 71 to 34, lowest 31, highest 71"');
    expect(html).toContain('Active users of acme over 4 days: from 4 to 9, lowest 0, highest 9"');
    const text = card(html, "Last 90 days");
    expect(text).toContain(`${dateBefore(0)} Watch 34 9 ${dateBefore(1)} Paused – 2 ${dateBefore(2)} Watch 31 0`);
    expect(text).toContain(
      "Healthy: from a score of 70 until it falls below 65. At risk: below 40 until it reaches 45.",
    );
  });
});

describe("usage", () => {
  it("lists users with their role, most recent first; events without a user count for none", async () => {
    const { number, id } = await outcomes.account("acme");
    const [early, late] = [await outcomes.user("u1", number), await outcomes.user("u2", number)];
    const event = await outcomes.eventName("report.exported");
    await outcomes.rollup(number, DAY - 1, event, { user: early.number });
    await outcomes.rollup(number, DAY - 2, event, { user: early.number });
    await outcomes.rollup(number, DAY, event, { user: late.number });
    await outcomes.rollup(number, DAY, event);
    await outcomes.rollup(number, DAY - 100, event, { user: (await outcomes.user("u3", number)).number });
    await outcomes.trait("user", early.number, "role", "admin");
    expect(card((await page(id)).html, "Users")).toMatch(/Last active u2 1 1 d ago u1 admin 2 2 d ago$/);
  });

  it("includes events that are not folded yet, each once", async () => {
    const { number, id } = await outcomes.account("acme", { lastEventAt: NOW - 2 * DAY_MS });
    const user = await outcomes.user("u1", number);
    const event = await outcomes.eventName("report.exported");
    // The folded events of the same user on the same day and on another.
    for (const day of [DAY + 1, DAY - 1]) await outcomes.rollup(number, day, event, { user: user.number, count: 2 });
    await workspace.post("/api/v1/events", capture());
    await workspace.post("/api/v1/cdp", track({ event: "Board Shared", properties: { accountId: "acme" } }));
    vi.setSystemTime(NOW + 60_000);
    admin = await signedIn();
    const { html } = await page(id);
    expect(textOf(html)).toContain("last active 1 min ago");
    expect(card(html, "Users")).toMatch(/u1 2 1 min ago$/);
    expect(card(html, "Features")).toMatch(/report\.exported 5 new 1 1 min ago board\.shared 1 new 1 1 min ago$/);
    expect(timeline(html)[0]).toBe(`${dateBefore(-1)} Latest event.`);
  });

  it("shows display names only in sessions with the scope identity", async () => {
    const { number, id } = await outcomes.account("acme");
    const user = await outcomes.user("u1", number);
    await outcomes.rollup(number, DAY, await outcomes.eventName("x"), { user: user.number });
    await outcomes.item({ account: number, kind: "gone_silent" });
    await workspace.accept();
    await workspace.attach({ accountId: "acme", userId: "u1", traits: { company: "Acme Inc", name: "Ann Lee" } });
    const { html } = await page(id);
    expect(html).toContain("<h1>Acme Inc</h1>");
    expect(card(html, "Users")).toContain("Ann Lee u1 1");
    expect(card(html, "To do")).toContain("Acme Inc");
    const seen = (await page(id, await signedIn((await workspace.newKey(["read"])).key))).html;
    expect(seen).toContain("<h1>acme</h1>");
    expect(seen).not.toMatch(/Ann Lee|Acme Inc/);
  });

  it("compares the use of each feature with the 28 days before", async () => {
    const { number, id } = await outcomes.account("acme");
    const today = DAY + 1;
    const used = async (name: string, ...uses: [daysAgo: number, count: number][]) => {
      const event = await outcomes.eventName(name);
      for (const [daysAgo, count] of uses) await outcomes.rollup(number, today - daysAgo, event, { count });
    };
    await used("grew", [0, 10], [27, 20], [28, 20]);
    await used("came", [3, 4]);
    await used("went", [28, 7], [55, 1]);
    await used("forgotten", [56, 9]);
    const { html } = await page(id);
    expect(card(html, "Features")).toMatch(/Last used grew 30 \+50% 0 .* came 4 new 0 .* went 0 stopped 0 /);
    expect(html).not.toContain("forgotten");
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
    expect(card(form, "Owner")).toContain("Nobody looks after this account.");
    expect(form).toContain('<option value="Bo">');
    for (const [owner, shown] of [
      ["  Ann Lee ", "Ann Lee"],
      ["", ""],
    ] as const) {
      const { status, location } = await admin.post(`${path()}/${id}/owner`, { owner });
      expect([status, location]).toEqual([303, `${path()}/${id}`]);
      expect((await page(id)).html).toContain(`name="owner" maxlength="128" list="owners" value="${shown}"`);
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
    expect(card(html, "Owner")).toBe("Owner Bo");
    expect(html).not.toContain('name="owner"');
    expect((await reader.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(403);
    const marker = await signedIn((await workspace.newKey(["read", "inbox"])).key);
    expect((await marker.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(303);
    expect(card((await page(id, reader)).html, "Owner")).toBe("Owner Ann");
  });

  it("is 404 for an unknown account and for one of another workspace", async () => {
    const foreign = await (await outcomesOf(await newWorkspace())).account("globex");
    for (const id of [foreign.id, "nobody"]) {
      expect((await admin.post(`${path()}/${id}/owner`, { owner: "Ann" })).status).toBe(404);
    }
  });
});

it("shows attributes and other traits", async () => {
  const { number, id } = await outcomes.account("acme", {
    attributes: { plan: "pro", seats: 1_200, mrr: 99, currency: "GBP", trialEndsAt: "2030-02-01T00:00:00.000Z" },
  });
  await outcomes.trait("account", number, "last_call", "2030-12-31");
  expect(card((await page(id)).html, "Attributes")).toBe(
    "Attributes Plan pro Seats 1,200 MRR £99 Trial ends 1 Feb 2030 last_call 2030-12-31",
  );
});

it.each([
  [45, "45 days left"],
  [1, "1 day left"],
  [0, "ends today"],
  [-3, "ended 3 days ago"],
])("§13.2 shows the end of a contract, %i days from today, as %s", async (days, left) => {
  const end = NOW + days * DAY_MS;
  const { id } = await outcomes.account("acme", { attributes: { contractEndsAt: new Date(end).toISOString() } });
  expect(card((await page(id)).html, "Attributes")).toBe(`Attributes Contract ends ${momentDate(end)} (${left})`);
});

describe("the address", () => {
  it("names an account by either id", async () => {
    const { id } = await outcomes.account("acme");
    for (const known of [id, "acme"]) expect([known, (await page(known)).status]).toEqual([known, 200]);
  });

  it("of an account that its user has left shows no score", async () => {
    const acme = await outcomes.account("acme");
    const { id } = await outcomes.soloAccount("left", {}, acme.number);
    const { html } = await page(id);
    expect(html).toContain("This user has joined another account.");
    expect(html).not.toContain("<h2>Health</h2>");
  });

  it("of an erased person's account shows no name", async () => {
    const { id } = await outcomes.soloAccount("ann");
    expect((await workspace.erase("ann")).status).toBe(200);
    expect((await page(id)).html).toContain("<h1>(erased)</h1>");
  });

  it("is 404 for an unknown account and for one of another workspace", async () => {
    const foreign = await (await outcomesOf(await newWorkspace())).account("globex");
    for (const unknown of ["acc_000000000000000000000000", "nobody", "%00", "%01", "globex", foreign.id]) {
      const { status, html } = await page(unknown);
      expect([status, html.includes("This account does not exist.")], unknown).toEqual([404, true]);
    }
  });
});
