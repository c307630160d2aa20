/** The page of one account. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { ChartData } from "../../../src/console/assets/scripts/chart-data.ts";
import type { HealthReason } from "../../../src/core/health/model.ts";
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

const summary = (html: string): string =>
  textOf(/<section class="card" aria-label="Summary">(.*?)<\/section>/s.exec(html)?.[1] ?? "").trim();

/** The entries of the timeline. */
const timeline = (html: string): string[] =>
  [...html.matchAll(/<li class="\w+"><time class="note" datetime="([^"]*)">[^<]*<\/time><p>([^<]*)<\/p>/g)].map(
    ([, day = "", text = ""]) => `${day} ${text}`,
  );

const RANGE_TITLES: Record<string, string> = {
  "?range=365": "365 days",
  "?range=2029-Q4": "Q4 2029",
  "?range=2030-Q1": "Q1 2030",
};

const setFeatures = (account: number, day: number, features: string) =>
  env.DB.prepare("UPDATE account_days SET features = ?3 WHERE account = ?1 AND day = ?2")
    .bind(account, day, features)
    .run();

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
    expect(summary((await page(id)).html)).toContain("Score 30 −70 points in 7 days");
    expect(health).toContain("Confidence High: 100% of the score is measured");
    expect(health).toMatch(/Main reasons .*caps the score, −50 points\./);
    expect(health).toMatch(/What changed in 7 days .*20 points.* Score caps: −50 points in 7 days\. Points by/);
    expect(health).toMatch(/Recency .* of \S+ 20/);
    expect(health).toContain("Subtotal 80. A cap (see the reasons above) limits the score to 30.");
    expect(health).toContain("As of 7 Jan 2030, the last complete day (UTC).");
  });

  it("shows one of several reasons that say the same, and three at most", async () => {
    const window = { from: DAY - 9, to: DAY };
    const reason = (kind: "cap" | "loss" | "strength", code: HealthReason["code"]) =>
      ({ kind, code, points: 5, observed: 3, expected: 9, window }) as const;
    const reasons = [
      reason("cap", "confirmed_drop"),
      reason("cap", "declining"),
      reason("loss", "trend"),
      reason("loss", "breadth"),
      reason("loss", "depth"),
      reason("strength", "recency"),
    ];
    const { id } = await outcomes.account("acme", { health: { reasons } });
    const { html } = await page(id);
    const [main = "", rest = ""] = card(html, "Health").split("All reasons");
    expect(main).toMatch(/Usage dropped .*3 active users .*3 core features used /);
    expect(main).not.toMatch(/declining|expected; a quarter|No activity/);
    expect(rest).toMatch(/Other reasons Usage is declining.*a quarter more.*No activity/);
    expect(html).toContain('<abbr title="One user who was active on one day">user-days</abbr>');
    expect(html.replaceAll(/<abbr[^>]*>user-days?<\/abbr>/g, "")).not.toContain("user-day");
  });

  it("says what is missing for a score", async () => {
    const missing = [{ code: "active_days", observed: 2, required: 5 }] as const;
    const { id } = await outcomes.account("young", {
      health: { state: "insufficient_data", score: null, uncapped: null, confidence: null, trend: null, missing },
    });
    const young = (await page(id)).html;
    expect(summary(young)).toContain("Score none Not enough data");
    expect(card(young, "Health")).toContain("As of 7 Jan 2030: Active on 2 days");
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
    const text = card(html, "Over time");
    expect(text).toContain("7 Jan 2030 Watch 34 9 6 Jan 2030 Paused – 2 5 Jan 2030 Watch 31 0");
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

it("shows ten users a page, and marks the champions as health finds key users", async () => {
  const { number, id } = await outcomes.account("acme");
  const event = await outcomes.eventName("report.exported");
  const users = [];
  for (let index = 0; index < 11; index += 1) {
    const user = await outcomes.user(`u${index}`, number);
    await outcomes.rollup(number, DAY - index, event, { user: user.number });
    users.push(user.number & 0xffffffff);
  }
  const [champion = 0, casual = 0] = users;
  for (let back = 0; back < 10; back += 1) {
    await outcomes.accountDay(number, DAY - back, back === 9 ? [champion] : [champion, casual]);
  }
  const { html } = await page(id);
  expect(card(html, "Users")).toMatch(/u0 Champion 1 .* u1 1 .* u9 1 /);
  expect(card(html, "Users")).not.toMatch(/u10|u1 Champion/);
  expect(summary(html)).toContain("Active users 2 active in 28 days");
  expect(html).toMatch(/id="users-next" href="[^"]*\?users=2"/);
  const second = (await page(`${id}?users=2`)).html;
  expect(card(second, "Users")).toMatch(/Last active u10 1 /);
  expect(second).toMatch(/id="users-before" href="[^"?]*"/);
  expect(second).not.toContain("users-next");
});

it("shows how many seats are used, and when the trial ends", async () => {
  const { number, id } = await outcomes.account("acme", {
    health: { stage: "trial" },
    attributes: { seats: 4, mrr: 99, currency: "GBP", trialEndsAt: new Date(NOW + 3 * DAY_MS).toISOString() },
  });
  await outcomes.accountDay(number, DAY, [1, 2, 3]);
  await outcomes.accountDay(number, DAY - 27, [1]);
  await outcomes.accountDay(number, DAY - 28, [4]);
  expect(summary((await page(id)).html)).toMatch(
    /MRR £99 Seats used 3 of 4 75%, active in 28 days Trial ends 11 Jan 2030 3 days left Owner/,
  );
});

const dataOf = (html: string): Record<string, ChartData> =>
  Object.fromEntries(
    [...html.matchAll(/data-chart="([^"]*)"/g)].map(([, json = ""]) => {
      const data: ChartData = JSON.parse(json.replaceAll("&quot;", '"'));
      return [data.series[0]?.name ?? "", data];
    }),
  );

