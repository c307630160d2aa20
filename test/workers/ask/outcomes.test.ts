/** §15.4: what outcomes mean, in queries and in questions. In each world, another meaning gives another figure. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import type { HealthState } from "../../../src/core/health/model.ts";
import { outcomesOf } from "../support/outcomes.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

let workspace: TestWorkspace;
/** The time stays `NOW` for the file's tests. */
async function beginWorkspace(): Promise<void> {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
}

const query = (body: unknown): Promise<Answer> => workspace.postJson("/api/v1/query", body);
const ask = (question: string): Promise<Answer> => workspace.postJson("/api/v1/ask", { question });

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
  beforeAll(async () => {
    await beginWorkspace();
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
      answer: expect.stringContaining("after being a customer"),
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

/** Stores the health of an account: its state on each of the last 30 days, as of the days from which states hold. */
async function setHealth(
  name: string,
  states: Readonly<Record<string, readonly [HealthState, number]>>,
): Promise<void> {
  const outcomes = await outcomesOf(workspace);
  const { number: workspaceNumber } = await workspace.ref();
  const number = await env.DB.prepare("SELECT number FROM accounts WHERE workspace = ? AND external_id = ?")
    .bind(workspaceNumber, name)
    .first<number>("number");
  if (number === null) throw new Error(`There is no account ${name}.`);
  const changes = Object.entries(states).map(([date, state]) => [Date.parse(`2026-${date}`) / DAY_MS, state] as const);
  let [state, score]: readonly [HealthState, number] = ["healthy", 90];
  const days: { day: number; state: HealthState; score: number }[] = [];
  for (let day = TODAY - 30; day < TODAY; day += 1) {
    [state, score] = changes.find(([from]) => from === day)?.[1] ?? [state, score];
    days.push({ day, state, score });
  }
  await outcomes.setHealthDays(number, days);
  await outcomes.setHealth(number, { state, score });
}

const accountsAtRisk = (window: object, condition = "newly") =>
  query({ find: "accounts", where: [{ dimension: "health", [condition]: "at_risk" }], show: "list", window });

describe("§15.4 newly at risk", () => {
  beforeAll(async () => {
    await beginWorkspace();
    const names = ["fallen", "recovered", "old", "relapsed"];
    await workspace.post("/api/v1/cdp", { batch: names.map((name) => set(name, "09-01", { stage: "active" })) });
    await admin("POST", "/recompute");
    const [atRisk, healthy] = [["at_risk", 30] as const, ["healthy", 90] as const];
    await setHealth("fallen", { "11-12": atRisk });
    await setHealth("recovered", { "11-10": atRisk, "11-14": healthy });
    await setHealth("old", { "10-21": atRisk });
    // At risk, healthy again, and at risk again: the state began this week.
    await setHealth("relapsed", { "11-11": atRisk, "11-13": healthy, "11-17": atRisk });
  });

  it("§15.4 is a state that began in the window and still holds", async () => {
    expect((await accountsAtRisk({ previous: "week" })).body["value"]).toEqual([{ externalId: "fallen", score: 30 }]);
    expect((await accountsAtRisk({ this: "week" })).body["value"]).toEqual([{ externalId: "relapsed", score: 30 }]);
    expect((await accountsAtRisk({ previous: "week" }, "became")).body["value"]).toHaveLength(3);
    expect((await ask("Which accounts became at risk last week?")).body).toMatchObject({
      answer: expect.stringMatching(/\n- fallen: health score 30$/),
      value: [{ externalId: "fallen", score: 30 }],
    });
    expect((await ask("How many accounts are newly at risk this month?")).body).toMatchObject({
      value: 2,
      answer: "2 of 4 accounts are newly at risk this month.",
    });
    expect((await ask("Who is at risk?")).body["value"]).toHaveLength(3);
    expect((await ask("Who is at risk?")).body["answer"]).toMatch(/\n- old: health score 30\n/);
  });
});

describe("§15.4 recovered", () => {
  beforeEach(beginWorkspace);

  it("§15.4 needs an earlier state that wasn't healthy", async () => {
    const names = ["upturn", "beginner", "wellspring"];
    await workspace.post("/api/v1/cdp", { batch: names.map((name) => set(name, "09-01", { stage: "active" })) });
    await admin("POST", "/recompute");
    const healthy = ["healthy", 90] as const;
    await setHealth("upturn", { "10-20": ["at_risk", 30], "11-04": ["watch", 60], "11-11": healthy });
    await setHealth("beginner", { "10-19": ["insufficient_data", 0], "11-12": healthy });
    await setHealth("wellspring", {});
    expect((await ask("Which accounts recovered this month?")).body["value"]).toEqual(named("upturn"));
    expect((await ask("Who got back to healthy this month?")).body["value"]).toEqual(named("upturn"));
  });

  it("§16 counts a past day's accounts out of those that existed then", async () => {
    const newer = set("basalt", "11-16", { stage: "active" });
    await workspace.post("/api/v1/cdp", {
      batch: [set("granite", "09-01", { stage: "active" }), set("marble", "09-02", { stage: "trial" }), newer],
    });
    await admin("POST", "/recompute");
    expect((await ask("How many customers did we have on 1 October?")).body["answer"]).toContain("1 of 2 accounts");
    expect((await ask("How many customers do we have?")).body["answer"]).toContain("2 customers, out of 3 accounts");
  });
});

describe("§15.4 how a score developed", () => {
  beforeEach(beginWorkspace);

  it("§15.4 shows the score and the state then and now, whatever they were in between", async () => {
    await workspace.post("/api/v1/cdp", { batch: [set("acme", "09-01", { stage: "active" })] });
    await admin("POST", "/recompute");
    await setHealth("acme", { "10-24": ["at_risk", 20], "11-08": ["watch", 60] });
    const score = { find: "accounts", where: [{ dimension: "account", is: "acme" }], show: "value", measure: "score" };
    const answer =
      "The health score of the account acme on 17 Nov 2026 is 60 (on watch), 20 (at risk) on 3 Nov 2026: up 40 points.";
    const window = { last: 14, unit: "day" };
    expect((await query({ ...score, window, compare: { to: "before" } })).body).toMatchObject({ value: 60, answer });
    expect((await ask("How did acme's health change over the last 14 days?")).body).toMatchObject({
      value: 60,
      answer,
    });
    expect((await ask("How has acme's score developed since 20 October?")).body["answer"]).toBe(
      "The health score of the account acme on 17 Nov 2026 is 60 (on watch), 90 (healthy) on 20 Oct 2026: down 30 points.",
    );
  });

  it("§15.4 compares with the first score if the time began before it, and says its date", async () => {
    await workspace.post("/api/v1/cdp", { batch: [set("acme", "09-01", { stage: "active" })] });
    await admin("POST", "/recompute");
    await setHealth("acme", { "11-08": ["watch", 60] });
    for (const question of ["How did acme's health change over 3 months?", "acme's score over the last 3 months"])
      expect((await ask(question)).body, question).toMatchObject({
        value: 60,
        answer:
          "The health score of the account acme on 17 Nov 2026 is 60 (on watch), 90 on 19 Oct 2026, the first score: down 30 points.",
      });
    expect((await ask("How did acme's health change in October?")).body["answer"]).toBe(
      "The health score of the account acme on 31 Oct 2026 is 90 (healthy), 90 on 19 Oct 2026, the first score: no change.",
    );
    expect((await ask("How did acme's health change in September?")).body).toMatchObject({ knows: false });
  });
});
