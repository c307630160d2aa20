/** §15.4, §16: whose money counts. Each wrong reading would give another figure. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { foldAll } from "./told-workspace.ts";

const DAY_MS = 86_400_000;
/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 18, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const JSON_TYPE = { headers: { "Content-Type": "application/json" } };

async function bodyOf(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: answered } = await workspace.post(path, body, JSON_TYPE);
  expect([status, answered.error]).toEqual([200, undefined]);
  return answered;
}
const query = (asked: object) => bodyOf("/api/v1/query", asked);
const ask = (question: string) => bodyOf("/api/v1/ask", { question });

const group = (groupId: string, days: number, traits: Record<string, unknown>) => ({
  type: "group",
  groupId,
  timestamp: daysAgo(days),
  traits,
});

async function send(batch: readonly object[]): Promise<void> {
  const { status, body } = await workspace.post("/api/v1/cdp", { batch });
  expect([status, body.rejected]).toEqual([200, []]);
}

const mrr = { find: "accounts", show: "value", measure: "mrr" };

describe("§15.4 the money of churned accounts", () => {
  /** Hooli churned ten days ago, and the CRM still sends its MRR. */
  beforeEach(async () => {
    await send([
      group("acme", 60, { plan: "Pro", mrr: 400, currency: "EUR" }),
      group("globex", 60, { plan: "Team", mrr: 100, currency: "EUR" }),
      group("initech", 60, { plan: "Team", mrr: 10, currency: "EUR", stage: "trial" }),
      group("hooli", 60, { plan: "Team", mrr: 900, currency: "EUR" }),
      group("hooli", 10, { stage: "churned" }),
    ]);
    await foldAll(NOW);
  });

  it("§16 leaves churned accounts out of totals, averages, medians, groups, rankings and shares", async () => {
    expect(await query(mrr)).toMatchObject({
      answer: "The total MRR of accounts that are not churned is €510.",
      value: 510,
    });
    expect(await query({ ...mrr, measure: "arr" })).toMatchObject({ value: 6_120 });
    expect(await query({ ...mrr, aggregate: "average" })).toMatchObject({ value: 170 });
    expect(await query({ ...mrr, aggregate: "median" })).toMatchObject({ value: 100 });
    expect(await query({ ...mrr, per: "plan" })).toMatchObject({
      value: [
        { plan: "Pro", mrr: 400 },
        { plan: "Team", mrr: 110 },
      ],
    });
    const ranked = { find: "accounts", show: "list", limit: 2 };
    const first = [{ externalId: "acme" }, { externalId: "globex" }];
    expect(await query({ ...ranked, measure: "mrr" })).toMatchObject({
      answer: expect.stringContaining("2 of 3 accounts that are not churned"),
      value: first,
    });
    expect(await query({ ...ranked, order: { by: "arr", direction: "down" } })).toMatchObject({ value: first });
    const over = { dimension: "mrr", over: 50 };
    expect(await query({ find: "accounts", show: "share", where: [over] })).toMatchObject({
      answer: expect.stringMatching(/of the 3 accounts that are not churned/),
      value: expect.closeTo(66.67, 1),
    });
    expect(await query({ find: "accounts", show: "count", where: [over] })).toMatchObject({ value: 2 });
  });

  it("§16 includes them if the query names the stage or an account", async () => {
    const churned = { dimension: "stage", is: "churned" };
    expect(await query({ ...mrr, where: [churned] })).toMatchObject({ value: 900 });
    expect(await query({ ...mrr, where: [{ dimension: "account", is: "hooli" }] })).toMatchObject({ value: 900 });
    const either = { dimension: "stage", in: ["active", "churned"] };
    expect(await query({ ...mrr, where: [either] })).toMatchObject({ value: 1_400 });
    expect(await query({ ...mrr, per: "stage" })).toMatchObject({
      value: [
        { stage: "churned", mrr: 900 },
        { stage: "active", mrr: 500 },
        { stage: "trial", mrr: 10 },
      ],
    });
    expect(await query({ find: "accounts", show: "count" })).toMatchObject({ value: 4 });
  });

  it("§16 counts who had not churned at the end of a past window, and of both sides of a comparison", async () => {
    const past = { from: "2026-10-01", to: "2026-10-31" };
    expect(await query({ ...mrr, window: past })).toMatchObject({ value: 1_410 });
    expect(await query({ ...mrr, window: { this: "day" }, compare: { to: past } })).toMatchObject({
      answer: expect.stringMatching(/accounts that are not churned.* is €510, €1,410/),
    });
  });

  it("§15.4 answers questions about MRR without churned accounts, and says so", async () => {
    for (const question of ["What is our MRR?", "total revenue", "How much MRR do we have?"])
      expect(await ask(question), question).toMatchObject({
        answer: "The total MRR of accounts that are not churned is €510.",
        value: 510,
      });
    expect(await ask("Top 2 accounts by MRR")).toMatchObject({
      value: [{ externalId: "acme" }, { externalId: "globex" }],
    });
    expect(await ask("MRR by plan")).toMatchObject({ value: [{ mrr: 400 }, { mrr: 110 }] });
    expect(await ask("What was our MRR on 31 October?")).toMatchObject({ value: 1_410 });
    expect(await ask("What is the MRR of churned accounts?")).toMatchObject({ value: 900 });
    expect(await ask("What is the MRR of hooli?")).toMatchObject({ value: 900 });
  });

  it("§15.4 answers the average MRR per account with one number", async () => {
    const questions = [
      "What is our average MRR per account?",
      "average MRR per account",
      "ARPA",
      "average revenue per account",
    ];
    for (const question of questions)
      expect(await ask(question), question).toMatchObject({
        answer: "The average MRR of accounts that are not churned is €170.",
        value: 170,
        query: { show: "value", measure: "mrr", aggregate: "average" },
      });
    expect(await ask("median MRR per account")).toMatchObject({ value: 100 });
    expect(await ask("MRR per account")).toMatchObject({ value: [{ mrr: 400 }, { mrr: 100 }, { mrr: 10 }] });
  });
});