describe("the charts", () => {
  it("have the days of the range, states, averages, opened items, MRR, seats and a feature", async () => {
    const { number, id } = await outcomes.account("acme", {
      timeline: [
        [DAY - 50, { mrr: 100, seats: 5 }],
        [DAY - 1, { mrr: 80 }],
      ],
    });
    const event = await outcomes.eventName("report.exported");
    for (let back = 0; back < 40; back += 1) {
      await outcomes.healthDay(number, DAY - back, 50 + back, back < 5 ? "at_risk" : "healthy");
      await outcomes.accountDay(number, DAY - back, back);
    }
    await setFeatures(number, DAY, `{"${event & 0xffffffff}":[7,[]]}`);
    await setFeatures(number, DAY - 1, "{}");
    await outcomes.item({ account: number, kind: "gone_silent", openedDay: DAY - 2 });
    const data = dataOf((await page(`${id}?range=30`)).html);
    expect(Object.keys(data)).toEqual(["Score", "Active users", "MRR", "Seats", "Events: report.exported"]);
    const { Score: score, "Active users": users, MRR: mrr, "Events: report.exported": feature } = data;
    expect(score).toMatchObject({ first: DAY - 29, heights: [0, 40, 70, 100] });
    expect(score?.series[0]?.values).toHaveLength(30);
    expect(score?.bands).toEqual([
      [0, 24, 0],
      [25, 29, 1],
    ]);
    expect(score?.tones).toEqual([
      ["good", "Healthy"],
      ["bad", "At risk"],
    ]);
    expect(score?.marks).toEqual([[DAY - 2, expect.stringMatching(/^Opened: .*acme/)]]);
    expect(users?.series.map(({ values }) => values.at(-1))).toEqual([0, 3]);
    expect(mrr?.series[0]?.values.slice(-3)).toEqual([100, 80, 80]);
    expect(feature?.series[0]?.values.slice(-3)).toEqual([null, null, 7]);
  });

  it.each([
    ["", DAY - 39],
    ["?range=365", DAY - 39],
    ["?range=2029-Q4", DAY - 39],
    ["?range=2030-Q1", Date.UTC(2030, 0, 1) / DAY_MS],
    ["?range=nonsense", DAY - 39],
  ])("start with the range %s of the address, or with the history", async (query, first) => {
    const { number, id } = await outcomes.account("acme");
    for (let back = 0; back < 40; back += 1) await outcomes.healthDay(number, DAY - back, 50, "watch");
    const { html } = await page(id + query);
    expect(dataOf(html)["Score"]?.first).toBe(first);
    expect(html).toMatch(new RegExp(`aria-current="true">${RANGE_TITLES[query] ?? "90 days"}<`));
  });

  it("show the feature of the address, and offer the others", async () => {
    const { number, id } = await outcomes.account("acme");
    for (const name of ["report.exported", "board.shared"]) {
      await outcomes.rollup(number, DAY, await outcomes.eventName(name));
    }
    await outcomes.healthDay(number, DAY - 1, 50, "watch");
    await outcomes.healthDay(number, DAY, 50, "watch");
    await outcomes.accountDay(number, DAY, 1);
    const { html } = await page(`${id}?feature=board.shared&range=30`);
    expect(html).toContain('<option value="board.shared" selected="">');
    expect(html).toContain('<option value="report.exported">');
    expect(html).toContain(`href="${path()}/${id}?range=365&amp;feature=board.shared"`);
  });
});

