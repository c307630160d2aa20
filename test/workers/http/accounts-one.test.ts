/** Section 13.2: one account, and what explains its health. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const iso = (ms: number) => new Date(ms).toISOString();
/** The day of the tests, which is not over. */
const TODAY = DAY + 1;

let workspace: TestWorkspace;
let outcomes: Outcomes;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
});
afterEach(() => {
  vi.useRealTimers();
});

const group = (timestamp: string, traits: Record<string, unknown>) =>
  workspace.post("/api/v1/cdp", { type: "group", groupId: "acme", userId: "u1", timestamp, traits });

const read = (id: string, { get }: TestWorkspace = workspace) => get(`/api/v1/accounts/${encodeURIComponent(id)}`);
const account = ({ body, text }: Answer): Record<string, unknown> => {
  if (body.account === undefined || body.account === null) throw new Error(`no account was told: ${text}`);
  return { ...body.account };
};

describe("§13.2 the id of an account", () => {
  it("§13.2 finds the company of that name before the personal account", async () => {
    const company = await outcomes.account("7");
    await outcomes.soloAccount("7");
    const solo = await outcomes.soloAccount("8");
    expect(account(await read("7"))).toMatchObject({ id: company.id, kind: "company" });
    expect(account(await read("8"))).toMatchObject({ id: solo.id, kind: "solo", superseded: false });
  });

  it("§13.2 may be internal, for any kind of account", async () => {
    await outcomes.account("7");
    const solo = await outcomes.soloAccount("7");
    expect(account(await read(solo.id))).toMatchObject({ id: solo.id, externalId: "7", kind: "solo" });
  });

  it("§13.2 may look like an internal id, which comes first", async () => {
    const acme = await outcomes.account("acme");
    const posing = await outcomes.account(acme.id);
    const free = await outcomes.account("acc_000000000000000000000000");
    expect(account(await read(acme.id))).toMatchObject({ id: acme.id });
    expect(account(await read(posing.id))).toMatchObject({ id: posing.id });
    expect(account(await read(free.externalId))).toMatchObject({ id: free.id });
  });
});

describe("§13.2 an account", () => {
  it("§13.2 has the fields of the list and an explanation of its health", async () => {
    await setRuns({ asOf: NOW });
    const { id } = await outcomes.account("acme", {
      attributes: { plan: "pro", seats: 10 },
      health: {
        score: 60,
        uncapped: 72,
        coverage: 0.85,
        confidence: "low",
        state: "watch",
        stageKnown: false,
        reasons: [
          {
            kind: "cap",
            code: "confirmed_drop",
            points: 12,
            observed: 11,
            expected: 20,
            window: { from: DAY - 13, to: DAY },
          },
        ],
        changes: [{ component: "trend", points: -8.5 }],
        missing: [{ code: "tenure", observed: 10, required: 14 }],
      },
    });
    const { body } = await read("acme");
    expect(body).toEqual({
      ok: true,
      asOf: iso(NOW),
      account: {
        id,
        externalId: "acme",
        kind: "company",
        owner: null,
        attributes: { plan: "pro", seats: 10 },
        contract: null,
        superseded: false,
        health: {
          score: 60,
          state: "watch",
          confidence: "low",
          provisional: true,
          trend: 1.5,
          asOf: "2030-01-07",
          modelVersion: 1,
          uncapped: 72,
          coverage: 0.85,
          stage: "active",
          stageKnown: false,
          reasons: [
            {
              kind: "cap",
              code: "confirmed_drop",
              points: 12,
              observed: 11,
              expected: 20,
              window: { from: "2029-12-25", to: "2030-01-07" },
              text: expect.stringMatching(/11 .*20 /),
            },
          ],
          changes: [{ component: "trend", points: -8.5, text: expect.stringContaining("8.5") }],
          missing: [{ code: "tenure", observed: 10, required: 14, text: expect.stringMatching(/10 .*14 /) }],
        },
        firstSeenAt: iso(NOW - 100 * DAY_MS),
        lastSeenAt: iso(NOW - DAY_MS),
        history: [],
        users: [],
        topEvents: [],
        openItems: [],
        traits: {},
        attributeHistory: [],
      },
    });
  });

  it("§13.2 has its free-form traits, and the changes of its attributes by day up to the last recompute", async () => {
    await group("2030-01-02T09:00:00Z", { plan: "pro", seats: 10, mrr: 400, industry: "travel", tags: ["a", 1] });
    await group("2030-01-04T09:00:00Z", { plan: "pro", seats: 12, mrr: null, industry: null, region: "emea" });
    expect(account(await read("acme"))).toMatchObject({ attributeHistory: [] });
    await admin("POST", "/recompute");
    expect(account(await read("acme"))).toMatchObject({
      traits: { region: "emea", tags: ["a", 1] },
      attributeHistory: [
        { date: "2030-01-02", plan: "pro", seats: 10, mrr: 400 },
        { date: "2030-01-04", seats: 12, mrr: null },
      ],
    });
  });

  it("§13.2 is superseded and has no health once its user left it, even before the next recompute", async () => {
    const acme = await outcomes.account("acme");
    const left = await outcomes.soloAccount("u1", { health: { score: 90 } }, acme.number);
    expect(account(await read(left.externalId))).toMatchObject({ superseded: true, health: null });
  });

  it("§13.2 has a history of its last 90 scored days, earliest first, with the active users of each", async () => {
    const { number } = await outcomes.account("acme");
    const other = await outcomes.account("globex");
    for (let day = DAY - 90; day <= DAY; day += 1) await outcomes.healthDay(number, day, day - DAY + 90, "watch");
    await outcomes.healthDay(other.number, DAY, 1, "at_risk");
    await outcomes.accountDay(number, DAY, 3);
    await outcomes.accountDay(number, DAY - 89, 2);
    await outcomes.accountDay(other.number, DAY - 1, 9);
    const { history } = account(await read("acme"));
    expect(history).toHaveLength(90);
    expect(history).toMatchObject({
      0: { date: "2029-10-10", score: 1, state: "watch", activeUsers: 2 },
      1: { date: "2029-10-11", score: 2, activeUsers: 0 },
      89: { date: "2030-01-07", score: 90, state: "watch", activeUsers: 3 },
    });
  });
});

