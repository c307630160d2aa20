/** What messages cost in rows, as D1 counts and bills them. */
import { describe, expect, it } from "vitest";

import { breakdown, capture, type Cost, message, messages, type Meter, newMeter } from "./meter.ts";

const MAX_READ_PER_MESSAGE = 16;
const BATCH = 1_000;

/** A workspace in which `userCount` users, each of a company of its own, are known. */
async function knowing(userCount: number): Promise<Meter> {
  const meter = await newMeter();
  await meter.post(
    "/api/v1/cdp",
    messages(userCount, "group", (place) => ({ userId: `u${place}`, groupId: `a${place}` })),
  );
  return meter;
}

/** Of a batch of 1,000, per message. */
function expectPerMessage(cost: Cost, { read, written }: { read: number; written: number }): void {
  expect(cost.read / BATCH, breakdown(cost)).toBeLessThanOrEqual(read);
  expect(cost.written / BATCH, breakdown(cost)).toBeLessThanOrEqual(written);
}

function expectAtMost(cost: Cost, { read, written }: { read: number; written: number }): void {
  expect(cost.read, breakdown(cost)).toBeLessThanOrEqual(read);
  expect(cost.written, breakdown(cost)).toBeLessThanOrEqual(written);
}

const ofAHundred = () => messages(BATCH, "track", (place) => ({ userId: `u${place % 100}` }));
const invalid = () => messages(BATCH, "track", () => ({ event: "" }));

describe("a batch of 1,000 new tracks of known users", () => {
  it.each([1, 10, 1_000])("writes at most 2.1 rows and reads at most 16 each, for %i users", async (count) => {
    const { post } = await knowing(count);
    const bounds = { read: MAX_READ_PER_MESSAGE, written: 2.1 };
    const implied = messages(BATCH, "track", (place) => ({ userId: `u${place % count}` }));
    expectPerMessage(await post("/api/v1/cdp", implied), bounds);
    const named = messages(BATCH, "track", (place) => ({
      userId: `u${place % count}`,
      accountId: `a${place % count}`,
    }));
    expectPerMessage(await post("/api/v1/cdp", named), bounds);
  });

  it("writes at most 2.1 rows and reads at most 16 each, for users with an account of one", async () => {
    const { post } = await newMeter();
    await post("/api/v1/cdp", ofAHundred());
    expectPerMessage(await post("/api/v1/cdp", ofAHundred()), { read: MAX_READ_PER_MESSAGE, written: 2.1 });
  });

  it("writes at most 2.1 rows each also where users are identified and grouped in between, and reads at most 16", async () => {
    const { post } = await knowing(10);
    const mixed = messages(BATCH, "track", (place) => {
      const userId = `u${place % 10}`;
      if (place < 10) return { type: "identify", event: null, userId, traits: { role: "admin" } };
      if (place < 20) return { type: "group", event: null, userId, groupId: `a${place % 10}`, traits: { plan: "pro" } };
      return { userId };
    });
    expectPerMessage(await post("/api/v1/cdp", mixed), { read: MAX_READ_PER_MESSAGE, written: 2.1 });
  });
});

describe("one message of a known user and account", () => {
  it("writes at most 2 rows and reads at most 16 for a native capture", async () => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture());
    expectAtMost(await post("/api/v1/events", capture()), { read: MAX_READ_PER_MESSAGE, written: 2 });
    const keyed = await post("/api/v1/events", capture(), { "Idempotency-Key": "key-1" });
    expectAtMost(keyed, { read: MAX_READ_PER_MESSAGE, written: 2 });
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
    };
    for (const fields of [attributes, { ...attributes, accountPlan: "max" }, attributes, { accountPlan: null }]) {
      const cost = await post("/api/v1/events", capture(fields));
      expect(cost.written, breakdown(cost)).toBeLessThanOrEqual(3);
    }
  });

  it.each([
    ["that names its account", { accountId: "acme" }],
    ["that names none", {}],
  ])("writes at most 2 rows and reads at most 16 for a single track %s", async (_, fields) => {
    const { post } = await newMeter();
    await post("/api/v1/cdp", message("group", { groupId: "acme" }));
    const cost = await post("/api/v1/cdp", message("track", fields));
    expectAtMost(cost, { read: MAX_READ_PER_MESSAGE, written: 2 });
  });

  it("writes at most 2 rows and reads at most 16 for a single track of a user with an account of one", async () => {
    const { post } = await newMeter();
    await post("/api/v1/cdp", message("track"));
    expectAtMost(await post("/api/v1/cdp", message("track")), { read: MAX_READ_PER_MESSAGE, written: 2 });
  });
});

