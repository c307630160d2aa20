/** Writes that meet: which go together, what each of them is answered, and what a fault of a group means to its members. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { commit } from "../../../src/db/ingest/group-commit.ts";
import {
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
/** So many go at once; those that come meanwhile wait. */
const AT_ONCE = 2;
const MAX_GROUP = 16;

/** The first trips wait until they are let go; `later` decides of those after them, counted from 1. */
function heldDatabase(later: Trip = (run) => run()) {
  const held = Promise.withResolvers<void>();
  const { DB, trips } = databaseWith(async (run, number) => {
    if (number > AT_ONCE) return later(run, number - AT_ONCE);
    await held.promise;
    return run();
  });
  return { DB, trips, letGo: () => held.resolve() };
}

const isBroken = (n: number): boolean => n % 40 === 39;

/** Gives what has begun the time to come to where it waits. */
const settled = () => scheduler.wait(20);

const post = ({ key }: TestWorkspace, messageId: string, database: Env) =>
  sendWith(database, "POST", CDP, track({ messageId }), { headers: { Authorization: `Bearer ${key}` } });

const storedIds = async (tenant: TestWorkspace) =>
  (await tenant.get("/api/v1/events?limit=200")).body.events?.map(({ messageId }) => messageId).toSorted();

afterEach(() => vi.useRealTimers());

