import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** Ahead of the real clock, so that no alarm is due by itself. */
const T0 = Date.UTC(2100, 0, 1);
const at = (ms: number) => vi.setSystemTime(T0 + ms);

/** Each test has a workspace of its own. */
const limiter = () => env.WRITE_LIMITER.getByName(crypto.randomUUID());
type Limiter = ReturnType<typeof limiter>;

const ask = async (object: Limiter, cost: number, keyId = "key_1") => await object.admit({ keyId, cost });

/** What is stored, by key; and when the alarm is due. */
const stored = (object: Limiter) =>
  runInDurableObject(object, async (_, { storage }) => ({
    entries: Object.fromEntries(storage.kv.list()),
    alarm: await storage.getAlarm(),
  }));

beforeEach(() => {
  at(0);
});

afterEach(() => {
  vi.useRealTimers();
});

describe("admitting", () => {
  it("admits 100 messages in 10 s and refuses more, telling limit, places left and times", async () => {
    const object = limiter();
    expect(await ask(object, 60)).toEqual({
      outcome: "admitted",
      charges: [{ at: T0, cost: 60 }],
      limit: 100,
      left: 40,
      resetMs: 10_000,
    });
    at(4_000);
    expect(await ask(object, 41)).toEqual({
      outcome: "refused",
      retryAfterMs: 6_000,
      limit: 100,
      left: 40,
      resetMs: 6_000,
    });
    at(9_999);
    expect(await ask(object, 41)).toMatchObject({ outcome: "refused", retryAfterMs: 1 });
    at(10_000);
    expect(await ask(object, 41)).toMatchObject({ outcome: "admitted", left: 59 });
  });

  it("admits exactly 20 of 50 parallel requests of 5 messages", async () => {
    const object = limiter();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(object, 5)));
    expect(answers.filter(({ outcome }) => outcome === "admitted")).toHaveLength(20);
    expect(await object.counters()).toEqual({ admitted: 100, refused: 150 });
  });

  it("keeps workspaces apart", async () => {
    await ask(limiter(), 100);
    expect(await ask(limiter(), 100)).toMatchObject({ outcome: "admitted" });
  });

  it("gives the places of a request back", async () => {
    const object = limiter();
    const admission = await ask(object, 100);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    await object.giveBack(admission.charges);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
    expect(await object.counters()).toEqual({ admitted: 100, refused: 0 });
  });
});

describe("a revoked key", () => {
  it("is refused from the next request on and charged nothing, while other keys go on", async () => {
    const object = limiter();
    await ask(object, 10, "key_old");
    await object.revokeKey("key_old");
    expect(await ask(object, 10, "key_old")).toEqual({ outcome: "revoked" });
    expect(await ask(object, 10, "key_new")).toMatchObject({ outcome: "admitted", left: 80 });
    expect(await object.counters()).toEqual({ admitted: 20, refused: 0 });
  });

  it("stays refused after a restart", async () => {
    const object = limiter();
    await object.revokeKey("key_1");
    await object.revokeKey("key_2");
    await evictDurableObject(object);
    expect(await ask(object, 1, "key_1")).toEqual({ outcome: "revoked" });
    expect(await ask(object, 1, "key_2")).toEqual({ outcome: "revoked" });
    expect(await ask(object, 1, "key_3")).toMatchObject({ outcome: "admitted" });
  });
});

describe("a limit that was set", () => {
  it("holds from the next request on", async () => {
    const object = limiter();
    await ask(object, 100);
    await object.setLimit(150);
    expect(await ask(object, 50)).toMatchObject({ outcome: "admitted", limit: 150, left: 0 });
    await object.setLimit(20);
    expect(await ask(object, 1)).toMatchObject({ outcome: "refused", limit: 20, left: 0 });
  });

  it("holds after a restart", async () => {
    const object = limiter();
    await object.setLimit(7);
    await evictDurableObject(object);
    expect(await ask(object, 3)).toMatchObject({ outcome: "admitted", limit: 7, left: 4 });
  });
});

describe("a restart", () => {
  it("forgets no charge that lies ahead", async () => {
    const object = limiter();
    await ask(object, 1_000);
    await evictDurableObject(object);
    at(15_000);
    expect(await ask(object, 1)).toMatchObject({ outcome: "refused", retryAfterMs: 85_000 });
    at(99_999);
    expect(await ask(object, 1)).toMatchObject({ outcome: "refused", retryAfterMs: 1 });
    at(100_000);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("may forget charges within the window", async () => {
    const object = limiter();
    await ask(object, 100);
    await evictDurableObject(object);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("brings back no charge ahead that was given back", async () => {
    const object = limiter();
    const admission = await ask(object, 1_000);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    await object.giveBack(admission.charges);
    await evictDurableObject(object);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });
});

describe("the counters", () => {
  it("survive a restart once the alarm has saved them, and go on from there", async () => {
    const object = limiter();
    await ask(object, 90);
    await ask(object, 20);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    await evictDurableObject(object);
    expect(await object.counters()).toEqual({ admitted: 90, refused: 20 });
    await ask(object, 5);
    expect(await object.counters()).toEqual({ admitted: 95, refused: 20 });
  });

  it("are saved a minute after the first change, and not again before there is another", async () => {
    const object = limiter();
    await ask(object, 1);
    at(30_000);
    await ask(object, 1);
    expect((await stored(object)).alarm).toBe(T0 + 60_000);
    await runDurableObjectAlarm(object);
    expect(await stored(object)).toEqual({ entries: { counters: { admitted: 2, refused: 0 } }, alarm: null });
    at(70_000);
    await ask(object, 1);
    expect((await stored(object)).alarm).toBe(T0 + 130_000);
  });

  it("do not put off an alarm that was pending before a restart", async () => {
    const object = limiter();
    await ask(object, 1);
    await evictDurableObject(object);
    at(50_000);
    await ask(object, 1);
    expect((await stored(object)).alarm).toBe(T0 + 60_000);
  });

  it("never fall below nothing when a restart forgot what is given back", async () => {
    const object = limiter();
    const admission = await ask(object, 10);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    await evictDurableObject(object);
    await object.giveBack(admission.charges);
    expect(await object.counters()).toEqual({ admitted: 0, refused: 0 });
  });
});

describe("what is stored", () => {
  it("is nothing for usual requests, admitted, refused or given back", async () => {
    const object = limiter();
    const admission = await ask(object, 100);
    await ask(object, 1);
    if (admission.outcome === "admitted") await object.giveBack(admission.charges);
    expect((await stored(object)).entries).toEqual({});
  });

  it("is nothing at all after erasing, the alarm included", async () => {
    const object = limiter();
    await object.setLimit(50);
    await object.revokeKey("key_old");
    await ask(object, 1_000);
    await runDurableObjectAlarm(object);
    at(1_000);
    await ask(object, 1);
    const before = await stored(object);
    expect(Object.keys(before.entries)).toEqual(["counters", "limit", "revoked:key_old", "window"]);
    expect(before.alarm).not.toBeNull();

    await object.erase();
    expect(await stored(object)).toEqual({ entries: {}, alarm: null });
    expect(await object.counters()).toEqual({ admitted: 0, refused: 0 });
    expect(await ask(object, 1, "key_old")).toEqual({ outcome: "revoked" });
    expect(await ask(object, 1, "key_new")).toMatchObject({ outcome: "admitted", limit: 100, left: 99 });
  });
});
