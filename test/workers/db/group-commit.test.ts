/** Group commit: which writes share a batch, what each returns, and how faults of the batch affect them. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type CallTimes, timeCalls } from "../../../src/call-times.ts";
import { directory } from "../../../src/db/client/database.ts";
import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { commit } from "../../../src/db/ingest/group-commit.ts";
import {
  D1_FULL,
  D1_LOST,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  limiterWith,
  sendWith,
  splitIsolates,
  type Trip,
} from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

splitIsolates();

const CDP = "/api/v1/cdp";
const MAX_BATCH = 16;

/** Holds the first trip to the database back until `release`. `later` handles the trips after it, from 1. */
function heldDatabase(later: Trip = (run) => run()) {
  const held = Promise.withResolvers<void>();
  const { DB, trips } = databaseWith(async (run, number) => {
    if (number > 1) return later(run, number - 1);
    await held.promise;
    return run();
  });
  return { DB, trips, release: () => held.resolve() };
}

/** Lets started work continue until it waits. */
const pause = () => scheduler.wait(20);

const post = ({ key }: TestWorkspace, messageId: string, changed: Env) =>
  sendWith(changed, "POST", CDP, track({ messageId }), { headers: { Authorization: `Bearer ${key}` } });

const storedIds = async (tenant: TestWorkspace) =>
  (await tenant.get("/api/v1/events?limit=200")).body.events?.map(({ messageId }) => messageId).toSorted();

const loseFirstAnswer: Trip = async (run, number) => {
  const done = await run();
  if (number === 1) throw new Error(D1_LOST);
  return done;
};

afterEach(() => vi.useRealTimers());

