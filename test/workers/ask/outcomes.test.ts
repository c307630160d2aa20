/** §15.4: what outcomes mean, in queries and in questions. In each world, another meaning gives another figure. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const query = (body: unknown): Promise<Answer> => workspace.post("/api/v1/query", body, { headers: JSON_TYPE });
const ask = (question: string): Promise<Answer> => workspace.post("/api/v1/ask", { question }, { headers: JSON_TYPE });

/** A message that sets attributes of an account on a day of 2026. */
const set = (groupId: string, day: string, traits: Record<string, unknown>) => ({
  type: "group",
  groupId,
  timestamp: `2026-${day}T09:00:00Z`,
  traits,
});

/** Stages and MRR until today, 18 November 2026. Last month is October. */
const HISTORY = [
  // Converted from trial; the second one had events before anyone sent its stage.
  set("converter", "10-01", { stage: "trial" }),
  set("converter", "10-05", { stage: "active", mrr: 100, currency: "EUR" }),
  { type: "track", context: { groupId: "early" }, event: "Login", timestamp: "2026-09-01T09:00:00Z" },
  set("early", "09-25", { stage: "trial" }),
  set("early", "10-08", { stage: "active", mrr: 60, currency: "EUR" }),
  // Became a customer without a trial.
  set("direct", "10-10", { stage: "active", mrr: 40, currency: "EUR" }),
  // Was a customer before: not a new one, and no conversion.
  set("returned", "08-03", { stage: "active", mrr: 80, currency: "USD" }),
  set("returned", "09-10", { stage: "churned" }),
  set("returned", "10-12", { stage: "active" }),
  // Churned, after its MRR had fallen. The CRM cleared the MRR.
  set("leaver", "08-03", { stage: "active", mrr: 500, currency: "EUR" }),
  set("leaver", "10-10", { mrr: 450 }),
  set("leaver", "10-20", { stage: "churned", mrr: null }),
  // A trial that ended is no churned customer, and its MRR was never paid.
  set("window-shopper", "09-20", { stage: "trial", mrr: 70, currency: "EUR" }),
  set("window-shopper", "10-15", { stage: "churned" }),
  // Pays less; paid more only for a while; pays in another currency.
  set("smaller", "08-03", { stage: "active", mrr: 300, currency: "USD" }),
  set("smaller", "10-07", { mrr: 200 }),
  set("visitor", "08-03", { stage: "active", mrr: 100, currency: "USD" }),
  set("visitor", "10-05", { mrr: 150 }),
  set("visitor", "10-25", { mrr: 100 }),
  set("mover", "08-03", { stage: "active", mrr: 100, currency: "EUR" }),
  set("mover", "10-09", { mrr: 90, currency: "USD" }),
];

async function tellHistory(): Promise<void> {
  expect(await workspace.post("/api/v1/cdp", { batch: HISTORY })).toMatchObject({
    status: 200,
    body: { rejected: [] },
  });
}

const accounts = (rest: object) => ({ find: "accounts", window: { previous: "month" }, ...rest });
const change = (fields: object) => accounts({ where: [{ dimension: "stage", ...fields }], show: "list" });
const named = (...names: readonly string[]) => names.map((externalId) => expect.objectContaining({ externalId }));

