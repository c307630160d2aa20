/** Rows read and written per message, as D1 counts and bills them. */
import { describe, expect, it } from "vitest";

import { breakdown, capture, type Cost, message, messages, type Meter, newMeter } from "./meter.ts";

const MAX_READ_PER_MESSAGE = 16;
const BATCH = 1_000;

/** Creates a workspace with `userCount` users, each in their own company. */
async function knowing(userCount: number): Promise<Meter> {
  const meter = await newMeter();
  await meter.post(
    "/api/v1/cdp",
    messages(userCount, "group", (place) => ({ userId: `u${place}`, groupId: `a${place}` })),
  );
  return meter;
}

interface Bounds {
  read: number;
  written: number;
}

/** Describes where a cost exceeds its bounds; empty if it doesn't. */
function excess(cost: Cost, bounds: Bounds, messageCount = 1): string[] {
  const over = (["read", "written"] as const).flatMap((kind) => {
    const each = cost[kind] / messageCount;
    return each > bounds[kind] ? [`${each} rows ${kind} per message, above ${bounds[kind]}`] : [];
  });
  return over.length === 0 ? [] : [...over, breakdown(cost)];
}

const excessEach = (cost: Cost, bounds: Bounds) => excess(cost, bounds, BATCH);

const invalid = () => messages(BATCH, "track", () => ({ event: "" }));

describe("a batch of 1,000 new tracks of known users", () => {
  it.each([1, 10, 1_000])("writes at most 2.1 rows and reads at most 16 each, for %i users", async (count) => {
    const { post } = await knowing(count);
    const bounds = { read: MAX_READ_PER_MESSAGE, written: 2.1 };
    const implied = messages(BATCH, "track", (place) => ({ userId: `u${place % count}` }));
    expect(excessEach(await post("/api/v1/cdp", implied), bounds)).toEqual([]);
    const named = messages(BATCH, "track", (place) => ({
      userId: `u${place % count}`,
      accountId: `a${place % count}`,
    }));
    expect(excessEach(await post("/api/v1/cdp", named), bounds)).toEqual([]);
  });

  it.each([100, 1_000])(
    "writes at most 2.1 rows and reads at most 16 each, for %i users with a personal account",
    async (count) => {
      const { post } = await newMeter();
      const ofAll = () => messages(BATCH, "track", (place) => ({ userId: `u${place % count}` }));
      await post("/api/v1/cdp", ofAll());
      expect(excessEach(await post("/api/v1/cdp", ofAll()), { read: MAX_READ_PER_MESSAGE, written: 2.1 })).toEqual([]);
    },
  );

  it("costs no more when users are identified and grouped first", async () => {
    const { post } = await knowing(10);
    const mixed = messages(BATCH, "track", (place) => {
      const userId = `u${place % 10}`;
      if (place < 10) return { type: "identify", event: null, userId, traits: { role: "admin" } };
      if (place < 20) return { type: "group", event: null, userId, groupId: `a${place % 10}`, traits: { plan: "pro" } };
      return { userId };
    });
    expect(excessEach(await post("/api/v1/cdp", mixed), { read: MAX_READ_PER_MESSAGE, written: 2.1 })).toEqual([]);
  });
});

describe("one message of a known user and account", () => {
  it("writes at most 2 rows and reads at most 16 for a native capture", async () => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture());
    expect(excess(await post("/api/v1/events", capture()), { read: MAX_READ_PER_MESSAGE, written: 2 })).toEqual([]);
    const keyed = await post("/api/v1/events", capture(), { "Idempotency-Key": "key-1" });
    expect(excess(keyed, { read: MAX_READ_PER_MESSAGE, written: 2 })).toEqual([]);
  });

  it("writes at most 3 rows for a native capture with attributes, however many, new, changed or equal", async () => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture());
    const attributes = {
      accountStage: "trial",
      trialEndsAt: "2026-05-01T00:00:00Z",
      accountPlan: "pro",
      accountSeats: 5,
      accountMrr: 99.5,
      accountCurrency: "EUR",
      accountContractEndsAt: "2027-01-31T00:00:00Z",
    };
    for (const fields of [attributes, { ...attributes, accountPlan: "max" }, attributes, { accountPlan: null }]) {
      const cost = await post("/api/v1/events", capture(fields));
      expect(excess(cost, { read: Infinity, written: 3 })).toEqual([]);
    }
  });

  it.each([
    ["that names its account", { accountId: "acme" }],
    ["that names none", {}],
  ])("writes at most 2 rows and reads at most 31 for the first track %s", async (_, fields) => {
    const { post } = await newMeter();
    await post("/api/v1/cdp", message("group", { groupId: "acme" }));
    expect(excess(await post("/api/v1/cdp", message("track", fields)), { read: 31, written: 2 })).toEqual([]);
    const next = await post("/api/v1/cdp", message("track", fields));
    expect(excess(next, { read: MAX_READ_PER_MESSAGE, written: 2 })).toEqual([]);
  });
});

