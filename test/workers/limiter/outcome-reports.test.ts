/** What edges report to the workspace's object of the requests that came by them, and what that costs in calls. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { TrafficCounts } from "../../../src/core/traffic/traffic.ts";
import type { WorkspaceTraffic } from "../../../src/limiter/limiter-rpc.ts";
import { askForTraffic, noteOutcomes, takeUnreported } from "../../../src/limiter/traffic-reporter.ts";
import { IDENTITY, jsonBearer, newIdentityWorkspace } from "../identity/identified-workspace.ts";
import {
  D1_LOST,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  limiterWith,
  objectError,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const T0 = Date.UTC(2100, 0, 1, 12);
const MINUTE_MS = 60_000;
const HANG_MS = 20_000;

let workspace: TestWorkspace;
let limiter: ReturnType<typeof limiterWith>;
beforeEach(async () => {
  vi.setSystemTime(T0);
  workspace = await newWorkspace();
  limiter = limiterWith((run) => run());
});
afterEach(() => {
  vi.useRealTimers();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}, changes: Partial<Env> = {}) =>
  sendWith(envWith({ WRITE_LIMITER: limiter.WRITE_LIMITER, ...changes }), "POST", path, body, {
    headers: { Authorization: `Bearer ${workspace.key}`, ...headers },
  });
const statusOf = async (answer: Promise<Answer>) => (await answer).status;

const counted = ({ minutes }: WorkspaceTraffic): TrafficCounts => {
  const sum = (of: keyof TrafficCounts) => minutes.reduce((so, counts) => so + counts[of], 0);
  return { stored: sum("stored"), duplicates: sum("duplicates"), rejected: sum("rejected"), limited: sum("limited") };
};
/** By a console at the edge where the messages came by: it tells what it knows. */
const asked = async () => counted(await askForTraffic(env, workspace.id));
/** By a console at another edge: it knows nothing. */
const askedElsewhere = async () => counted(await env.WRITE_LIMITER.getByName(workspace.id).traffic());

/** So many round trips, all of which are answered at one moment. */
function together(count: number): Trip {
  const { promise, resolve } = Promise.withResolvers<void>();
  return async (run, number) => {
    const done = await run();
    if (number === count) resolve();
    await promise;
    return done;
  };
}

/** Two that are stored, one that is a duplicate and one that is rejected. */
const oneOfEach = (messageId: string) => [track(), track({ messageId }), track({ messageId }), { type: "page" }];

const LOST = objectError("Network connection lost.", { retryable: true });
const lostBefore: Trip = () => Promise.reject(LOST);
const lostAfterwards: Trip = async (run) => {
  await run();
  throw LOST;
};

const NOTHING: TrafficCounts = { stored: 0, duplicates: 0, rejected: 0, limited: 0 };

describe("what became of messages", () => {
  it("§4.5 is told to the message: stored, duplicate and rejected ones of every path", async () => {
    const once = { "Idempotency-Key": "k" };
    for (const headers of [{}, once, once]) expect(await statusOf(post(NATIVE, capture(), headers))).toBe(200);
    expect(await statusOf(post(CDP, batch([...tracks(5), track({ event: null }), { type: "page" }])))).toBe(200);
    expect(await statusOf(post("/v1/batch", batch([...tracks(7), track({ messageId: "m6" })])))).toBe(200);
    expect(await statusOf(post(CDP, track({ event: null })))).toBe(400);
    expect(await statusOf(post("/v1/page", { type: "page" }))).toBe(200);
    expect(await statusOf(post(CDP, batch([])))).toBe(200);
    expect(await statusOf(post(NATIVE, capture({ event: null })))).toBe(400);
    expect(await statusOf(post(CDP, { batch: 7 }))).toBe(400);
    expect(await asked()).toEqual({ stored: 9, duplicates: 7, rejected: 6, limited: 0 });
  });

  it("§7 is that they were limited, here or by a refusal that stands", async () => {
    expect(await statusOf(post(CDP, batch(tracks(98))))).toBe(200);
    for (let sent = 0; sent < 4; sent += 1) expect(await statusOf(post(CDP, batch(tracks(3, "n"))))).toBe(429);
    await vi.waitFor(async () => {
      expect(await asked()).toEqual({ stored: 98, duplicates: 0, rejected: 0, limited: 12 });
    }, HANG_MS);
    expect(await askForTraffic(env, workspace.id)).toMatchObject({ limit: 100, inUse: 98 });
  });

  it("§6 of an identity call is that one was stored, or nothing where it failed", async () => {
    const identified = await newIdentityWorkspace();
    workspace = identified;
    await identified.accept();
    await post(NATIVE, capture());
    const changed = envWith({});
    const traits = { traits: { name: "Jo Doe" } };
    for (const [userId, status] of [
      ["u1", 200],
      ["nobody", 404],
    ] as const) {
      const init = jsonBearer(workspace.key);
      expect((await sendWith(changed, "POST", IDENTITY, { userId, ...traits }, init)).status).toBe(status);
    }
    expect(await asked()).toEqual({ ...NOTHING, stored: 2 });
  });

  it.each([D1_OVERLOADED, D1_LOST])("§8 is nothing for a request that fails by '%s'", async (fault) => {
    await post(NATIVE, capture());
    const { DB } = databaseWith(failing(fault));
    expect(await statusOf(post(CDP, batch(tracks(5)), {}, { DB }))).toBe(503);
    expect(await asked()).toEqual({ ...NOTHING, stored: 1 });
  });

  it("§9 is nothing where the workspace is gone", async () => {
    await post(NATIVE, capture());
    await asked();
    await env.DB.prepare("UPDATE workspaces SET erased_at = ? WHERE id = ?").bind(T0, workspace.id).run();
    expect(await statusOf(post(CDP, batch(tracks(5))))).toBe(401);
    expect(takeUnreported(workspace.id)).toEqual({});
  });

  it("is told of each workspace its own", async () => {
    await post(CDP, batch(tracks(3)));
    const before = workspace;
    workspace = await newWorkspace();
    await post(NATIVE, capture());
    expect(await asked()).toEqual({ ...NOTHING, stored: 1 });
    workspace = before;
    expect(await asked()).toEqual({ ...NOTHING, stored: 3 });
  });

  it("stands in the minute in which it was so, however late it is reported", async () => {
    await post(CDP, batch(tracks(3)));
    vi.setSystemTime(T0 + 20 * MINUTE_MS);
    await post(NATIVE, capture());
    const { minutes } = await askForTraffic(env, workspace.id);
    expect([minutes.at(-21), minutes.at(-1)]).toMatchObject([
      { start: T0, stored: 3 },
      { start: T0 + 20 * MINUTE_MS, stored: 1 },
    ]);
    expect(minutes.filter(({ stored }) => stored > 0)).toHaveLength(2);
  });
});

