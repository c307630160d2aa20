/** §15.5, §16: the values that lists show. */
import { beforeAll, describe, expect, it } from "vitest";

import { type CrmWorkspace, daysAgo, group, newCrmWorkspace } from "./crm-workspace.ts";

let workspace: CrmWorkspace;
const query = (asked: object) => workspace.query(asked);
const ask = (question: string) => workspace.ask(question);

describe("§15.5 lists", () => {
  beforeAll(async () => {
    workspace = await newCrmWorkspace([
      group("acme", 60, { mrr: 1_500, currency: "EUR", seats: 10, contractEndsOn: "2026-12-20" }),
      group("globex", 60, { mrr: 2_000, currency: "EUR", seats: 30, contractEndsOn: "2027-01-10" }),
      group("initech", 60, { mrr: 900, currency: "EUR", seats: 20, contractEndsOn: "2026-11-25", stage: "trial" }),
      group("umbrella", 60, { mrr: 5_000, currency: "EUR", seats: 5, contractEndsOn: "2026-10-20" }),
      { type: "track", userId: "a1", context: { groupId: "acme" }, event: "Seen", timestamp: daysAgo(2) },
    ]);
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
