/** Section 13.1: the list of accounts. Cursors with made-up positions are tested in security/forged-cursors. */
import { describe, expect, it } from "vitest";

import { type AccountFields, DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import type { Answer } from "../support/send.ts";
import { allPages, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Listed = Record<string, unknown> & { externalId: string };

const iso = (ms: number) => new Date(ms).toISOString();

async function seeded(): Promise<{ workspace: TestWorkspace; outcomes: Outcomes }> {
  const workspace = await newWorkspace();
  return { workspace, outcomes: await outcomesOf(workspace) };
}

const listed = ({ body, text }: Answer): Listed[] => {
  if (!Array.isArray(body.accounts)) throw new Error(`no accounts were listed: ${text}`);
  return body.accounts;
};
const names = (answer: Answer) => listed(answer).map(({ externalId }) => externalId);

describe("§13.1 an account in the list", () => {
  it("§13.1 has ids, kind, attributes, health, and the times of its first and last event", async () => {
    const { workspace, outcomes } = await seeded();
    await setRuns({ asOf: NOW });
    const { id } = await outcomes.account("acme", {
      attributes: { mrr: 99.5, stage: "trial", trialEndsAt: "2030-02-01T00:00:00.000Z", seats: 0, plan: null },
      firstAt: NOW - 40 * DAY_MS,
      lastEventAt: NOW - 1,
      health: { score: 81.25, state: "healthy", confidence: "medium", trend: -2.5 },
    });
    expect((await workspace.get("/api/v1/accounts")).body).toEqual({
      ok: true,
      asOf: iso(NOW),
      accounts: [
        {
          id,
          externalId: "acme",
          kind: "company",
          owner: null,
          attributes: { mrr: 99.5, stage: "trial", trialEndsAt: "2030-02-01T00:00:00.000Z", seats: 0 },
          health: {
            score: 81.25,
            state: "healthy",
            confidence: "medium",
            provisional: false,
            trend: -2.5,
            asOf: "2030-01-07",
            modelVersion: 1,
          },
          firstSeenAt: iso(NOW - 40 * DAY_MS),
          lastSeenAt: iso(NOW - 1),
        },
      ],
      nextCursor: null,
    });
  });

  it("§13.1 has no health before it is scored, and was first seen when its first message arrived", async () => {
    const { workspace, outcomes } = await seeded();
    await outcomes.account("acme", { firstAt: null, health: null });
    expect(listed(await workspace.get("/api/v1/accounts"))).toMatchObject([
      { attributes: {}, health: null, firstSeenAt: iso(NOW - 50 * DAY_MS), lastSeenAt: null },
    ]);
  });

  it("§13.1 is there before the first recompute", async () => {
    const { workspace } = await seeded();
    await workspace.post("/api/v1/cdp", { type: "group", groupId: "acme", userId: "u1", traits: { plan: "pro" } });
    await workspace.post("/api/v1/cdp", { type: "track", userId: "u2", event: "x" });
    expect(listed(await workspace.get("/api/v1/accounts"))).toMatchObject([
      { externalId: "acme", kind: "company", attributes: { plan: "pro" }, health: null },
      { externalId: "u2", kind: "solo", attributes: {}, health: null },
    ]);
  });

  it("§13.1 comes with the asOf of the last finished recompute", async () => {
    const { workspace } = await seeded();
    const asOf = async () => (await workspace.get("/api/v1/accounts")).body.asOf;
    await setRuns();
    expect(await asOf()).toBeNull();
    await setRuns({ asOf: NOW - 2 }, { asOf: NOW - 1, fault: "lost" }, { asOf: NOW, finished: false });
    expect(await asOf()).toBe(iso(NOW - 1));
  });
});

describe("§13.1 the list of accounts", () => {
  it("§13.1 omits a personal account whose user has another account", async () => {
    const { workspace, outcomes } = await seeded();
    const acme = await outcomes.account("acme");
    await outcomes.soloAccount("left", {}, acme.number);
    await outcomes.soloAccount("stayed");
    expect(names(await workspace.get("/api/v1/accounts"))).toEqual(["acme", "stayed"]);
  });

  it("§13.1 keeps a company that has the name of such a user", async () => {
    const { workspace, outcomes } = await seeded();
    const acme = await outcomes.account("acme");
    await outcomes.account("7");
    await outcomes.user("7", acme.number);
    expect(names(await workspace.get("/api/v1/accounts"))).toEqual(["acme", "7"]);
  });

  it("§13.1 filters by state, and omits accounts without a score then", async () => {
    const { workspace, outcomes } = await seeded();
    const states = ["healthy", "watch", "at_risk", "insufficient_data", "churned", "stale"] as const;
    for (const state of states) await outcomes.account(`is ${state}`, { health: { state } });
    await outcomes.account("new", { health: null });
    for (const state of states) {
      expect(names(await workspace.get(`/api/v1/accounts?state=${state}`))).toEqual([`is ${state}`]);
    }
    expect(names(await workspace.get("/api/v1/accounts"))).toHaveLength(7);
  });

  it("§13.1 has no account of another workspace with the same names", async () => {
    const [one, other] = [await seeded(), await seeded()];
    await one.outcomes.account("acme", { attributes: { plan: "pro" }, health: { score: 10 } });
    await other.outcomes.account("acme", { attributes: { plan: "free" }, health: { score: 90 } });
    // The first user left the personal account; the user of that name in the other workspace did not.
    await one.outcomes.soloAccount("u1", {}, (await one.outcomes.account("globex")).number);
    await other.outcomes.soloAccount("u1");
    expect(listed(await one.workspace.get("/api/v1/accounts"))).toMatchObject([
      { externalId: "acme", attributes: { plan: "pro" }, health: { score: 10 } },
      { externalId: "globex" },
    ]);
    expect(listed(await other.workspace.get("/api/v1/accounts"))).toMatchObject([
      { externalId: "u1" },
      { externalId: "acme", attributes: { plan: "free" }, health: { score: 90 } },
    ]);
  });
});

const score = (value: number | null): AccountFields => ({ health: { score: value } });
const mrr = (value: number | null, currency = "EUR"): AccountFields => ({ attributes: { mrr: value, currency } });
const seen = (lastEventAt: number | null): AccountFields => ({ lastEventAt });

describe("§13.1 the order of accounts", () => {
  it.each<[sort: string, expected: string[], accounts: Record<string, AccountFields>]>([
    [
      "",
      ["worst", "bad", "best", "without", "new"],
      { without: score(null), best: score(100), bad: score(0.5), new: { health: null }, worst: score(0) },
    ],
    ["sort=score", ["a", "b", "c"], { a: score(50), b: score(50), c: score(50) }],
    [
      "sort=mrr",
      ["most", "some", "little", "nothing", "unknown", "cleared"],
      { nothing: mrr(0), unknown: {}, some: mrr(99.9), cleared: mrr(null), most: mrr(1e12), little: mrr(0.01) },
    ],
    ["sort=mrr", ["a", "b"], { a: mrr(5, "USD"), b: mrr(5) }],
    [
      "sort=lastSeen",
      ["now", "in 1970", "in 1969", "never", "new"],
      { "in 1970": seen(1), never: seen(null), now: seen(NOW), "in 1969": seen(-1), new: { firstAt: null } },
    ],
  ])("§13.1 by ?%s is %j, on one page and on many", async (query, expected, accounts) => {
    const { workspace, outcomes } = await seeded();
    for (const [name, fields] of Object.entries(accounts)) await outcomes.account(name, fields);
    expect(names(await workspace.get(`/api/v1/accounts?${query}`))).toEqual(expected);
    for (const limit of [1, 2]) {
      const pages = await allPages(workspace, `/api/v1/accounts?limit=${limit}&${query}`);
      expect(pages.flatMap(names)).toEqual(expected);
    }
  });
});

describe("§13.1 cursors of accounts", () => {
  it.each(["score", "mrr", "lastSeen"])("§13.1 by %s are stable under inserts, also among ties", async (sort) => {
    const { workspace, outcomes } = await seeded();
    const same: AccountFields = { attributes: { mrr: 10 }, lastEventAt: NOW, health: { score: 50 } };
    const before: AccountFields = { attributes: { mrr: 20 }, lastEventAt: NOW + 1, health: { score: 40 } };
    for (const name of ["a", "b", "c", "d"]) await outcomes.account(name, same);
    const first = await workspace.get(`/api/v1/accounts?limit=2&sort=${sort}`);
    await outcomes.account("tie", same);
    await outcomes.account("earlier", before);
    const second = await workspace.get(`/api/v1/accounts?limit=2&sort=${sort}&cursor=${first.body.nextCursor}`);
    expect([names(first), names(second)]).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("§13.1 hide no account when scores rise between pages", async () => {
    const { workspace, outcomes } = await seeded();
    const made = [];
    for (const at of [10, 20, 30, 40]) made.push(await outcomes.account(`at ${at}`, score(at)));
    const first = await workspace.get("/api/v1/accounts?limit=2");
    await outcomes.setHealth(made[0]?.number ?? 0, { score: 35, day: DAY });
    const second = await workspace.get(`/api/v1/accounts?limit=5&cursor=${first.body.nextCursor}`);
    expect([names(first), names(second)]).toEqual([
      ["at 10", "at 20"],
      ["at 30", "at 10", "at 40"],
    ]);
  });
});