describe("writes", () => {
  const kept: Promise<void>[] = [];
  const value = async (database: D1Database, wanted: number | string, sql = "SELECT ?1 AS value") => {
    const { results } = await commit(database, { sql, values: [wanted] }, (work) => kept.push(work));
    return results.map((row) => row["value"]);
  };

  it("that meet no others go at once, each by itself", async () => {
    const { DB, trips } = databaseWith((run) => run());
    for (const wanted of [1, 2, 3]) expect(await value(DB, wanted)).toEqual([wanted]);
    expect(trips()).toBe(3);
  });

  it("that meet go together, after those under way, and each gets its own rows", async () => {
    const { DB, trips, letGo } = heldDatabase();
    const all = Array.from({ length: 12 }, (_, n) => value(DB, n));
    await settled();
    expect(trips()).toBe(AT_ONCE);
    letGo();
    expect(await Promise.all(all)).toEqual(Array.from({ length: 12 }, (_, n) => [n]));
    expect(trips()).toBe(AT_ONCE + 1);
  });

  it("are no more than sixteen in a transaction", async () => {
    const { DB, trips, letGo } = heldDatabase();
    const all = Array.from({ length: AT_ONCE + 2 * MAX_GROUP + 1 }, (_, n) => value(DB, n));
    await settled();
    letGo();
    expect((await Promise.all(all)).flat()).toEqual(Array.from(all, (_, n) => n));
    expect(trips()).toBe(AT_ONCE + 3);
  });

  it("are no more than two transactions at a time, those of groups and of what goes alone after a fault included", async () => {
    let [now, most] = [0, 0];
    const { DB } = databaseWith(async (run) => {
      most = Math.max(most, (now += 1));
      try {
        return await run();
      } finally {
        now -= 1;
      }
    });
    const all = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => value(DB, n, isBroken(n) ? "SELECT ?1 FROM nowhere" : undefined)),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map((_, n) => (isBroken(n) ? "rejected" : "fulfilled")));
    expect(most).toBe(AT_ONCE);
  });

  it("wait no longer than a second for those under way", async () => {
    const { DB, letGo } = heldDatabase();
    const stuck = [value(DB, 1), value(DB, 2)];
    expect(await Promise.all([value(DB, 3), value(DB, 4)])).toEqual([[3], [4]]);
    letGo();
    expect(await Promise.all(stuck)).toEqual([[1], [2]]);
  });

  it("keep their requests until they are answered", async () => {
    kept.length = 0;
    const { DB, letGo } = heldDatabase();
    const all = Array.from({ length: 5 }, (_, n) => value(DB, n));
    expect(kept).toHaveLength(5);
    let ended = 0;
    for (const work of kept) void work.then(() => (ended += 1));
    await settled();
    expect(ended).toBe(0);
    letGo();
    await Promise.all([...all, ...kept]);
  });

  it("that fail by themselves undo no other one, and the others are stored once", async () => {
    const id = crypto.randomUUID();
    const insert =
      "INSERT INTO workspaces (id, name, write_limit, created_at) VALUES (?1, 'a test', 1, 0) RETURNING id AS value";
    const { DB, letGo } = heldDatabase();
    const all = Promise.allSettled([
      value(DB, 1),
      value(DB, 2),
      value(DB, `ws_${id}_a`, insert),
      value(DB, 3, "SELECT value FROM nowhere WHERE value = ?1"),
      value(DB, `ws_${id}_b`, insert),
    ]);
    await settled();
    letGo();
    const [, , first, broken, second] = await all;
    expect(first).toEqual({ status: "fulfilled", value: [`ws_${id}_a`] });
    expect(second).toEqual({ status: "fulfilled", value: [`ws_${id}_b`] });
    expect(broken).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("nowhere") } });
    const { results } = await env.DB.prepare("SELECT id FROM workspaces WHERE id LIKE ?").bind(`ws_${id}%`).all();
    expect(results).toHaveLength(2);
  });

  it.each([
    ["that is overloaded, which is not asked again", D1_OVERLOADED, 1, true],
    ["that is lost twice", D1_LOST, 2, false],
  ])("are all told of a database %s", async (_what, message, times, notApplied) => {
    const { DB, trips, letGo } = heldDatabase(() => Promise.reject(new Error(message)));
    const first = [value(DB, 1), value(DB, 2)];
    const group = Promise.allSettled(Array.from({ length: 4 }, (_, n) => value(DB, n)));
    await settled();
    letGo();
    for (const one of await group) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
      expect(one).toMatchObject({ reason: { notApplied } });
    }
    await Promise.all(first);
    expect(trips()).toBe(AT_ONCE + times);
  });

  it("alone after a fault do not go on when the database is overloaded, and nobody is told that nothing was done", async () => {
    const { DB, trips, letGo } = heldDatabase(async (run, number) => {
      if (number > 1) throw new Error(D1_OVERLOADED);
      await run();
      throw new Error("D1_ERROR: Failed to parse body as JSON");
    });
    const first = [value(DB, 1), value(DB, 2)];
    const group = Promise.allSettled([value(DB, 3), value(DB, 4), value(DB, 5)]);
    await settled();
    letGo();
    for (const one of await group) {
      expect(one).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
      expect(one).toMatchObject({ reason: { notApplied: false } });
    }
    await Promise.all(first);
    expect(trips()).toBe(AT_ONCE + 2);
  });

  it("do not join a group whose request was ended by the runtime, nor wait for a transaction that was", async () => {
    const { DB, trips } = heldDatabase();
    // No timer of theirs will ever fire.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const startedAt = Date.now();
    for (const lost of [1, 2, 3]) void value(DB, lost);
    vi.useRealTimers();
    await settled();
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt + 2_000 });
    expect(await Promise.all([value(DB, 4), value(DB, 5)])).toEqual([[4], [5]]);
    expect(trips()).toBe(AT_ONCE + 1);
    vi.setSystemTime(startedAt + 30_000);
    expect(await value(DB, 6)).toEqual([6]);
    expect(await value(DB, 7)).toEqual([7]);
    expect(trips()).toBe(AT_ONCE + 3);
  });

  it("that come after a fault are answered", async () => {
    const { DB, letGo } = heldDatabase((run, number) =>
      number === 1 ? Promise.reject(new Error(D1_OVERLOADED)) : run(),
    );
    const all = Promise.allSettled(Array.from({ length: 5 }, (_, n) => value(DB, n)));
    await settled();
    letGo();
    expect((await all).map(({ status }) => status)).toEqual([
      ...Array(AT_ONCE).fill("fulfilled"),
      ...Array(3).fill("rejected"),
    ]);
    expect(await Promise.all([value(DB, 5), value(DB, 6), value(DB, 7)])).toEqual([[5], [6], [7]]);
  });
});