const changesOf = async (query: string) =>
  textOf(/<h2>What changed.*?<\/section>/s.exec((await page(query)).html)?.[0] ?? "");

describe("what changed since a day", () => {
  it("compares figures, people, features and items", async () => {
    const { number, id } = await outcomes.account("acme", {
      health: { score: 40, state: "watch" },
      attributes: { currency: "EUR" },
      timeline: [
        [DAY - 90, { mrr: 100, seats: 5 }],
        [DAY - 3, { mrr: 80 }],
      ],
    });
    const since = DAY - 40;
    await outcomes.healthDay(number, since - 1, 90, "healthy");
    await outcomes.healthDay(number, since + 1, 60, "watch");
    const users = [];
    for (const name of ["stays", "leaves", "comes"])
      users.push((await outcomes.user(name, number)).number & 0xffffffff);
    const [stays = 0, leaves = 0, comes = 0] = users;
    const events = [];
    for (const name of ["kept", "dropped", "started"]) events.push((await outcomes.eventName(name)) & 0xffffffff);
    const [kept, dropped, started] = events;
    await outcomes.accountDay(number, since, [stays, leaves]);
    await setFeatures(number, since, `{"${kept}":[1,[]],"${dropped}":[1,[]]}`);
    await outcomes.accountDay(number, DAY, [stays, comes]);
    await setFeatures(number, DAY, `{"${kept}":[4,[]],"${started}":[1,[]]}`);
    await outcomes.item({ account: number, kind: "gone_silent", openedDay: since + 1, resolvedDay: since + 2 });
    await outcomes.item({ account: number, kind: "contraction", openedDay: since });
    const date = dateBefore(40);
    const { html } = await page(`${id}?since=${date}`);
    const text = card(html, `What changed since ${momentDate(since * DAY_MS)}`);
    expect(text).toMatch(
      /Health Healthy → Watch Score 90 → 40 MRR €100 → €80 Seats 5 unchanged Active users 2 unchanged Events 2 unchanged Main features kept 1 → 4 People who came comes People who left leaves Features started started Features stopped dropped Items opened [^;]*acme[^;]* Items resolved [^;]*acme/,
    );
    expect(html).toContain(`value="${date}"`);
  });

  it("says where data begins, and how short the first period is", async () => {
    const { number, id } = await outcomes.account("acme");
    await outcomes.accountDay(number, DAY - 30, 1);
    await outcomes.accountDay(number, DAY, 1);
    const first = momentDate((DAY - 30) * DAY_MS);
    expect(await changesOf(`${id}?since=${dateBefore(31)}`)).toMatch(`There is no data before ${first}`);
    expect(await changesOf(`${id}?since=${dateBefore(31)}`)).not.toContain("Active users");
    expect(await changesOf(`${id}?since=${dateBefore(20)}`)).toContain(`There is no data before ${first}.`);
    expect(await changesOf(id)).not.toContain("Active users");
    const { id: empty } = await outcomes.account("empty");
    expect(await changesOf(empty)).toContain("There is no data yet");
  });

  it("begins with the range, or where a full period can be compared, and ends with the quarter", async () => {
    const { number, id } = await outcomes.account("acme", { timeline: [[DAY - 150, { mrr: 100 }]] });
    // 7 October 2029 to 7 January 2030.
    await outcomes.accountDay(number, DAY - 92, 1);
    await outcomes.accountDay(number, DAY - 20, [1, 2]);
    await outcomes.healthDay(number, DAY, 50, "watch");
    expect(await changesOf(`${id}?range=30`)).toContain(`since ${momentDate((DAY - 30) * DAY_MS)}`);
    const moved = await changesOf(`${id}?range=365`);
    expect(moved).toContain(`since ${momentDate((DAY - 92 + 27) * DAY_MS)}`);
    expect(moved).toContain(`There is no data before ${momentDate((DAY - 92) * DAY_MS)}.`);
    expect(await changesOf(`${id}?range=2029-Q4`)).toMatch(
      /since 3 Nov 2029, until 31 Dec 2029 .*Active users 0 → 2 Events 1 → 2/,
    );
    const { html } = await page(id);
    expect([...html.matchAll(/id="range-([^"]*)"/g)].map(([, name]) => name).join(" ")).toBe(
      "30 90 365 2030-Q1 2029-Q4",
    );
  });
});