describe("duplicates", () => {
  it("write no rows, and at most one for their request", async () => {
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
    expectPerMessage(await post("/api/v1/cdp", stored), { read: MAX_READ_PER_MESSAGE, written: 1 / BATCH });
    for (const one of [stored[0], stored[500], stored[900]]) {
      expect((await post("/api/v1/cdp", one)).written).toBeLessThanOrEqual(1);
    }
    const key = { "Idempotency-Key": "key-1" };
    await post("/api/v1/events", capture({ accountPlan: "pro" }), key);
    expect((await post("/api/v1/events", capture({ accountPlan: "pro" }), key)).written).toBeLessThanOrEqual(1);
  });
});

/** No target names these: the bounds are what they cost when they were written, so that a rise is seen. */
describe("what costs more", () => {
  it.each([
    ["the first track of a user, in a company", message("track", { userId: "new 1", accountId: "acme" }), 19, 9],
    ["the first track of a user, in an account of one", message("track", { userId: "new 2" }), 20, 9],
    ["a group", message("group", { groupId: "a1" }), 22, 4],
    [
      "a group with three traits and an attribute",
      message("group", { groupId: "a1", traits: { a: 1, b: 2, c: 3, plan: "x" } }),
      34,
      8,
    ],
    ["an identify with three traits", message("identify", { traits: { a: 1, b: 2, c: 3 } }), 18, 5],
    [
      "an attribute that waits for an account",
      message("identify", { userId: "new 3", traits: { accountPlan: "x" } }),
      27,
      6,
    ],
    ["a rejected message", [message("track", { event: "" })], 13, 2],
    ["an unsupported message", message("page"), 8, 1],
  ])("%s", async (_, body, read, written) => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture({ accountId: "a1" }));
    expectAtMost(await post("/api/v1/cdp", Array.isArray(body) ? body : [body]), { read, written });
  });

  it("a native capture with attributes reads some rows more for each of them", async () => {
    const { post } = await newMeter();
    await post("/api/v1/events", capture());
    const one = await post("/api/v1/events", capture({ accountPlan: "pro" }));
    expectAtMost(one, { read: 23, written: 3 });
    const three = await post("/api/v1/events", capture({ accountPlan: "pro", accountSeats: 3, accountMrr: 7 }));
    expectAtMost(three, { read: 27, written: 3 });
  });

  it("a batch of 1,000 first tracks", async () => {
    const { post } = await newMeter();
    const inCompanies = messages(BATCH, "track", (place) => ({ userId: `c${place}`, accountId: `a${place}` }));
    expectPerMessage(await post("/api/v1/cdp", inCompanies), { read: 20, written: 9 });
    const alone = messages(BATCH, "track", (place) => ({ userId: `s${place}` }));
    expectPerMessage(await post("/api/v1/cdp", alone), { read: 22, written: 9 });
  });

  it("a batch of 1,000 rejected messages", async () => {
    const { post } = await newMeter();
    expectPerMessage(await post("/api/v1/cdp", invalid()), { read: 8.1, written: 1.1 });
    // The kept ones of before make room.
    expectPerMessage(await post("/api/v1/cdp", invalid()), { read: 8.1, written: 2.1 });
  });
});