describe("§13.2 users and events of an account", () => {
  it("§13.2 are the users of the last 90 days, most recent first, with their active days", async () => {
    const { number } = await outcomes.account("acme");
    const [ann, bob, cid] = [await outcomes.user("ann"), await outcomes.user("bob"), await outcomes.user("cid")];
    const [view, edit] = [await outcomes.eventName("view"), await outcomes.eventName("edit")];
    await outcomes.rollup(number, TODAY - 3, view, { user: ann.number });
    await outcomes.rollup(number, TODAY - 3, edit, { user: ann.number });
    await outcomes.rollup(number, TODAY - 89, edit, { user: ann.number });
    await outcomes.rollup(number, TODAY, edit, { user: bob.number, count: 50 });
    await outcomes.rollup(number, TODAY - 90, edit, { user: cid.number });
    await outcomes.rollup(number, TODAY, edit);
    expect(account(await read("acme")).users).toEqual([
      { id: bob.id, externalId: "bob", lastSeenAt: iso(TODAY * DAY_MS + 3_600_000), activeDays: 1 },
      { id: ann.id, externalId: "ann", lastSeenAt: iso((TODAY - 3) * DAY_MS + 3_600_000), activeDays: 2 },
    ]);
  });

  it("§13.2 are at most 100 users; the first to arrive comes first among ties", async () => {
    const { number } = await outcomes.account("acme");
    const view = await outcomes.eventName("view");
    for (let place = 0; place < 101; place += 1) {
      await outcomes.rollup(number, TODAY, view, { user: (await outcomes.user(`u${place}`)).number });
    }
    const { users } = account(await read("acme"));
    expect(users).toHaveLength(100);
    expect(users).toMatchObject({ 0: { externalId: "u0" }, 99: { externalId: "u99" } });
  });

  it("§13.2 are the events of the last 28 days, most frequent first, with the number of their users", async () => {
    const { number } = await outcomes.account("acme");
    const other = await outcomes.account("globex");
    const [ann, bob] = [await outcomes.user("ann"), await outcomes.user("bob")];
    const [view, edit, old] = [
      await outcomes.eventName("view"),
      await outcomes.eventName("edit"),
      await outcomes.eventName("old"),
    ];
    await outcomes.rollup(number, TODAY - 27, view, { user: ann.number, count: 2 });
    await outcomes.rollup(number, TODAY - 1, view, { user: bob.number, count: 3 });
    await outcomes.rollup(number, TODAY - 1, view, { count: 4 });
    await outcomes.rollup(number, TODAY, edit, { count: 10 });
    await outcomes.rollup(number, TODAY - 28, old, { count: 99 });
    await outcomes.rollup(other.number, TODAY, view, { count: 99 });
    expect(account(await read("acme")).topEvents).toEqual([
      { name: "edit", count: 10, users: 0, lastAt: iso(TODAY * DAY_MS + 3_600_000) },
      { name: "view", count: 9, users: 2, lastAt: iso((TODAY - 1) * DAY_MS + 3_600_000) },
    ]);
  });

  it("§13.2 are at most 20 events", async () => {
    const { number } = await outcomes.account("acme");
    for (let place = 0; place < 21; place += 1) {
      await outcomes.rollup(number, TODAY, await outcomes.eventName(`event.${place}`), { count: 100 - place });
    }
    const { topEvents } = account(await read("acme"));
    expect(topEvents).toHaveLength(20);
    expect(topEvents).toMatchObject({ 0: { name: "event.0", count: 100 }, 19: { name: "event.19" } });
  });
});

it.each([90, 1, 0, -8])("§13.2 an account has the end of its contract and the days until it: %i", async (days) => {
  // Days are calendar days, so the time of day makes no difference.
  for (const time of [0, DAY_MS - 1]) {
    const contractEndsAt = iso((TODAY + days) * DAY_MS + time);
    await outcomes.account(`acme-${time}`, { attributes: { contractEndsAt } });
    expect(account(await read(`acme-${time}`))).toMatchObject({ contract: { endsAt: contractEndsAt, daysLeft: days } });
  }
});

it("§13.2 an account has its open items with their marks, highest rank first, as the inbox lists them", async () => {
  const [acme, other] = [await outcomes.account("acme"), await outcomes.account("globex")];
  const low = await outcomes.item({ account: acme.number, kind: "usage_growth", rank: 1 });
  const high = await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 2 });
  await outcomes.item({ account: acme.number, kind: "gone_silent", resolvedDay: DAY, resolution: "recovered" });
  await outcomes.item({ account: other.number });
  await outcomes.item({ kind: "tracking_stopped" });
  await workspace.post(`/api/v1/inbox/${high.id}/dismiss`, undefined);
  const { openItems } = account(await read("acme"));
  expect(openItems).toMatchObject([{ id: high.id, dismissedAt: iso(NOW) }, { id: low.id }]);
  const [open, dismissed] = [
    await workspace.get("/api/v1/inbox"),
    await workspace.get("/api/v1/inbox?status=dismissed"),
  ];
  expect([dismissed.body.items, open.body.items].flat()).toEqual(expect.arrayContaining([openItems].flat()));
});