describe("writes", () => {
  const kept: Promise<void>[] = [];
  const value = async (database: D1Database, wanted: number | string, sql = "SELECT ?1 AS value") => {
    const { results } = await commit(directory(envWith({ DB: database })), { sql, values: [wanted] }, (work) =>
      kept.push(work),
    );
    return results.map((row) => row["value"]);
  };
  const values = (database: D1Database, count: number) =>
    Array.from({ length: count }, (_, n) => value(database, n + 1));

  it("go at once and alone when no batch is in flight", async () => {
    const { DB, trips } = databaseWith((run) => run());
    for (const wanted of [1, 2, 3]) expect(await value(DB, wanted)).toEqual([wanted]);
    expect(trips()).toBe(3);
  });

  it("wait for the batch in flight, then share one, and each gets its own rows", async () => {
    const { DB, trips, release } = heldDatabase();
    const all = values(DB, 12);
    await pause();
    expect(trips()).toBe(1);
    release();
    expect((await Promise.all(all)).flat()).toEqual(Array.from(all, (_, n) => n + 1));
    expect(trips()).toBe(2);
  });

  it("form batches of at most 16, one at a time", async () => {
    let [now, most] = [0, 0];
    const { DB, trips } = databaseWith(async (run) => {
      most = Math.max(most, (now += 1));
      try {
        return await run();
      } finally {
        now -= 1;
      }
    });
    const all = values(DB, 1 + 3 * MAX_BATCH);
    expect((await Promise.all(all)).flat()).toEqual(Array.from(all, (_, n) => n + 1));
    expect([trips(), most]).toEqual([4, 1]);
  });

  it("§8 time the wait for the batch in flight too", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { DB } = databaseWith(async (run) => {
      const result = await run();
      vi.setSystemTime(Date.now() + 7);
      return result;
    });
    const times: CallTimes[] = [{}, {}];
    await Promise.all(times.map((each) => timeCalls(each, () => value(DB, 1))));
    expect(times).toEqual([{ databaseMs: 7 }, { databaseMs: 14 }]);
  });

  it("wait no longer than a second for a slow batch", async () => {
    const { DB, release } = heldDatabase();
    const slow = value(DB, 1);
    expect(await Promise.all([value(DB, 2), value(DB, 3)])).toEqual([[2], [3]]);
    release();
    expect(await slow).toEqual([1]);
  });

  it("keep their requests alive until they have a result, and the sender of a batch until the batch has ended", async () => {
    kept.length = 0;
    const { DB, release } = heldDatabase();
    const all = values(DB, 3);
    expect(kept).toHaveLength(3 + 1);
    let ended = 0;
    for (const work of kept) void work.then(() => (ended += 1));
    await pause();
    expect(ended).toBe(0);
    release();
    await Promise.all([...all, ...kept]);
  });

  it("fail alone when their own statement is at fault, and the others are stored once", async () => {
    const id = crypto.randomUUID();
    const insert =
      "INSERT INTO workspaces (id, name, write_limit, database, created_at) VALUES (?1, 'a test', 1, 'DB', 0) RETURNING id AS value";
    const { DB, release } = heldDatabase();
    const all = Promise.allSettled([
      value(DB, 1),
      value(DB, `ws_${id}_a`, insert),
      value(DB, 2, "SELECT json('{' || ?1) AS value"),
      value(DB, `ws_${id}_b`, insert),
    ]);
    await pause();
    release();
    const [, first, broken, second] = await all;
    expect(first).toEqual({ status: "fulfilled", value: [`ws_${id}_a`] });
    expect(second).toEqual({ status: "fulfilled", value: [`ws_${id}_b`] });
    expect(broken).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("malformed JSON") },
    });
    const { results } = await env.DB.prepare("SELECT id FROM workspaces WHERE id LIKE ?").bind(`ws_${id}%`).all();
    expect(results).toHaveLength(2);
  });

  it.each([
    ["is overloaded, without a retry", D1_OVERLOADED, 1, true],
    ["is full, without a retry", D1_FULL, 1, true],
    ["is lost twice", D1_LOST, 2, false],
  ])("all fail when the database %s, and later ones succeed", async (_what, message, times, notApplied) => {
    const { DB, trips, release } = heldDatabase((run, number) =>
      number <= times ? Promise.reject(new Error(message)) : run(),
    );
    const first = value(DB, 1);
    const batch = Promise.allSettled(values(DB, 4));
    await pause();
    release();
    for (const one of await batch) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
      expect(one).toMatchObject({ reason: { notApplied } });
    }
    await first;
    expect(trips()).toBe(1 + times);
    expect((await Promise.all(values(DB, 3))).flat()).toEqual([1, 2, 3]);
  });

  it("are never certain that nothing was stored after an error that may hide a commit", async () => {
    const { DB, trips, release } = heldDatabase(async (run, number) => {
      if (number > 1) throw new Error(D1_OVERLOADED);
      await run();
      throw new Error("D1_ERROR: Failed to parse body as JSON");
    });
    const first = value(DB, 1);
    const batch = Promise.allSettled(values(DB, 3));
    await pause();
    release();
    for (const one of await batch) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
      expect(one).toMatchObject({ reason: { notApplied: false } });
    }
    await first;
    expect(trips()).toBe(3);
  });

  it("do not depend on a request that the runtime ended", async () => {
    const { DB, trips } = heldDatabase();
    // The timers of these two never fire, and their batch never ends.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    for (const lost of [1, 2]) void value(DB, lost);
    vi.useRealTimers();
    expect(await Promise.all([value(DB, 3), value(DB, 4)])).toEqual([[3], [4]]);
    expect(await value(DB, 5)).toEqual([5]);
    expect(trips()).toBe(3);
  });

  it("fail after 30 s when the batch that carries them is lost", async () => {
    const { DB } = heldDatabase();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const lost = Promise.allSettled([value(DB, 1)]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await lost).toMatchObject([{ reason: { name: "DatabaseUnavailable", notApplied: false } }]);
  });
});

