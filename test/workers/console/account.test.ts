/** One account as people see it. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

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

const page = async (id: string, as: Browser = admin) => as.get(`/console/w/${workspace.id}/accounts/${id}`);

/** The text of a part of the page, by the heading of its card. */
function card(html: string, title: string): string {
  const found = html.split("<section").find((part) => part.includes(`<h2>${title}</h2>`));
  if (found === undefined) throw new Error(`there is no card ${title}`);
  return textOf(found.slice(found.indexOf(">") + 1)).trim();
}

/** What has happened, the latest first. */
const happened = (html: string): string[] =>
  [...html.matchAll(/<li class="\w+"><time datetime="([^"]*)">[^<]*<\/time><p>([^<]*)<\/p>/g)].map(
    ([, day = "", text = ""]) => `${day} ${text}`,
  );

/** A day before the one that is judged, as the page writes it. */
const dayBefore = (days: number) => new Date((DAY - days) * DAY_MS).toISOString().slice(0, 10);

describe("an account's health", () => {
  it("is told with its reasons, what has changed, and what it is made of", async () => {
    const { id } = await outcomes.account("acme", {
      health: {
        score: 30,
        uncapped: 80,
        state: "at_risk",
        trend: -50,
        losses: [20, 0, 0, 0, 0],
        reasons: [
          {
            kind: "cap",
            code: "silent",
            points: 50,
            observed: 9,
            expected: 6,
            window: { from: DAY - 9, to: DAY },
          },
        ],
        changes: [{ component: "recency", points: -20 }],
      },
    });
    const health = card((await page(id)).html, "Health");
    expect(health).toContain("Score 30 At risk In 7 days −50 points Confidence High");
    expect(health).toContain(
      "No activity for 9 business days up to 7 Jan 2030 (6 or more count as silence): this caps the score and takes off 50 points.",
    );
    expect(health).toContain("Recency (last activity) lost 20 points in 7 days.");
    expect(health).toContain("Recency how recently it was used, against its own longest gaps 5 of 25 20");
    expect(health).toContain("They come to 80. A finding above caps the score at 30.");
  });

  it("is told for want of a score, too", async () => {
    const young = await outcomes.account("young", {
      health: {
        state: "insufficient_data",
        score: null,
        uncapped: null,
        missing: [{ code: "active_days", observed: 2, required: 5 }],
      },
    });
    expect(card((await page(young.id)).html, "Health")).toContain(
      "Active on 2 days so far (at least 5 needed).",
    );
    const fresh = await outcomes.account("fresh", { health: null });
    expect(card((await page(fresh.id)).html, "Health")).toContain("It is not judged yet.");
  });

  it("has a chart of the score and one of active users over the same days, and both as a table", async () => {
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
    expect(html).toContain(`Score of acme over 4 days: from 71 to 34, lowest 31 on ${dayBefore(2)}</desc>`);
    expect(html).toContain(`Active users of acme over 4 days: from 4 to 9, lowest 0 on ${dayBefore(2)}</desc>`);
    expect(card(html, "The last 90 days")).toContain(
      `${dayBefore(0)} Watch 34 9 ${dayBefore(1)} Stands still – 2 ${dayBefore(2)} Watch 31 0`,
    );
    expect(card(html, "The last 90 days")).toContain(
      "Healthy from a score of 70 until it is below 65, at risk below 40 until it is 45.",
    );
  });

  it("has no chart before there is a day to show", async () => {
    const { id } = await outcomes.account("acme", { health: null });
    expect((await page(id)).html).not.toContain("<figure");
  });
});

describe("who uses it, and for what", () => {
  it("users come with their role, the latest first; events without one are nobody's", async () => {
    const { number, id } = await outcomes.account("acme");
    const [early, late] = [await outcomes.user("u1", number), await outcomes.user("u2", number)];
    const event = await outcomes.eventName("report.exported");
    await outcomes.rollup(number, DAY - 1, event, { user: early.number });
    await outcomes.rollup(number, DAY - 2, event, { user: early.number });
    await outcomes.rollup(number, DAY, event, { user: late.number });
    await outcomes.rollup(number, DAY, event);
    await outcomes.rollup(number, DAY - 100, event, { user: (await outcomes.user("u3", number)).number });
    await env.DB.prepare("INSERT INTO traits VALUES ('user', ?, 'role', '\"admin\"', 1, 1)").bind(early.number).run();
    expect(card((await page(id)).html, "Users")).toMatch(/Seen u2 1 1 d ago u1 admin 2 2 d ago$/);
  });

  it("names of people are for sessions with the scope identity", async () => {
    const { number, id } = await outcomes.account("acme");
    const user = await outcomes.user("u1", number);
    await outcomes.rollup(number, DAY, await outcomes.eventName("x"), { user: user.number });
    const { number: ref } = await workspace.ref();
    await env.DB.prepare(
      "INSERT INTO agreements (workspace, version, accepted_by, accepted_at) VALUES (?, '1', 'A', 1)",
    )
      .bind(ref)
      .run();
    for (const [kind, subject, key, value] of [
      ["user", user.number, "name", "Ann Lee"],
      ["account", number, "company", "Acme Inc"],
    ] as const) {
      await env.DB.prepare("INSERT INTO identity_traits VALUES (?, ?, ?, ?, ?, 1)")
        .bind(ref, kind, subject, key, value)
        .run();
    }
    const { html } = await page(id);
    expect(html).toContain("<h1>Acme Inc</h1>");
    expect(card(html, "Users")).toContain("Ann Lee u1 1");
    const seen = (await page(id, await signedIn((await workspace.newKey(["read"])).key))).html;
    expect(seen).toContain("<h1>acme</h1>");
    expect(seen).not.toMatch(/Ann Lee|Acme Inc/);
  });

  it("features come with how their use has changed", async () => {
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
    expect(card((await page(id)).html, "Features")).toMatch(
      /Seen grew 30 \+50% 0 .* came 4 new 0 .* went 0 stopped 0 /,
    );
    expect((await page(id)).html).not.toContain("forgotten");
  });
});

