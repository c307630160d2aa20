/** The Durable Object: what it keeps in memory, what it stores, and what a restart forgets. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { KEY_OUTAGE_MS } from "../../../src/config.ts";

const T0 = Date.UTC(2100, 0, 1);
const at = (ms: number) => vi.setSystemTime(T0 + ms);

const REFUSED_FOR_MS = 900_000;
/** What an object stores that was erased at T0. */
const ERASED = { entries: { erasedUntil: T0 + REFUSED_FOR_MS }, alarm: T0 + REFUSED_FOR_MS };

const newLimiter = () => env.WRITE_LIMITER.getByName(crypto.randomUUID());
type Limiter = ReturnType<typeof newLimiter>;

const consume = async (limiter: Limiter, cost: number, keyId = "key_1") => await limiter.consume({ keyId, cost });
const counters = async (limiter: Limiter) => {
  const { admitted, refused } = await limiter.usage();
  return { admitted, refused };
};

async function refundOf(limiter: Limiter, cost: number) {
  const decision = await consume(limiter, cost);
  if (decision.outcome !== "admitted") throw new Error("not admitted");
  return () => limiter.refund(decision.charges);
}

const stored = (limiter: Limiter) =>
  runInDurableObject(limiter, async (_, { storage }) => ({
    entries: Object.fromEntries(storage.kv.list()),
    alarm: await storage.getAlarm(),
  }));

/** Restarts the object without warning, as a crash does. */
async function restarted(limiter: Limiter): Promise<Limiter> {
  await abortAllDurableObjects();
  return env.WRITE_LIMITER.get(limiter.id);
}