describe.each([
  ["before the fold", false],
  ["after the fold", true],
])("§15.4 outcomes %s", (_, isFolded) => {
  beforeEach(async () => {
    await tellHistory();
    if (isFolded) await admin("POST", "/recompute");
  });

  it("§15.4 counts trials that converted, not every account that became active", async () => {
    const { body } = await query(change({ became: "active", after: "trial" }));
    expect(body["value"]).toEqual(named("converter", "early"));
    expect(body["answer"]).toContain("became customers after being on trial");
    expect((await ask("How many trials converted last month?")).body["value"]).toBe(2);
    expect((await query(change({ became: "active" }))).body["value"]).toHaveLength(4);
  });

  it("§15.4 counts new customers: those that never were customers before", async () => {
    const { body } = await query(change({ became: "active", first: true }));
    expect(body["value"]).toEqual(named("converter", "direct", "early"));
    expect((await ask("How many new customers did we get last month?")).body).toMatchObject({
      value: 3,
      answer: expect.stringContaining("became customers for the first time"),
    });
  });

  it("§15.4 counts customers that churned, and trials that were lost apart from them", async () => {
    expect((await query(change({ became: "churned", after: "active" }))).body["value"]).toEqual(named("leaver"));
    expect((await ask("How many customers churned last month?")).body).toMatchObject({
      value: 1,
      answer: expect.stringContaining("after being customers"),
    });
    expect((await ask("Who churned?")).body["value"]).toEqual(named("leaver", "returned"));
    expect((await ask("Which trials were lost last month?")).body["value"]).toEqual(named("window-shopper"));
    expect((await query(change({ became: "churned" }))).body["value"]).toHaveLength(2);
  });

  it("§15.4 adds up the MRR lost to churn and contraction per currency, and lists it by account", async () => {
    const lost = [
      { currency: "EUR", mrr_lost: 450 },
      { currency: "USD", mrr_lost: 100 },
    ];
    expect((await query(accounts({ show: "value", measure: "mrr_lost" }))).body["value"]).toEqual(lost);
    expect((await ask("How much MRR did we lose last month?")).body).toMatchObject({
      value: lost,
      answer: "The total MRR lost to churn and contraction last month (1 Oct to 31 Oct 2026) is €450 and $100.",
    });
    expect((await ask("Lost MRR by account last month")).body["value"]).toEqual([
      expect.objectContaining({ externalId: "leaver", mrr_lost: 450, currency: "EUR" }),
      expect.objectContaining({ externalId: "smaller", mrr_lost: 100, currency: "USD" }),
    ]);
    expect((await ask("MRR of customers that churned last month")).body["value"]).toBe(450);
    expect((await ask("How much revenue did we lose this month?")).body).toMatchObject({
      value: 0,
      answer: "No MRR was lost to churn and contraction this month (1 Nov to 18 Nov 2026, today so far).",
    });
  });
});

/** Stores the health of an account: its state on each day until today, the last one repeated. */
async function setHealth(name: string, states: Readonly<Record<string, string>>): Promise<void> {
  const { number } = await workspace.ref();
  const days = Object.entries(states).map(([date, state]) => [Date.parse(`2026-${date}`) / DAY_MS, state] as const);
  const owner = `(SELECT number FROM accounts WHERE workspace = ${number} AND external_id = '${name}')`;
  for (let day = TODAY - 30; day < TODAY; day += 1) {
    const state = days.findLast(([from]) => from <= day)?.[1] ?? "healthy";
    await env.DB.prepare(
      `INSERT OR REPLACE INTO health_days (account, day, state, score, coverage, losses) VALUES (${owner}, ?, ?, 50, 1, '{}')`,
    )
      .bind(day, state)
      .run();
    if (day === TODAY - 1)
      await env.DB.prepare(`INSERT OR REPLACE INTO health VALUES (${number}, ${owner}, ?, 50, '{}')`).bind(state).run();
  }
}

describe("§15.4 newly at risk", () => {
  beforeEach(async () => {
    const names = ["fallen", "recovered", "old", "relapsed"];
    await workspace.post("/api/v1/cdp", { batch: names.map((name) => set(name, "09-01", { stage: "active" })) });
    await admin("POST", "/recompute");
    await setHealth("fallen", { "11-12": "at_risk" });
    await setHealth("recovered", { "11-10": "at_risk", "11-14": "healthy" });
    await setHealth("old", { "10-20": "at_risk" });
    // At risk, healthy again, and at risk again: the state began this week.
    await setHealth("relapsed", { "11-11": "at_risk", "11-13": "healthy", "11-17": "at_risk" });
  });

  it("§15.4 is a state that began in the window and still holds", async () => {
    const atRisk = (window: object, condition = "newly") =>
      query({ find: "accounts", where: [{ dimension: "health", [condition]: "at_risk" }], show: "list", window });
    expect((await atRisk({ previous: "week" })).body["value"]).toEqual(named("fallen"));
    expect((await atRisk({ this: "week" })).body["value"]).toEqual(named("relapsed"));
    expect((await atRisk({ previous: "week" }, "became")).body["value"]).toHaveLength(3);
    expect((await ask("Which accounts became at risk last week?")).body["value"]).toEqual(named("fallen"));
    expect((await ask("How many accounts are newly at risk this month?")).body).toMatchObject({
      value: 2,
      answer: expect.stringContaining("2 accounts that are newly at risk"),
    });
  });
});
