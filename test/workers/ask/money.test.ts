/** §15.4, §16: whose money counts. Each wrong reading would give another figure. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
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

const seen = (userId: string, days: number) => ({ type: "track", userId, event: "Seen", timestamp: daysAgo(days) });
const join = (groupId: string, users: readonly string[]) =>
  users.map((userId) => ({ ...group(groupId, 60, {}), userId }));

async function send(batch: readonly object[]): Promise<void> {
  const { status, body } = await workspace.post("/api/v1/cdp", { batch });
  expect([status, body.rejected]).toEqual([200, []]);
}

const patch = async (change: object) => {
  const { status, body } = await admin("PATCH", `/workspaces/${workspace.id}`, change);
  expect([status, body.error]).toEqual([200, undefined]);
  return body["workspace"];
};
const linesOf = ({ answer }: Record<string, unknown>) => String(answer).split("\n- ");

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
      answer: expect.stringContaining("2 of 3 accounts with a known MRR that are not churned"),
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
    expect(await ask("our MRR including churned accounts")).toMatchObject({ value: 1_410 });
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

  it("§15.4 and the seat use leave churned accounts out", async () => {
    const use = { find: "accounts", measure: "seat_use" };
    expect((await query({ ...use, show: "value" }))["value"]).toBeCloseTo((100 * 21) / 37, 1);
    const { value } = await query({ ...use, show: "list" });
    expect(value).toHaveLength(5);
    expect(value).not.toContainEqual(expect.objectContaining({ externalId: "hooli" }));
    expect(
      await query({ find: "accounts", show: "count", where: [{ dimension: "seat_use", under: 50 }] }),
    ).toMatchObject({
      value: 2,
    });
  });

  const of = (is: string) => query({ ...unused, show: "value", where: [{ dimension: "account", is }] });

  it("§16 of one account are a number, and unknown if its seats are", async () => {
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

describe("§15.5 lists", () => {
  beforeEach(async () => {
    await send([
      group("acme", 60, { mrr: 1_500, currency: "EUR", seats: 10, contractEndsOn: "2026-12-20" }),
      group("globex", 60, { mrr: 2_000, currency: "EUR", seats: 30, contractEndsOn: "2027-01-10" }),
      group("initech", 60, { mrr: 900, currency: "EUR", seats: 20, contractEndsOn: "2026-11-25", stage: "trial" }),
      group("umbrella", 60, { mrr: 5_000, currency: "EUR", seats: 5, contractEndsOn: "2026-10-20" }),
      { type: "track", userId: "a1", context: { groupId: "acme" }, event: "Seen", timestamp: daysAgo(2) },
    ]);
    await foldAll(NOW);
  });

  it("§16 show the values that they are filtered and sorted by, in the rows and in the sentence", async () => {
    const where = [
      { dimension: "mrr", over: 1_000 },
      { dimension: "contract_ends", from: "2026-11-01" },
      { dimension: "events", under: 5, window: { last: 7, unit: "day" } },
    ];
    const order = { by: "seats", direction: "down" };
    const value = [
      { externalId: "globex", seats: 30, mrr: 2_000, currency: "EUR", contract_ends: "2027-01-10", events: 0 },
      { externalId: "acme", seats: 10, mrr: 1_500, currency: "EUR", contract_ends: "2026-12-20", events: 1 },
    ];
    expect(await query({ find: "accounts", where, show: "list", order })).toMatchObject({
      answer: expect.stringContaining(
        "- globex: 30 seats, MRR €2,000, contract end 10 Jan 2027, no events, health without enough data",
      ),
      value,
    });
    const kept = { dimension: "mrr", over: 1_000, asOf: "2026-11-01" };
    expect(await query({ find: "accounts", where: [kept], show: "list", measure: "mrr" })).toMatchObject({
      value: [{ mrr: 5_000 }, { mrr: 2_000 }, { mrr: 1_500 }],
    });
    const users = { find: "users", where: [{ dimension: "events", from: 1 }], show: "list" };
    expect(await query(users)).toMatchObject({ value: [{ externalId: "a1", events: 1 }] });
    expect(
      await query({ find: "features", where: [{ dimension: "active_accounts", under: 2 }], show: "list" }),
    ).toMatchObject({ value: [{ externalId: "seen", active_accounts: 1 }] });
  });

  it("§16 of ends are sorted by them, the nearest first, unless the query has an order", async () => {
    const within = { next: 90, unit: "day" };
    const renewals = { find: "accounts", where: [{ dimension: "contract_ends", within }], show: "list" };
    const byDate = [
      { externalId: "initech", contract_ends: "2026-11-25" },
      { externalId: "acme" },
      { externalId: "globex" },
    ];
    expect(await query(renewals)).toMatchObject({
      answer: expect.stringMatching(
        /earliest contract end first.*\n- initech: contract end 25 Nov 2026, MRR €900, health without enough data\n- acme/,
      ),
      value: byDate,
    });
    expect(await query({ ...renewals, measure: "seats" })).toMatchObject({ value: byDate });
    const order = { by: "seats", direction: "down" };
    expect(await query({ ...renewals, measure: "seats", order })).toMatchObject({
      value: [{ externalId: "globex" }, { externalId: "initech" }, { externalId: "acme" }],
    });
    const over = { ...renewals, where: [{ dimension: "contract_ends", to: "2026-12-31" }] };
    expect(await query(over)).toMatchObject({
      value: [{ externalId: "acme" }, { externalId: "initech" }, { externalId: "umbrella" }],
    });
  });

  it("§15.5 shows all three of a question's values, and renewals by date", async () => {
    expect(await ask("accounts with MRR over 1000 and fewer than 20 active users by seats")).toMatchObject({
      answer: expect.stringContaining(
        "- globex: 30 seats, MRR €2,000, no active users\n- acme: 10 seats, MRR €1,500, 1 active user",
      ),
      value: [{ seats: 30, mrr: 2_000, active_users: 0 }, { seats: 10 }, { seats: 5 }],
    });
    for (const question of ["Which contracts end in the next 90 days?", "renewals with MRR"])
      expect(await ask(question), question).toMatchObject({
        value: [
          { externalId: "initech", contract_ends: "2026-11-25" },
          { externalId: "acme" },
          { externalId: "globex" },
        ],
      });
    expect(await ask("renewals by MRR")).toMatchObject({
      value: [{ externalId: "globex" }, { externalId: "acme" }, { externalId: "initech" }],
    });
  });
});

describe("§15.5 rankings in several currencies", () => {
  /** Each euro account has a smaller amount than each dollar account, but is worth more at the rate of 2.5. */
  beforeEach(async () => {
    const accounts = Array.from({ length: 12 }, (_, place) => [
      group(`e${place}`, 60, { mrr: 500 + place, currency: "EUR" }),
      group(`d${place}`, 60, { mrr: 1_000 + place, currency: "USD" }),
    ]).flat();
    await send([
      ...accounts,
      group("yen", 60, { mrr: 90_000, currency: "JPY" }),
      group("none", 60, { mrr: 70_000 }),
      group("lost", 60, { mrr: 9_000, currency: "USD", stage: "churned" }),
    ]);
    await foldAll(NOW);
  });

  const top = { find: "accounts", show: "list", measure: "mrr", limit: 10 };
  it("§16 show the first of each currency in the sentence, if the workspace has no rates", async () => {
    const euros = Array.from({ length: 10 }, (_, place) => ({ externalId: `e${11 - place}`, currency: "EUR" }));
    const dollars = Array.from({ length: 10 }, (_, place) => ({ externalId: `d${11 - place}`, currency: "USD" }));
    const yen = { externalId: "yen", currency: "JPY" };
    const value = [...euros, yen, ...dollars, { externalId: "none", currency: null }];
    for (const answered of [await query(top), await ask("Top 10 by MRR")]) {
      expect(answered).toMatchObject({ value });
      const [head = "", ...lines] = linesOf(answered);
      expect(head).toContain("highest MRR first in each currency");
      expect(lines.slice(0, 12)).toEqual([
        "e11: €511",
        "e10: €510",
        "e9: €509",
        "e8: €508",
        "e7: €507",
        "yen: ¥90,000",
        "d11: $1,011",
        "d10: $1,010",
        "d9: $1,009",
        "d8: $1,008",
        "d7: $1,007",
        "none: 70,000 (no currency)",
      ]);
    }
  });

  it("§9 are one ranking at the workspace's rates, with amounts in their own currency", async () => {
    const changed = await patch({ rates: { EUR: 2.5 }, currency: "USD" });
    expect(changed).toMatchObject({ rates: { EUR: 2.5 }, currency: "USD" });
    const value = Array.from({ length: 10 }, (_, place) => ({ externalId: `e${11 - place}`, mrr: 511 - place }));
    for (const answered of [await query(top), await ask("Top 10 by MRR")]) {
      expect(answered).toMatchObject({ value });
      const [head = "", ...lines] = linesOf(answered);
      expect(head).toContain(
        "10 of 26 accounts with a known MRR that are not churned, highest MRR first at the workspace's exchange rates",
      );
      expect(lines[0]).toBe("e11: €511");
    }
    const all = await query({ ...top, limit: 100, order: { by: "arr", direction: "up" } });
    // Currencies without a rate come last, each in its own order.
    expect(
      z
        .array(z.object({ externalId: z.string() }))
        .parse(all["value"])
        .map(({ externalId }) => externalId),
    ).toEqual([
      ...Array.from({ length: 12 }, (_, place) => `d${place}`),
      ...Array.from({ length: 12 }, (_, place) => `e${place}`),
      "yen",
      "none",
    ]);
    expect(await query({ find: "accounts", show: "value", measure: "mrr" })).toMatchObject({
      value: [
        { currency: "JPY" },
        { currency: null },
        { currency: "USD", mrr: 12_066 },
        { currency: "EUR", mrr: 6_066 },
      ],
    });
    const many = Array.from({ length: 98 }, (_, place) => [
      String.fromCodePoint(65, 65 + Math.floor(place / 26), 65 + (place % 26)),
      1,
    ]);
    await patch({ rates: { ...Object.fromEntries(many), EUR: 0.5, JPY: 0.01 } });
    expect(await query({ ...top, limit: 2 })).toMatchObject({ value: [{ externalId: "d11" }, { externalId: "d10" }] });
    expect(await patch({ rates: null, currency: null })).toMatchObject({ rates: null, currency: null });
    expect(linesOf(await query(top))[0]).toContain("in each currency");
  });
});