let limiter: Limiter;
beforeEach(() => {
  at(0);
  limiter = newLimiter();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("consume", () => {
  it("admits 100 messages in 10 s and returns limit, places left and times", async () => {
    expect(await consume(limiter, 60)).toEqual({
      outcome: "admitted",
      charges: [{ at: T0, cost: 60 }],
      database: "DB",
      limit: 100,
      left: 40,
      resetMs: 10_000,
    });
    at(4_000);
    expect(await consume(limiter, 41)).toEqual({
      outcome: "rate_limited",
      retryAfterMs: 6_000,
      limit: 100,
      left: 40,
      resetMs: 6_000,
    });
  });

  it("admits exactly 20 of 50 parallel requests of 5 messages", async () => {
    const decisions = await Promise.all(Array.from({ length: 50 }, () => consume(limiter, 5)));
    expect(decisions.filter(({ outcome }) => outcome === "admitted")).toHaveLength(20);
    expect(await counters(limiter)).toEqual({ admitted: 100, refused: 150 });
  });

  it("keeps workspaces apart", async () => {
    await consume(limiter, 100);
    expect(await consume(newLimiter(), 100)).toMatchObject({ outcome: "admitted" });
  });

  it("refunds a request once, and no other request of the same moment", async () => {
    await consume(limiter, 50);
    const refund = await refundOf(limiter, 40);
    await refund();
    expect(await consume(limiter, 51)).toMatchObject({ outcome: "rate_limited", left: 50 });
    expect(await consume(limiter, 50)).toMatchObject({ outcome: "admitted" });
    expect(await counters(limiter)).toEqual({ admitted: 100, refused: 51 });
  });
});

describe("usage", () => {
  it("§7 counts the messages of the last 10 s, and no future charges", async () => {
    await consume(limiter, 250);
    expect(await limiter.usage()).toEqual({ limit: 100, inUse: 100, admitted: 250, refused: 0 });
    at(20_000);
    expect(await limiter.usage()).toMatchObject({ inUse: 50 });
    at(30_000);
    expect(await limiter.usage()).toMatchObject({ inUse: 0 });
  });

  it("tells what it refused since when, until a minute has passed without a refusal", async () => {
    await consume(limiter, 100);
    for (const ms of [1_000, 5_000]) {
      at(ms);
      await consume(limiter, 30);
    }
    const refusals = { since: T0 + 1_000, until: T0 + 5_000, messages: 60 };
    at(64_999);
    expect(await limiter.usage()).toMatchObject({ refused: 60, refusals });
    at(65_000);
    expect(await limiter.usage()).not.toHaveProperty("refusals");
    await consume(limiter, 100);
    await consume(limiter, 1);
    expect(await limiter.usage()).toMatchObject({ refusals: { since: T0 + 65_000, messages: 1 } });
  });

  it("may exceed a limit that was lowered", async () => {
    await consume(limiter, 20);
    await limiter.configure({ limit: 10 });
    expect(await limiter.usage()).toMatchObject({ limit: 10, inUse: 20 });
  });
});

describe("a revoked key", () => {
  it("is refused from the next request on and charged nothing, while other keys still work", async () => {
    await consume(limiter, 10, "key_old");
    await limiter.revokeKey("key_old");
    expect(await consume(limiter, 10, "key_old")).toEqual({ outcome: "unauthorized" });
    expect(await consume(limiter, 10, "key_new")).toMatchObject({ outcome: "admitted", left: 80 });
    expect(await counters(limiter)).toEqual({ admitted: 20, refused: 0 });
  });

  it("stays refused after a restart", async () => {
    await limiter.revokeKey("key_1");
    await limiter.revokeKey("key_2");
    limiter = await restarted(limiter);
    expect(await consume(limiter, 1, "key_1")).toEqual({ outcome: "unauthorized" });
    expect(await consume(limiter, 1, "key_2")).toEqual({ outcome: "unauthorized" });
    expect(await consume(limiter, 1, "key_3")).toMatchObject({ outcome: "admitted" });
  });
});

describe("a changed limit", () => {
  it("applies from the next request on", async () => {
    await consume(limiter, 100);
    await limiter.configure({ limit: 150 });
    expect(await consume(limiter, 50)).toMatchObject({ outcome: "admitted", limit: 150, left: 0 });
    await limiter.configure({ limit: 20 });
    expect(await consume(limiter, 1)).toMatchObject({ outcome: "rate_limited", limit: 20, left: 0 });
  });

  it("survives a restart", async () => {
    await limiter.configure({ limit: 7 });
    limiter = await restarted(limiter);
    expect(await consume(limiter, 3)).toMatchObject({ outcome: "admitted", limit: 7, left: 4 });
  });
});

describe("a restart", () => {
  it("keeps future charges", async () => {
    await consume(limiter, 1_000);
    limiter = await restarted(limiter);
    at(15_000);
    expect(await consume(limiter, 1)).toMatchObject({ outcome: "rate_limited", retryAfterMs: 85_000 });
    at(100_000);
    expect(await consume(limiter, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("keeps future charges of a key with a limit of its own", async () => {
    await limiter.consume({ keyId: "key_1", cost: 25, keyLimit: 10 });
    limiter = await restarted(limiter);
    at(10_000);
    expect(await limiter.consume({ keyId: "key_1", cost: 10, keyLimit: 10 })).toMatchObject({
      outcome: "rate_limited",
    });
    expect(await limiter.consume({ keyId: "key_2", cost: 10, keyLimit: 10 })).toMatchObject({ outcome: "admitted" });
    at(30_000);
    expect(await limiter.consume({ keyId: "key_1", cost: 10, keyLimit: 10 })).toMatchObject({ outcome: "admitted" });
  });

  it("may forget charges inside the window", async () => {
    await consume(limiter, 100);
    limiter = await restarted(limiter);
    expect(await consume(limiter, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("does not bring refunded future charges back", async () => {
    const refund = await refundOf(limiter, 1_000);
    await refund();
    limiter = await restarted(limiter);
    expect(await consume(limiter, 100)).toMatchObject({ outcome: "admitted" });
  });
});

describe("the counters", () => {
  it("survive a restart once they are saved", async () => {
    await consume(limiter, 90);
    await consume(limiter, 20);
    await limiter.saveCounters();
    limiter = await restarted(limiter);
    await consume(limiter, 5);
    expect(await counters(limiter)).toEqual({ admitted: 95, refused: 20 });
  });

  it("are saved at once, and by an alarm when more messages follow", { timeout: 30_000 }, async () => {
    vi.useRealTimers();
    const saved = async () => (await stored(limiter)).entries["counters"];
    await consume(limiter, 2);
    expect(await saved()).toEqual({ admitted: 2, refused: 0 });
    await consume(limiter, 3);
    await consume(limiter, 96);
    expect(await saved()).toEqual({ admitted: 2, refused: 0 });
    await vi.waitFor(async () => expect(await saved()).toEqual({ admitted: 5, refused: 96 }), 25_000);
  });

  it("are saved at once for requests more than 5 s apart, without an alarm", async () => {
    for (const [place, ms] of [0, 5_000, 10_000].entries()) {
      at(ms);
      await consume(limiter, 1);
      expect((await stored(limiter)).alarm).toBeNull();
      limiter = await restarted(limiter);
      expect(await counters(limiter)).toEqual({ admitted: place + 1, refused: 0 });
    }
  });

  it.each([
    ["less and less often while messages come, up to once a minute", null, [0, 5, 15, 35, 75, 135, 195]],
    ["every five seconds with a storage limit, because the room is saved too", 1_000, [0, 5, 10, 15, 20]],
  ])("are saved %s", async (_, room, expected) => {
    await limiter.configure({ room });
    const saved: number[] = [];
    for (let second = 0; second <= (expected.at(-1) ?? 0); second += 1) {
      at(second * 1_000);
      const before = (await stored(limiter)).entries["counters"];
      const { alarm } = await stored(limiter);
      if (alarm !== null && alarm <= Date.now()) await runDurableObjectAlarm(limiter);
      await consume(limiter, 1);
      const after = (await stored(limiter)).entries["counters"];
      if (JSON.stringify(after) !== JSON.stringify(before)) saved.push(second);
    }
    expect(saved).toEqual(expected);
  });

  it("never fall below 0 when a restart forgot the admission that is refunded", async () => {
    const { keyId, charges } = { keyId: "key_1", charges: [{ at: T0, cost: 10 }] };
    await limiter.consume({ keyId, cost: 3 });
    await limiter.refund(charges);
    expect(await counters(limiter)).toEqual({ admitted: 0, refused: 0 });
  });
});

describe("the storage", () => {
  it("holds only the counters after ordinary requests", async () => {
    const refund = await refundOf(limiter, 100);
    await consume(limiter, 1);
    await refund();
    expect(Object.keys((await stored(limiter)).entries)).toEqual(["counters"]);
  });

  it("holds only a mark after erasure, and every key of the workspace is refused", async () => {
    await limiter.configure({ limit: 50 });
    await limiter.revokeKey("key_old");
    const refund = await refundOf(limiter, 1_000);
    await limiter.saveCounters();
    const before = await stored(limiter);
    expect(Object.keys(before.entries)).toEqual(["counters", "limit", "revoked:key_old", "window"]);

    await limiter.erase();
    expect(await consume(limiter, 1, "key_old")).toEqual({ outcome: "unauthorized" });
    expect(await consume(limiter, 1, "key_new")).toEqual({ outcome: "unauthorized" });
    await refund();
    await limiter.configure({ limit: 70 });
    await limiter.revokeKey("key_new");
    expect(await stored(limiter)).toEqual(ERASED);
  });

  it("keeps the mark of an erasure longer than edges use a cached key, also across restarts", async () => {
    await limiter.configure({ limit: 50 });
    await limiter.erase();
    for (const ms of [1_000, KEY_OUTAGE_MS]) {
      at(ms);
      limiter = await restarted(limiter);
      await runInDurableObject(limiter, (object) => object.alarm());
      expect(await consume(limiter, 1)).toEqual({ outcome: "unauthorized" });
      expect(await limiter.configure({ limit: 70 })).toBe(false);
      expect(await stored(limiter)).toEqual(ERASED);
    }
    at(REFUSED_FOR_MS);
    expect(await runDurableObjectAlarm(limiter)).toBe(true);
    expect(await stored(limiter)).toEqual({ entries: {}, alarm: null });
    expect(await consume(limiter, 1)).toEqual({ outcome: "unauthorized" });
  });
});