describe("while nobody watches", () => {
  it("a report costs no call: it rides along with the next request, once", async () => {
    for (let sent = 1; sent <= 5; sent += 1) {
      await post(NATIVE, capture());
      expect(limiter.calls()).toBe(sent);
    }
    // By then the console at another edge has been told all but the last.
    expect(await askedElsewhere()).toEqual({ ...NOTHING, stored: 4 });
  });

  it("§8 a report is never counted twice, nor does it fail a request, when the call that it rides along with is lost", async () => {
    await post(CDP, batch(tracks(3)));
    limiter = limiterWith((run, number) => (number === 1 ? lostAfterwards(run, number) : run()));
    expect(await statusOf(post(NATIVE, capture()))).toBe(200);
    expect(limiter.calls()).toBe(2);
    expect(await asked()).toEqual({ ...NOTHING, stored: 4 });
  });

  it("reports are kept for the thousand workspaces that were noted last", () => {
    const prefix = crypto.randomUUID();
    for (let number = 0; number <= 1_000; number += 1) {
      noteOutcomes(env, `${prefix} ${number}`, { stored: 1, duplicates: 0, rejected: 0 });
    }
    expect(takeUnreported(`${prefix} 0`)).toEqual({});
    for (let number = 1; number <= 1_000; number += 1) {
      expect(takeUnreported(`${prefix} ${number}`)).toMatchObject({ report: { stored: 1 } });
    }
  });
});

describe("while somebody watches", () => {
  it("a burst is told to its last message though nothing comes after it, in one call more", async () => {
    const { DB } = databaseWith(together(5));
    expect(await askedElsewhere()).toEqual(NOTHING);
    const burst = Array.from({ length: 5 }, (_, place) => batch(oneOfEach(`m${place}`)));
    await Promise.all(burst.map((body) => post(CDP, body, {}, { DB })));
    expect(limiter.calls()).toBe(5);
    const all = { stored: 10, duplicates: 5, rejected: 5, limited: 0 };
    await vi.waitFor(async () => expect(await askedElsewhere()).toEqual(all), HANG_MS);
    expect(limiter.calls()).toBe(6);
  });

  it("each burst is told", async () => {
    for (let burst = 1; burst <= 3; burst += 1) {
      await askedElsewhere();
      await post(CDP, batch(tracks(2, `burst-${burst}-`)));
      await vi.waitFor(async () => expect(await askedElsewhere()).toEqual({ ...NOTHING, stored: 2 * burst }), HANG_MS);
    }
    expect(limiter.calls()).toBe(6);
  });

  it("a burst that rode along to its end costs no call more", async () => {
    await askedElsewhere();
    await post(NATIVE, capture());
    expect(await asked()).toEqual({ ...NOTHING, stored: 1 });
    await scheduler.wait(1_000);
    expect(limiter.calls()).toBe(1);
  });

  it.each([
    ["a report", lostBefore, 3],
    ["the answer to a report", lostAfterwards, 5],
  ])("§8 %s that is lost fails no request, and nothing is counted twice", async (_, fate, stored) => {
    await askedElsewhere();
    limiter = limiterWith((run, number) => (number === 2 ? fate(run, number) : run()));
    expect(await statusOf(post(CDP, batch(tracks(2))))).toBe(200);
    await vi.waitFor(() => expect(limiter.calls()).toBe(2), HANG_MS);
    expect(await statusOf(post(CDP, batch(tracks(3, "n"))))).toBe(200);
    await vi.waitFor(async () => expect(await askedElsewhere()).toEqual({ ...NOTHING, stored }), HANG_MS);
    expect(limiter.calls()).toBe(4);
  });

  it("no more, it costs no call again", async () => {
    await askedElsewhere();
    await post(NATIVE, capture());
    await vi.waitFor(() => expect(limiter.calls()).toBe(2), HANG_MS);
    vi.setSystemTime(T0 + 15_000);
    await post(NATIVE, capture());
    await scheduler.wait(1_000);
    expect(limiter.calls()).toBe(3);
  });
});