describe("§15.4 unused seats", () => {
  const seen = (userId: string, days: number) => ({ type: "track", userId, event: "Seen", timestamp: daysAgo(days) });
  const join = (groupId: string, users: readonly string[]) =>
    users.map((userId) => ({ ...group(groupId, 60, {}), userId }));

  /** Acme uses 1 of 10, globex 3 of 2, initech 17 of 20, umbrella none; hooli churned; of stark no seats are known. */
  beforeEach(async () => {
    const users = Array.from({ length: 17 }, (_, place) => `i${place}`);
    await send([
      group("acme", 60, { seats: 10, plan: "Pro" }),
      group("globex", 60, { seats: 2, plan: "Pro" }),
      group("initech", 60, { seats: 20, plan: "Team" }),
      group("umbrella", 60, { seats: 5, plan: "Team" }),
      group("hooli", 60, { seats: 50, stage: "churned" }),
      group("stark", 60, { plan: "Pro" }),
      ...join("acme", ["a1", "a2"]),
      ...join("globex", ["g1", "g2", "g3"]),
      ...join("initech", users),
      ...["a1", "g1", "g2", "g3", ...users].map((user) => seen(user, 3)),
      // More than 28 days ago.
      seen("a2", 40),
    ]);
    await foldAll(NOW);
  });

  const unused = { find: "accounts", measure: "unused_seats" };

  it("§16 are the seats without a user active in 28 days: never below 0, by account, in total and by group", async () => {
    expect(await query({ ...unused, show: "list" })).toMatchObject({
      answer: expect.stringContaining("- acme: 9 unused seats\n- umbrella: 5 unused seats\n- initech: 3 unused seats"),
      value: [
        { externalId: "acme", unused_seats: 9 },
        { externalId: "umbrella", unused_seats: 5 },
        { externalId: "initech", unused_seats: 3 },
        { externalId: "globex", unused_seats: 0 },
        { externalId: "stark", unused_seats: null },
      ],
    });
    expect(await query({ ...unused, show: "value" })).toMatchObject({
      answer: expect.stringMatching(/^The total number of unused seats of accounts that are not churned .* is 17\.$/),
      value: 17,
    });
    expect(await query({ ...unused, show: "value", aggregate: "average" })).toMatchObject({ value: 4.25 });
    expect(await query({ ...unused, show: "value", per: "plan" })).toMatchObject({
      value: [
        { plan: "Pro", unused_seats: 9 },
        { plan: "Team", unused_seats: 8 },
      ],
    });
    const window = { last: 50, unit: "day" };
    expect(await query({ ...unused, show: "value", window })).toMatchObject({ value: 16 });
    const bound = { find: "accounts", show: "count", where: [{ dimension: "unused_seats", over: 3 }] };
    expect(await query(bound)).toMatchObject({ value: 2 });
    const up = { find: "accounts", show: "list", order: { by: "unused_seats", direction: "up" }, limit: 1 };
    expect(await query(up)).toMatchObject({ value: [{ externalId: "globex" }] });
  });

  it("§16 of one account are a number, and unknown if its seats are", async () => {
    const of = (is: string) => query({ ...unused, show: "value", where: [{ dimension: "account", is }] });
    expect(await of("acme")).toMatchObject({
      answer: expect.stringMatching(/^The account acme had 9 unused seats in the last 28 days/),
      value: 9,
    });
    expect(await of("hooli")).toMatchObject({ value: 50 });
    expect(await of("stark")).toMatchObject({ knows: false, reason: "unmeasured_attribute" });
  });

  it("§15.4 answers questions about unused seats and the seat limit", async () => {
    expect(await ask("How many seats are unused?")).toMatchObject({ value: 17 });
    expect(await ask("unused seats of acme")).toMatchObject({ value: 9 });
    expect(await ask("Which 2 accounts have the most unused seats?")).toMatchObject({
      value: [{ externalId: "acme", unused_seats: 9 }, { externalId: "umbrella" }],
    });
    expect(await ask("How many accounts have unused seats?")).toMatchObject({ value: 3 });
    // 85 % of initech's seats are used, and 150 % of globex'. There is no inbox item.
    for (const question of [
      "Who is close to their seat limit?",
      "accounts near the seat limit",
      "Who is running out of seats?",
    ])
      expect(await ask(question), question).toMatchObject({
        answer: expect.stringContaining("seat use of at least 85%"),
        value: [{ externalId: "globex" }, { externalId: "initech" }],
      });
  });
});
