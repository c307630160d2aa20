/** §15.4, §16: seats that nobody uses. */
import { beforeAll, describe, expect, it } from "vitest";

import { type CrmWorkspace, group, join, newCrmWorkspace, seen } from "./crm-workspace.ts";

let workspace: CrmWorkspace;
const query = (asked: object) => workspace.query(asked);
const ask = (question: string) => workspace.ask(question);

describe("§15.4 unused seats", () => {
  /** Acme uses 1 of 10, globex 3 of 2, initech 17 of 20, umbrella none; hooli churned; of stark no seats are known. */
  beforeAll(async () => {
    const users = Array.from({ length: 17 }, (_, place) => `i${place}`);
    workspace = await newCrmWorkspace([
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
