import { describe, expect, it } from "vitest";

import { refuseWithoutHistory } from "../../../../src/core/ask/query/compared-windows.ts";
import { querySchema } from "../../../../src/core/ask/query/model.ts";
import type { QueryResult } from "../../../../src/core/ask/query/result.ts";
import { writeAnswer } from "../../../../src/core/ask/query/write-answer.ts";
import {
  account,
  acme,
  answerOf,
  beta,
  type Given,
  isAcme,
  readAnswers,
  result,
  telling,
  today,
  window,
} from "./answers.ts";

const compare = { to: "before" } as const;

/** An account at risk. */
const health = {
  day: today - 1,
  state: "at_risk" as const,
  band: "at_risk" as const,
  score: 35.25,
  uncapped: 40,
  coverage: 1,
  confidence: "high" as const,
  losses: [],
  modelVersion: 1,
  trend: null,
  stage: "active" as const,
  stageKnown: true,
  reasons: [{ kind: "loss" as const, code: "breadth" as const, points: 12, observed: 3, expected: 9, window }],
  changes: [],
  missing: [],
};

describe("§15.5 §16 answers", () => {
  it("rank amounts in several currencies at the workspace's rates", () => {
    const top = querySchema.parse({ find: "accounts", show: "list", measure: "mrr", limit: 1 });
    const rates = { EUR: 1.08, USD: 1 };
    const rows = [
      { entity: acme, value: 100, currency: "EUR" },
      { entity: beta, value: 90, currency: "USD" },
    ];
    const lines = "\n- Acme: €100\n- beta (churned): $90";
    const head = "accounts with a known MRR that are not churned, highest MRR first";
    expect(answerOf(writeAnswer(top, result(rows), telling))).toBe(`2 of 2 ${head} in each currency:${lines}`);
    const atRates = { ...telling, rates };
    expect(answerOf(writeAnswer(top, result(rows), atRates))).toBe(
      `2 of 2 ${head} at the workspace's exchange rates:${lines}`,
    );
    // The others may be in another currency.
    const first = result(rows.slice(0, 1), { total: 9 });
    expect(answerOf(writeAnswer(top, first, atRates))).toMatch(/^1 of 9 .* first at the workspace's exchange rates:/);
    expect(answerOf(writeAnswer(top, result(rows.slice(0, 1)), atRates))).toBe(
      "1 account that is not churned:\n- Acme: €100",
    );
  });

  it("give the figures that a filter bounds the filter's window in the evidence", () => {
    const week = { last: 7, unit: "day" };
    const where = [{ dimension: "events", over: 5, window: week }];
    const asked = querySchema.parse({ find: "accounts", show: "list", measure: "active_users", where });
    const told = writeAnswer(asked, result([{ entity: acme, value: 3, with: { events: 9 } }]), telling);
    expect(answerOf(told)).toContain("- Acme: 3 active users, 9 events");
    expect(told).toMatchObject({
      evidence: expect.arrayContaining([
        expect.objectContaining({ measure: "active_users", value: 3, window }),
        expect.objectContaining({ measure: "events", value: 9, window: { from: today - 6, to: today } }),
      ]),
    });
  });

  it.each(readAnswers())("$answer", ({ query, found, answer }) => {
    expect(answerOf(writeAnswer(querySchema.parse(query), found, telling))).toBe(answer);
  });

  it.each<readonly [Given, QueryResult, string]>([
    [
      { find: "accounts", show: "value", measure: "plan", where: [isAcme] },
      result([{ entity: acme, value: null }]),
      "unmeasured_attribute: The plan of Acme isn't recorded.",
    ],
    [
      { find: "accounts", show: "value", measure: "score", where: [isAcme] },
      result([]),
      "insufficient_history: Acme has no health score yet.",
    ],
    [
      { find: "accounts", show: "why", where: [isAcme] },
      result([{ entity: acme, health: null }]),
      "insufficient_history: Acme has no health score yet.",
    ],
  ])("refuses %j", (given, found, text) => {
    expect(answerOf(writeAnswer(querySchema.parse(given), found, telling))).toBe(text);
  });

  it("says where records begin, and compares nothing with days before", () => {
    const since = { ...telling, firstDay: today - 6 };
    const asked = querySchema.parse({ find: "events", show: "value" });
    expect(answerOf(writeAnswer(asked, result([{ value: 7 }]), since))).toContain(
      "in the last 28 days (17 Nov to 23 Nov 2026, since records began, today so far)",
    );
    const weekly = querySchema.parse({ find: "events", show: "value", per: "week" });
    const weeks = ["2026-11-09", "2026-11-16", "2026-11-23"].map((group) => ({
      group,
      value: group < "2026-11-16" ? 0 : 7,
    }));
    expect(answerOf(writeAnswer(weekly, result(weeks), since))).toContain(
      "9 Nov 2026 (no data): no events\n- the week from 16 Nov 2026 (from 17 Nov 2026): 7 events\n- the week from 23 Nov 2026 (so far): 7 events",
    );
    const kept = { ...since, historyFrom: today - 10 };
    expect(answerOf(writeAnswer(asked, result([{ value: 7 }]), kept))).toContain(
      "in the last 28 days (17 Nov to 23 Nov 2026, as far back as counts are kept, today so far)",
    );
    expect(refuseWithoutHistory({ ...asked, compare }, today, today - 6)).toMatchObject({
      refusal: { reason: "insufficient_history" },
    });
    expect(refuseWithoutHistory({ ...asked, compare, window: { this: "day" } }, today, null)).toMatchObject({
      refusal: { reason: "insufficient_history" },
    });
    expect(refuseWithoutHistory({ ...asked, compare }, today, today - 56)).toBeNull();
    const seats = querySchema.parse({ find: "accounts", show: "value", measure: "seats", compare });
    expect(refuseWithoutHistory(seats, today, today - 6)).toBeNull();
  });

  it("explains health by the texts of its reasons", () => {
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "why", where: [isAcme] }),
      result([{ entity: acme, health }]),
      telling,
    );
    expect(answerOf(told)).toBe(
      "Acme is at risk with a health score of 35.25.\n- 3 active users from 27 Oct 2026 to 23 Nov 2026 (9 expected): −12 points.",
    );
  });

  it("says that an account isn't in the state that a question supposes", () => {
    const told = ["healthy", "at_risk"].map((is) =>
      answerOf(
        writeAnswer(
          querySchema.parse({ find: "accounts", show: "why", where: [isAcme, { dimension: "health", is }] }),
          result([{ entity: acme, health }]),
          telling,
        ),
      ),
    );
    expect(told).toEqual([
      expect.stringMatching(/^Acme is not healthy: it is at risk with a health score of 35\.25\.\n- 3 active/),
      expect.stringMatching(/^Acme is at risk with a health score of 35\.25\.\n- /),
    ]);
  });

  it("lists at most ten rows in the text, and all rows in the value", () => {
    const rows = Array.from({ length: 25 }, (_, place) => ({ entity: account(`a${place}`, null) }));
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "list" }),
      result(rows, { window: null }),
      telling,
    );
    expect(answerOf(told)).toContain("\n- a9\n- and 15 more");
    expect("value" in told && told.value).toHaveLength(25);
  });

  it("names the accounts of users, and both sides of a comparison", () => {
    const users = querySchema.parse({ find: "users", show: "list", measure: "account" });
    expect(answerOf(writeAnswer(users, result([{ entity: beta, account: acme, value: "acme" }]), telling))).toContain(
      "Acme",
    );
    const compared = querySchema.parse({
      find: "accounts",
      show: "value",
      measure: "events",
      where: [isAcme],
      compare: { to: { account: "beta" } },
    });
    expect(answerOf(writeAnswer(compared, result([{ value: 3, before: 2 }]), telling))).toMatch(/3 events.*2 .*beta/);
  });

  it("explains each of several accounts on its own line, including one without a health score", () => {
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "why" }),
      result([
        { entity: acme, health },
        { entity: beta, health: null },
      ]),
      telling,
    );
    expect(answerOf(told)).toMatch(
      /^The health of 2 accounts:\n- Acme is at risk with a health score of 35\.25\. .*\n- beta \(churned\) has no health score yet\.$/,
    );
  });

  it("says what an item is about", () => {
    const about = { id: "itm_2", kind: "feature_dropped", severity: "low", status: "open", opened: 20_400 } as const;
    const items = querySchema.parse({ find: "items", show: "list" });
    const told = writeAnswer(items, result([{ entity: acme, item: { ...about, about: "report.exported" } }]), telling);
    expect(answerOf(told)).toContain("report.exported");
  });

  it("lists items with their account, severity and day", () => {
    const item = {
      id: "itm_1",
      kind: "usage_drop",
      severity: "high",
      status: "open",
      opened: 20_400,
      about: null,
    } as const;
    const told = writeAnswer(
      querySchema.parse({ find: "items", show: "list" }),
      result([
        { entity: acme, item },
        { entity: null, item: { ...item, kind: "tracking_stopped", status: "snoozed" } },
      ]),
      telling,
    );
    expect(answerOf(told)).toContain("Acme");
    expect("value" in told && told.value).toHaveLength(2);
  });
});