describe("duplicates", () => {
  it("write at most one row per request", async () => {
    const { post } = await newMeter();
    const stored = [
      ...messages(400, "track", (place) => ({ userId: `u${place % 50}`, accountPlan: "pro" })),
      ...messages(300, "identify", (place) => ({
        userId: `u${place % 50}`,
        traits: { role: "admin", accountSeats: 3 },
      })),
      ...messages(300, "group", (place) => ({ userId: `u${place % 50}`, groupId: "acme", traits: { sector: "rail" } })),
    ];
    await post("/api/v1/cdp", stored);
    expect(excessEach(await post("/api/v1/cdp", stored), { read: MAX_READ_PER_MESSAGE, written: 1 / BATCH })).toEqual(
      [],
    );
    for (const one of [stored[0], stored[500], stored[900]]) {
      expect((await post("/api/v1/cdp", one)).written).toBeLessThanOrEqual(1);
    }
    const key = { "Idempotency-Key": "key-1" };
    await post("/api/v1/events", capture({ accountPlan: "pro" }), key);
    expect((await post("/api/v1/events", capture({ accountPlan: "pro" }), key)).written).toBeLessThanOrEqual(1);
  });
});

/** These have no target. The bounds are the costs when the tests were written, so that an increase is noticed. */
describe("more expensive messages", () => {
  it.each([
    ["the first track of a user, in a company", message("track", { userId: "new 1", accountId: "acme" }), 37, 9],
    ["the first track of a user, in a personal account", message("track", { userId: "new 2" }), 40, 9],
    ["a group", message("group", { groupId: "a1" }), 40, 4],
    [
      "a group with three traits and an attribute",
      message("group", { groupId: "a1", traits: { a: 1, b: 2, c: 3, plan: "x" } }),
      55,
      8,
    ],
    ["an identify with three traits", message("identify", { traits: { a: 1, b: 2, c: 3 } }), 32, 5],
    ["a pending attribute", message("identify", { userId: "new 3", traits: { accountPlan: "x" } }), 48, 6],
    ["a rejected message", [message("track", { event: "" })], 15, 2],
    ["an unsupported message", message("page"), 6, 1],
  ])("%s", async (_, body, read, written) => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture({ accountId: "a1" }));
    expect(excess(await post("/api/v1/cdp", Array.isArray(body) ? body : [body]), { read, written })).toEqual([]);
  });

  it("a batch of 1,000 first tracks", async () => {
    const { post } = await newMeter();
    const inCompanies = messages(BATCH, "track", (place) => ({ userId: `c${place}`, accountId: `a${place}` }));
    expect(excessEach(await post("/api/v1/cdp", inCompanies), { read: 24.1, written: 9 })).toEqual([]);
    const alone = messages(BATCH, "track", (place) => ({ userId: `s${place}` }));
    expect(excessEach(await post("/api/v1/cdp", alone), { read: 27.1, written: 9 })).toEqual([]);
  });

  it("writes each trait, attribute and membership once in a batch of 1,000 about 10 users", async () => {
    const { post } = await knowing(10);
    const identifies = messages(BATCH, "identify", (place) => ({
      userId: `u${place % 10}`,
      traits: { role: place, locale: "de", accountPlan: `plan ${place}` },
    }));
    expect(excessEach(await post("/api/v1/cdp", identifies), { read: 17.2, written: 2.03 })).toEqual([]);
    const groups = messages(BATCH, "group", (place) => ({
      userId: `u${place % 10}`,
      groupId: `a${place % 10}`,
      traits: { seats: place, sector: `sector ${place}` },
    }));
    expect(excessEach(await post("/api/v1/cdp", groups), { read: 21.2, written: 2.04 })).toEqual([]);
  });

  it("a batch of 1,000 rejected messages", async () => {
    const { post } = await newMeter();
    expect(excessEach(await post("/api/v1/cdp", invalid()), { read: 8.1, written: 1.1 })).toEqual([]);
    // The service deletes older kept messages.
    expect(excessEach(await post("/api/v1/cdp", invalid()), { read: 8.1, written: 2.1 })).toEqual([]);
  });
});
