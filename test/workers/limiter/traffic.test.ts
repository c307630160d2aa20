/** What the workspace's object tells of messages over time, and of the limit in use. */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { TrafficBucket } from "../../../src/core/traffic/traffic.ts";
import type { OutcomeReport, WorkspaceTraffic } from "../../../src/limiter/limiter-rpc.ts";
import { objectStorage } from "../support/full-workspace.ts";

const T0 = Date.UTC(2100, 0, 1, 12);
const MINUTE_MS = 60_000;
const at = (ms: number) => vi.setSystemTime(T0 + ms);
const report = (ms: number, counts: Partial<OutcomeReport> = { stored: 1 }): OutcomeReport => ({
  stored: 0,
  duplicates: 0,
  rejected: 0,
  ...counts,
  at: T0 + ms,
});

let workspace: string;
let object: ReturnType<Env["WRITE_LIMITER"]["getByName"]>;
beforeEach(() => {
  at(0);
  workspace = crypto.randomUUID();
  object = env.WRITE_LIMITER.getByName(workspace);
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = async (cost: number, reported?: OutcomeReport, keyId = "key_1") =>
  await object.admit({ keyId, cost, ...(reported && { report: reported }) });
const traffic = async (): Promise<WorkspaceTraffic> => await object.traffic();

/** The buckets in which something is, with the minutes or hours from T0. */
const filled = (buckets: TrafficBucket[], widthMs: number) =>
  buckets
    .filter(({ stored, duplicates, rejected, limited }) => stored + duplicates + rejected + limited > 0)
    .map(({ start, stored, duplicates, rejected, limited }) => [
      (start - T0) / widthMs,
      stored,
      duplicates,
      rejected,
      limited,
    ]);
const minutes = async () => filled((await traffic()).minutes, MINUTE_MS);
const hours = async () => filled((await traffic()).hours, 60 * MINUTE_MS);

describe("messages over time", () => {
  it("are what edges report with their next request, at the time when it was so", async () => {
    await ask(10);
    at(3 * MINUTE_MS);
    await ask(1, report(59_000, { stored: 7, duplicates: 2, rejected: 1 }));
    await ask(1, report(3 * MINUTE_MS));
    expect(await minutes()).toEqual([
      [0, 7, 2, 1, 0],
      [3, 1, 0, 0, 0],
    ]);
    expect(await hours()).toEqual([[0, 8, 2, 1, 0]]);
    at(60 * MINUTE_MS);
    expect(await minutes()).toEqual([[3, 1, 0, 0, 0]]);
    at(48 * 60 * MINUTE_MS - 1);
    expect([await minutes(), await hours()]).toEqual([[], [[0, 8, 2, 1, 0]]]);
    at(48 * 60 * MINUTE_MS);
    expect(await hours()).toEqual([]);
  });

  it("§7 are limited where they are refused, here or by a refusal that stands at an edge", async () => {
    await ask(100);
    await ask(30);
    at(MINUTE_MS);
    await object.countRefused(12);
    expect(await minutes()).toEqual([
      [0, 0, 0, 0, 30],
      [1, 0, 0, 0, 12],
    ]);
  });

  it("are counted when they come with a request that is refused, or by a key that was revoked", async () => {
    await ask(100);
    await object.revokeKey("key_old");
    expect(await ask(1, report(0))).toMatchObject({ outcome: "refused" });
    expect(await ask(1, report(0), "key_old")).toEqual({ outcome: "revoked" });
    expect(await minutes()).toEqual([[0, 2, 0, 0, 1]]);
  });

  it("are told with what the edge that asks knows, and with what an edge reports at once", async () => {
    await object.countOutcomes(report(0));
    const { minutes: told } = (await object.traffic(report(0))) as WorkspaceTraffic;
    expect(filled(told, MINUTE_MS)).toEqual([[0, 2, 0, 0, 0]]);
  });

  it("§9 change nothing in the numbers that administrators are told", async () => {
    await ask(10, report(0, { stored: 500 }));
    await object.countOutcomes(report(0, { rejected: 500 }));
    expect(await object.counters()).toEqual({ admitted: 10, refused: 0 });
  });
});

describe("§7 the limit in use", () => {
  it("§7 is what is charged in the last 10 s", async () => {
    expect(await traffic()).toMatchObject({ limit: 100, inUse: 0 });
    await ask(60);
    at(4_000);
    await ask(30);
    await ask(30);
    expect(await traffic()).toMatchObject({ limit: 100, inUse: 90 });
    at(10_000);
    expect(await traffic()).toMatchObject({ inUse: 30 });
    at(14_000);
    expect(await traffic()).toMatchObject({ inUse: 0 });
  });

  it("§7 is full, and not more, for as long as a large batch takes", async () => {
    await ask(250);
    expect(await traffic()).toMatchObject({ inUse: 100 });
    at(10_000);
    expect(await traffic()).toMatchObject({ inUse: 100 });
    at(20_000);
    expect(await traffic()).toMatchObject({ inUse: 50 });
    at(30_000);
    expect(await traffic()).toMatchObject({ inUse: 0 });
  });

  it("§7 goes down with what is given back, and knows a limit that was lowered", async () => {
    const admission = await ask(50);
    await ask(20);
    if (admission.outcome !== "admitted") throw new Error("not admitted");
    await object.giveBack(admission.charges);
    await object.setLimit(10);
    expect(await traffic()).toMatchObject({ limit: 10, inUse: 20 });
  });
});

describe("that somebody watches", () => {
  it("is said for 15 s after the traffic was asked for, to who is admitted and to who is refused", async () => {
    expect(await ask(1)).not.toHaveProperty("watched");
    await traffic();
    expect(await ask(1)).toMatchObject({ outcome: "admitted", watched: true });
    at(14_999);
    expect(await ask(101)).toMatchObject({ outcome: "admitted", watched: true });
    expect(await ask(1)).toMatchObject({ outcome: "refused", watched: true });
    at(15_000);
    expect(await ask(1)).not.toHaveProperty("watched");
    await traffic();
    expect(await ask(1)).toHaveProperty("watched");
  });

  it("is no longer said when the clock stepped back before that", async () => {
    await traffic();
    at(-1);
    expect(await ask(1)).not.toHaveProperty("watched");
  });
});

describe("what is stored", () => {
  it("is one value with the counters, saved as often as they are", async () => {
    await ask(1, report(0));
    expect(await objectStorage(workspace)).toMatchObject({
      entries: { counters: { admitted: 1, refused: 0, traffic: { minutes: [{ start: T0, stored: 1 }] } } },
      alarm: null,
    });
    await object.countOutcomes(report(0));
    await object.countOutcomes(report(0));
    const before = await objectStorage(workspace);
    expect(before).toMatchObject({
      entries: { counters: { traffic: { minutes: [{ stored: 1 }] } } },
      alarm: T0 + 5_000,
    });
    expect(await runDurableObjectAlarm(object)).toBe(true);
    const { entries, alarm } = await objectStorage(workspace);
    expect(entries).toMatchObject({ counters: { traffic: { minutes: [{ stored: 3 }] } } });
    expect([Object.keys(entries), alarm]).toEqual([["counters"], null]);
  });

  it("is nothing for who only looks", async () => {
    await traffic();
    expect(await objectStorage(workspace)).toEqual({ entries: {}, alarm: null });
  });

  it("outlives an eviction, and goes on from there", async () => {
    await ask(100, report(0, { stored: 90, duplicates: 7, rejected: 3 }));
    await ask(5);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    await evictDurableObject(object);
    expect(await minutes()).toEqual([[0, 90, 7, 3, 5]]);
    await object.countOutcomes(report(0));
    expect(await minutes()).toEqual([[0, 91, 7, 3, 5]]);
    expect(await object.counters()).toEqual({ admitted: 100, refused: 5 });
  });

  it("by a version before it has counters without traffic, and is read as such", async () => {
    await runInDurableObject(object, (_, { storage }) => storage.kv.put("counters", { admitted: 40, refused: 2 }));
    await abortAllDurableObjects();
    object = env.WRITE_LIMITER.getByName(workspace);
    expect([await minutes(), await object.counters()]).toEqual([[], { admitted: 40, refused: 2 }]);
    await ask(1, report(0));
    expect([await minutes(), await object.counters()]).toEqual([[[0, 1, 0, 0, 0]], { admitted: 41, refused: 2 }]);
  });

  it("§9 is nothing at all after erasing, whatever an edge still reports", async () => {
    await ask(100, report(0));
    await ask(1);
    await object.erase();
    await object.countOutcomes(report(0));
    await ask(1, report(0));
    const { minutes: told } = (await object.traffic(report(0))) as WorkspaceTraffic;
    expect(filled(told, MINUTE_MS)).toEqual([]);
    expect(await objectStorage(workspace)).toEqual({ entries: {}, alarm: null });
  });
});
