/** §15.4, §16: whose money counts. Each wrong reading would give another figure. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type CrmWorkspace, group, newCrmWorkspace } from "./crm-workspace.ts";

let workspace: CrmWorkspace;
const query = (asked: object) => workspace.query(asked);
const ask = (question: string) => workspace.ask(question);
const linesOf = ({ answer }: Record<string, unknown>) => String(answer).split("\n- ");

const mrr = { find: "accounts", show: "value", measure: "mrr" };

describe("§15.4 the money of churned accounts", () => {
  /** Hooli churned ten days ago, and the CRM still sends its MRR. */
  beforeAll(async () => {
    workspace = await newCrmWorkspace([
      group("acme", 60, { plan: "Pro", mrr: 400, currency: "EUR" }),
      group("globex", 60, { plan: "Team", mrr: 100, currency: "EUR" }),
      group("initech", 60, { plan: "Team", mrr: 10, currency: "EUR", stage: "trial" }),
      group("hooli", 60, { plan: "Team", mrr: 900, currency: "EUR" }),
      group("hooli", 10, { stage: "churned" }),
    ]);
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

describe("§15.5 rankings in several currencies", () => {
  /** Each euro account has a smaller amount than each dollar account, but is worth more at the rate of 2.5. */
  beforeAll(async () => {
    const accounts = Array.from({ length: 12 }, (_, place) => [
      group(`e${place}`, 60, { mrr: 500 + place, currency: "EUR" }),
      group(`d${place}`, 60, { mrr: 1_000 + place, currency: "USD" }),
    ]).flat();
    workspace = await newCrmWorkspace([
      ...accounts,
      group("yen", 60, { mrr: 90_000, currency: "JPY" }),
      group("none", 60, { mrr: 70_000 }),
      group("lost", 60, { mrr: 9_000, currency: "USD", stage: "churned" }),
    ]);
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
    const changed = await workspace.patch({ rates: { EUR: 2.5 }, currency: "USD" });
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
    await workspace.patch({ rates: { ...Object.fromEntries(many), EUR: 0.5, JPY: 0.01 } });
    expect(await query({ ...top, limit: 2 })).toMatchObject({ value: [{ externalId: "d11" }, { externalId: "d10" }] });
    expect(await workspace.patch({ rates: null, currency: null })).toMatchObject({ rates: null, currency: null });
    expect(linesOf(await query(top))[0]).toContain("in each currency");
  });
});
