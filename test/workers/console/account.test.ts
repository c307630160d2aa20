/** The page of one account: its health, charts and changes. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { ChartData } from "../../../src/console/assets/scripts/chart-data.ts";
import type { HealthReason } from "../../../src/core/health/model.ts";
import { momentDate } from "../../../src/core/health/texts.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { dateBefore, summary } from "./support/account-page.ts";
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

const RANGE_TITLES: Record<string, string> = {
  "?range=365": "365 days",
  "?range=2029-Q4": "Q4 2029",
  "?range=2030-Q1": "Q1 2030",
};

const setFeatures = (account: number, day: number, features: string) =>
  env.DB.prepare("UPDATE account_days SET features = ?3 WHERE account = ?1 AND day = ?2")
    .bind(account, day, features)
    .run();

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

const day = (before: number) => momentDate((DAY - before) * DAY_MS);

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

  it("compares the time since a day with as long a time before it, up to the first day of data", async () => {
    const { number, id } = await outcomes.account("acme");
    for (let before = 30; before >= 10; before -= 1) await outcomes.accountDay(number, DAY - before, [1, 2]);
    // Silent since.
    expect(await changesOf(`${id}?since=${dateBefore(10)}`)).toMatch(
      "Active users 2 → 0 Events 20 → 0 People who came none",
    );
    expect(await changesOf(`${id}?since=${dateBefore(10)}`)).toContain(
      `10 days up to ${day(10)}, compared with 10 days up to ${day(0)}.`,
    );
    const early = await changesOf(`${id}?since=${dateBefore(29)}`);
    expect(early).toContain(`2 days up to ${day(29)}, compared with 2 days up to ${day(0)}. There is no`);
    // The middle of 31 days.
    for (const query of ["", `?since=${dateBefore(31)}`]) {
      const moved = await changesOf(id + query);
      expect(moved).toContain(`15 days up to ${day(16)}, compared with 15 days up to ${day(0)}.`);
      expect(moved).toContain(`There is no data before ${day(30)}.`);
    }
    const late = await changesOf(`${id}?since=${dateBefore(0)}`);
    expect(late).toContain("No day has ended since then.");
    expect(late).not.toContain("Active users");
    expect(await changesOf((await outcomes.account("empty")).id)).toContain("There is no data yet");
  });

  it("refuses a day that has not ended", async () => {
    const { id } = await outcomes.account("acme");
    const { status, html } = await page(`${id}?since=${dateBefore(-1)}`);
    expect(status).toBe(400);
    expect(textOf(html)).toContain("“Since” must be a day before today.");
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