describe("messages of tenants that meet", () => {
  const PLACES = 1_000;
  let tenants: TestWorkspace[];
  /** Each with a user whose account is known: their next track takes the short way. */
  beforeEach(async () => {
    tenants = await Promise.all([1, 2, 3].map(() => newWorkspace({ writeLimit: PLACES })));
    for (const tenant of tenants) await post(tenant, "warm", envWith({}));
  });

  /** The same ids of all of them, in turn. They meet once all of them were let in. */
  const meet = async (later: Trip, ids: readonly string[]) => {
    const { DB, trips, letGo } = heldDatabase(later);
    let admitted = 0;
    const { WRITE_LIMITER } = limiterWith(async (run) => {
      const done = await run();
      admitted += 1;
      return done;
    });
    const all = ids.flatMap((id) => tenants.map((tenant) => post(tenant, id, envWith({ DB, WRITE_LIMITER }))));
    await vi.waitUntil(() => admitted === all.length, { timeout: 10_000 });
    await settled();
    letGo();
    return { answers: await Promise.all(all), trips: trips() };
  };

  /** Tenant by tenant. */
  const answersOf = (answers: Answer[]) =>
    tenants.map((_, tenant) => answers.filter((_answer, place) => place % tenants.length === tenant));

  const used = async (tenant: TestWorkspace) => {
    const { headers } = await post(tenant, "warm", envWith({}));
    return PLACES - Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]) - 1;
  };

  it("§4.4 are stored once for each of them, and a duplicate is told to the one that sent it", async () => {
    const { answers, trips } = await meet((run) => run(), ["a", "b", "b", "c"]);
    expect(trips).toBe(AT_ONCE + 1);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const own of answersOf(answers)) {
      const told = own.map(({ body: { stored, duplicates } }) => `${stored} stored, ${duplicates} duplicates`);
      expect(told.filter((one) => one === "1 stored, 0 duplicates")).toHaveLength(3);
      expect(told).toContain("0 stored, 1 duplicates");
    }
    for (const tenant of tenants) expect(await storedIds(tenant)).toEqual(["a", "b", "c", "warm"]);
    const accounts = answersOf(answers).map((own) => new Set(own.map(({ body }) => body.account?.id)));
    expect(accounts.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(accounts.flatMap((own) => [...own])).size).toBe(tenants.length);
  });

  it("§4.4 §8 are stored once when the answer to their group is lost", async () => {
    const { answers } = await meet(
      async (run, number) => {
        const done = await run();
        if (number === 1) throw new Error(D1_LOST);
        return done;
      },
      ["a", "b", "c"],
    );
    expect(answers.map(({ status, body }) => [status, body.stored])).toEqual(answers.map(() => [200, 1]));
    for (const tenant of tenants) expect(await storedIds(tenant)).toEqual(["a", "b", "c", "warm"]);
  });

  it("§7 §8 are given back their charges when their group is refused outright", async () => {
    const { answers } = await meet(() => Promise.reject(new Error(D1_OVERLOADED)), ["a", "b", "c"]);
    const counts = [200, 503].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(counts).toEqual([AT_ONCE, answers.length - AT_ONCE]);
    const stored = answersOf(answers).map((own) => own.filter(({ status }) => status === 200).length);
    expect(await Promise.all(tenants.map(used))).toEqual(stored.map((count) => count + 1));
    for (const [place, tenant] of tenants.entries())
      expect(await storedIds(tenant)).toHaveLength((stored[place] ?? 0) + 1);
  });

  it("§4.3 are stored, though one of them takes the long way: its user was erased meanwhile", async () => {
    const [first, erasing] = tenants;
    if (first === undefined || erasing === undefined) throw new Error("there are tenants");
    const { DB, letGo } = heldDatabase();
    const held = [post(first, "x", envWith({ DB })), post(first, "y", envWith({ DB }))];
    const meeting = tenants.map((tenant) => post(tenant, "a", envWith({ DB })));
    await settled();
    const { key } = erasing;
    const headers = { Authorization: `Bearer ${key}` };
    const gone = await sendWith(envWith({}), "DELETE", "/api/v1/users/u1", undefined, { headers });
    expect(gone.status).toBe(200);
    letGo();
    for (const { status, body } of await Promise.all([...held, ...meeting])) {
      expect([status, body.stored]).toEqual([200, 1]);
    }
    for (const tenant of tenants) expect(await storedIds(tenant)).toContain("a");
  });
});