describe("messages of several tenants in one batch", () => {
  const LIMIT = 1_000;
  let tenants: TestWorkspace[];
  /** Each tenant has a known user, so the next track takes the short path. */
  beforeEach(async () => {
    tenants = await Promise.all([1, 2, 3].map(() => newWorkspace({ writeLimit: LIMIT })));
    for (const tenant of tenants) await post(tenant, "warm", envWith({}));
  });

  /** Sends the same ids for every tenant, and lets the first trip go once all requests are charged. */
  const sendTogether = async (later: Trip, ids: readonly string[]) => {
    const { DB, trips, release } = heldDatabase(later);
    let charged = 0;
    const { WRITE_LIMITER } = limiterWith(async (run) => {
      const done = await run();
      charged += 1;
      return done;
    });
    const all = ids.flatMap((id) => tenants.map((tenant) => post(tenant, id, envWith({ DB, WRITE_LIMITER }))));
    await vi.waitUntil(() => charged === all.length, { timeout: 10_000 });
    await pause();
    release();
    return { answers: await Promise.all(all), trips: trips() };
  };

  const byTenant = (answers: Answer[]) =>
    tenants.map((_, tenant) => answers.filter((_answer, place) => place % tenants.length === tenant));

  const used = async (tenant: TestWorkspace) => {
    const { headers } = await post(tenant, "warm", envWith({}));
    return LIMIT - Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]) - 1;
  };

  it("§4.4 are stored once per tenant, and only the sender of a duplicate learns of it", async () => {
    const { answers, trips } = await sendTogether((run) => run(), ["a", "b", "b", "c"]);
    expect(trips).toBe(2);
    for (const own of byTenant(answers)) {
      const outcomes = own.map(({ body }) => `${body.stored} stored, ${body.duplicates} duplicates`);
      const one = "1 stored, 0 duplicates";
      expect(outcomes.toSorted()).toEqual(["0 stored, 1 duplicates", one, one, one]);
    }
    for (const tenant of tenants) expect(await storedIds(tenant)).toEqual(["a", "b", "c", "warm"]);
    const accounts = byTenant(answers).map((own) => new Set(own.map(({ body }) => body.account?.id)));
    expect(accounts.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(accounts.flatMap((own) => [...own])).size).toBe(tenants.length);
  });

  it("§4.4 §8 are stored once when the answer to their batch is lost", async () => {
    const { answers } = await sendTogether(loseFirstAnswer, ["a", "b", "c"]);
    expect(answers.map(({ status, body }) => [status, body.stored])).toEqual(answers.map(() => [200, 1]));
    for (const tenant of tenants) expect(await storedIds(tenant)).toEqual(["a", "b", "c", "warm"]);
  });

  it("§7 §8 are refunded when the database refuses their batch outright", async () => {
    const { answers } = await sendTogether(() => Promise.reject(new Error(D1_OVERLOADED)), ["a", "b", "c"]);
    const stored = byTenant(answers).map((own) => own.filter(({ status }) => status === 200).length);
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(answers.length - 1);
    expect(await Promise.all(tenants.map(used))).toEqual(stored.map((count) => count + 1));
  });

  it("§4.3 are stored when one of them needs the full transaction, because its user was erased meanwhile", async () => {
    const [first, erasing] = tenants;
    if (first === undefined || erasing === undefined) throw new Error("no tenants");
    const { DB, release } = heldDatabase();
    const held = post(first, "x", envWith({ DB }));
    const together = tenants.map((tenant) => post(tenant, "a", envWith({ DB })));
    await pause();
    const headers = { Authorization: `Bearer ${erasing.key}` };
    const erased = await sendWith(envWith({}), "DELETE", "/api/v1/users/u1", undefined, { headers });
    expect(erased.status).toBe(200);
    release();
    for (const { status, body } of await Promise.all([held, ...together])) {
      expect([status, body.stored]).toEqual([200, 1]);
    }
    for (const tenant of tenants) expect(await storedIds(tenant)).toContain("a");
  });
});