describe("the newest events", () => {
  it("are the account's own, with links to the user and the feature", async () => {
    const { id } = await outcomes.account("acme");
    await workspace.post("/api/v1/cdp", [
      track({ event: "Board Shared", userId: "u1", properties: { accountId: "acme" } }),
      track({ event: "Other Used", userId: "u2", properties: { accountId: "globex" } }),
    ]);
    const { html } = await page(id);
    const text = card(html, "Newest events");
    expect(text).toContain("board.shared u1");
    expect(text).not.toContain("other");
    expect(html).toContain(`href="/console/w/${workspace.id}/features/board.shared"`);
    expect(html).toMatch(/href="[^"]*\/users\/usr_[0-9a-f]+"/);
  });
});

describe("the actions on items", () => {
  it("put an item aside and take it back, in the same view", async () => {
    const { number, id } = await outcomes.account("acme");
    const item = await outcomes.item({ account: number, kind: "gone_silent" });
    for (const [action, shown] of [
      ["dismiss", /Nothing to do for this account Dismissed and snoozed: 1 .* dismissed Reopen$/],
      ["dismiss/undo", /Snooze until Monday Dismiss$/],
      ["snooze", /Dismissed and snoozed: 1 .* snoozed until 14 Jan 2030 Reopen$/],
    ] as const) {
      const { status, location } = await admin.post(`${path()}/${id}/items/${item.id}/${action}?range=30`, {});
      expect([action, status, location]).toEqual([action, 303, `${path()}/${id}?range=30`]);
      expect(card((await page(id)).html, "To do")).toMatch(shown);
    }
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
    expect(summary((await page(id, reader)).html)).toMatch(/Owner Ann$/);
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
    "Attributes Plan pro Seats 1,200 MRR £99 Trial ends 1 Feb 2030 (24 days left) Last call 31 Dec 2030",
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