describe("what has happened to it", () => {
  it("is told by day, the latest first: states, attributes, items, and when it was seen", async () => {
    const { number, id } = await outcomes.account("acme", { firstAt: (DAY - 40) * DAY_MS, lastEventAt: NOW });
    await env.DB.prepare("UPDATE activity SET timeline = ? WHERE account = ?")
      .bind(
        JSON.stringify([
          [DAY - 40, { plan: "team", seats: 5, mrr: 100, currency: "USD" }],
          [DAY - 6, { seats: 9, plan: null }],
        ]),
        number,
      )
      .run();
    await outcomes.healthDay(number, DAY - 5, 80, "healthy");
    await outcomes.healthDay(number, DAY - 4, 55, "watch");
    await outcomes.healthDay(number, DAY - 3, 54, "watch");
    const dropped = { account: number, kind: "usage_drop", openedDay: DAY - 20, resolvedDay: DAY - 10 } as const;
    await outcomes.item({ ...dropped, resolution: "recovered" });
    await outcomes.item({ account: number, kind: "gone_silent", openedDay: DAY - 1 });
    expect(happened((await page(id)).html)).toEqual([
      `${dayBefore(-1)} Its last event so far.`,
      `${dayBefore(1)} acme has gone silent.`,
      `${dayBefore(4)} Health: Watch (was Healthy), with a score of 55.`,
      `${dayBefore(6)} Plan: none (was team); Seats: 9 (was 5).`,
      `${dayBefore(10)} Closed: “Usage at acme fell”. What it told of is over.`,
      `${dayBefore(20)} Usage at acme fell.`,
      `${dayBefore(40)} Plan: team; Seats: 5; MRR: $100; Currency: USD.`,
      `${dayBefore(40)} First heard of.`,
    ]);
  });

  it("what is open leads to where it stands in the inbox", async () => {
    const { number, id } = await outcomes.account("acme");
    const open = await outcomes.item({ account: number, kind: "gone_silent" });
    const dismissed = await outcomes.item({ account: number, kind: "contraction", rank: 1 });
    await env.DB.prepare("INSERT INTO inbox_marks (item, dismissed_at) VALUES (?, ?)")
      .bind(dismissed.number, NOW)
      .run();
    await outcomes.item({ account: number, kind: "usage_drop", resolvedDay: DAY });
    const { html } = await page(id);
    const inbox = `/console/w/${workspace.id}/inbox`;
    expect([...html.matchAll(/href="([^"]*)" aria-label="In the inbox/g)].map(([, href]) => href)).toEqual([
      `${inbox}#${open.id}`,
      `${inbox}?status=dismissed#${dismissed.id}`,
    ]);
    expect(card(html, "To do")).toContain("dismissed on 8 Jan 2030");
  });

  it("attributes and whatever else was sent of it stand as text", async () => {
    const { number, id } = await outcomes.account("<i>acme</i>", {
      attributes: {
        plan: "<b>pro</b>",
        seats: 1_200,
        mrr: 99,
        currency: "GBP",
        trialEndsAt: "2030-02-01T00:00:00.000Z",
      },
    });
    await env.DB.prepare("INSERT INTO traits VALUES ('account', ?, 'contract_end', '\"2030-12-31\"', 1, 1)")
      .bind(number)
      .run();
    const { html } = await page(id);
    expect(card(html, "What senders say of it")).toBe(
      "What senders say of it Plan <b>pro</b> Seats 1,200 MRR £99 Trial ends 1 Feb 2030 contract_end 2030-12-31",
    );
    expect(html).not.toMatch(/<i>acme|<b>pro/);
  });
});

describe("which account it is", () => {
  it("one that its user has left is shown as it was, and not judged", async () => {
    const acme = await outcomes.account("acme");
    const { id } = await outcomes.soloAccount("left", {}, acme.number);
    const { html } = await page(id);
    expect(html).toContain("Its user has gone over to another account.");
    expect(html).not.toContain("<h2>Health</h2>");
  });

  it("one of an erased person is nobody's", async () => {
    const { number, id } = await outcomes.soloAccount("ann");
    await env.DB.prepare("UPDATE accounts SET external_id = char(1) || id WHERE number = ?").bind(number).run();
    expect((await page(id)).html).toContain("<h1>(erased)</h1>");
  });

  it("is 404 where there is none, and where it is another workspace's", async () => {
    const { id } = await outcomes.account("acme");
    const other = await newWorkspace();
    const foreign = await (await outcomesOf(other)).account("globex");
    for (const unknown of ["acc_000000000000000000000000", "nobody", "%00", "%01", "globex", foreign.id]) {
      const { status, html } = await page(unknown);
      expect([status, html.includes("no such account")], unknown).toEqual([404, true]);
    }
    expect((await page(id, await signedIn(other.key))).status).toBe(404);
    for (const known of [id, "acme"]) expect([known, (await page(known)).status]).toEqual([known, 200]);
  });
});
