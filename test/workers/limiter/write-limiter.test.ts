import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

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

/** The same object after a restart that it knew nothing of, as at a crash: what was in memory only is gone. */
async function restarted(object: Limiter): Promise<Limiter> {
  await abortAllDurableObjects();
  return env.WRITE_LIMITER.get(object.id);
}

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
      standsForMs: 0,
      limit: 100,
      left: 40,
      resetMs: 6_000,
    });
    at(9_999);
    expect(await ask(object, 41)).toMatchObject({ outcome: "refused", retryAfterMs: 1 });
    at(10_000);
    expect(await ask(object, 41)).toMatchObject({ outcome: "admitted", left: 59 });
  });

  it("lets a refusal stand until the first place comes free where none is left, for 100 ms at most", async () => {
    const object = limiter();
    await ask(object, 60);
    at(5_000);
    await ask(object, 40);
    expect(await ask(object, 41)).toMatchObject({ outcome: "refused", retryAfterMs: 5_000, standsForMs: 100 });
    expect(await ask(object, 61)).toMatchObject({ outcome: "refused", retryAfterMs: 10_000, standsForMs: 100 });
    at(9_970);
    expect(await ask(object, 61)).toMatchObject({ outcome: "refused", retryAfterMs: 5_030, standsForMs: 30 });
    at(10_000);
    expect(await ask(object, 61)).toMatchObject({ outcome: "refused", left: 60, standsForMs: 0 });
  });

  it("lets refusals stand where places are left, too, once it has refused ten within 100 ms", async () => {
    const object = limiter();
    const refusals = async (count: number) => {
      const told = await Promise.all(Array.from({ length: count }, () => ask(object, 60)));
      return told.map((one) => (one.outcome === "refused" ? one.standsForMs : one.outcome));
    };
    await ask(object, 60);
    at(1_000);
    expect(await refusals(6)).toEqual(Array.from({ length: 6 }, () => 0));
    at(1_099);
    expect(await refusals(6)).toEqual([0, 0, 0, 0, 100, 100]);
    at(1_100);
    expect(await refusals(1)).toEqual([0]);
    at(9_990);
    expect(await refusals(11)).toEqual([...Array.from({ length: 10 }, () => 0), 10]);
    at(9_000);
    expect(await refusals(1)).toEqual([0]);
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
    let object = limiter();
    await object.revokeKey("key_1");
    await object.revokeKey("key_2");
    object = await restarted(object);
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
    let object = limiter();
    await object.setLimit(7);
    object = await restarted(object);
    expect(await ask(object, 3)).toMatchObject({ outcome: "admitted", limit: 7, left: 4 });
  });
});

describe("a restart", () => {
  it("forgets no charge that lies ahead", async () => {
    let object = limiter();
    await ask(object, 1_000);
    object = await restarted(object);
    at(15_000);
    expect(await ask(object, 1)).toMatchObject({ outcome: "refused", retryAfterMs: 85_000 });
    at(99_999);
    expect(await ask(object, 1)).toMatchObject({ outcome: "refused", retryAfterMs: 1 });
    at(100_000);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("may forget charges within the window", async () => {
    let object = limiter();
    await ask(object, 100);
    object = await restarted(object);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });

  it("brings back no charge ahead that was given back", async () => {
    let object = limiter();
    const admission = await ask(object, 1_000);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    await object.giveBack(admission.charges);
    object = await restarted(object);
    expect(await ask(object, 100)).toMatchObject({ outcome: "admitted" });
  });
});

describe("the counters", () => {
  it("survive a restart once they are saved, and go on from there", async () => {
    let object = limiter();
    await ask(object, 90);
    await ask(object, 20);
    await object.saveCounters();
    object = await restarted(object);
    expect(await object.counters()).toEqual({ admitted: 90, refused: 20 });
    await ask(object, 5);
    expect(await object.counters()).toEqual({ admitted: 95, refused: 20 });
  });

  it("are saved at once, and what is counted just after some seconds later", { timeout: 30_000 }, async () => {
    vi.useRealTimers();
    const object = limiter();
    const saved = async () => (await stored(object)).entries["counters"];
    await ask(object, 2);
    expect(await saved()).toMatchObject({ admitted: 2, refused: 0 });
    await ask(object, 3);
    await ask(object, 96);
    expect(await saved()).toMatchObject({ admitted: 2, refused: 0 });
    await vi.waitFor(async () => expect(await saved()).toMatchObject({ admitted: 5, refused: 96 }), 25_000);
  });

  it("hold no object in memory that is asked less often than they are saved", async () => {
    let object = limiter();
    for (const [place, ms] of [0, 5_000, 10_000].entries()) {
      at(ms);
      await ask(object, 1);
      object = await restarted(object);
      expect(await object.counters()).toEqual({ admitted: place + 1, refused: 0 });
    }
  });

  it("never fall below nothing when a restart forgot what is given back", async () => {
    let object = limiter();
    const admission = await ask(object, 10);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    object = await restarted(object);
    await object.giveBack(admission.charges);
    expect(await object.counters()).toEqual({ admitted: 0, refused: 0 });
  });
});

describe("what is stored", () => {
  it("is nothing but the counters for usual requests, admitted, refused or given back", async () => {
    const object = limiter();
    const admission = await ask(object, 100);
    await ask(object, 1);
    if (admission.outcome === "admitted") await object.giveBack(admission.charges);
    expect(Object.keys((await stored(object)).entries)).toEqual(["counters"]);
  });

  it("is nothing at all after erasing, and all keys of the workspace are refused then", async () => {
    const object = limiter();
    await object.setLimit(50);
    await object.revokeKey("key_old");
    const admission = await ask(object, 1_000);
    await object.saveCounters();
    const before = await stored(object);
    expect(Object.keys(before.entries)).toEqual(["counters", "limit", "revoked:key_old", "window"]);

    await object.erase();
    expect(await ask(object, 1, "key_old")).toEqual({ outcome: "revoked" });
    expect(await ask(object, 1, "key_new")).toEqual({ outcome: "revoked" });
    if (admission.outcome === "admitted") await object.giveBack(admission.charges);
    await object.setLimit(70);
    await object.revokeKey("key_new");
    expect(await stored(object)).toEqual({ entries: {}, alarm: null });
  });
});
