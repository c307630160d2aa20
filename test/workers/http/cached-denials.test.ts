/** Section 7: the edge caches the denial of a full window for a moment, so that a flood does not reach the limiter. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DENIAL_TTL_MS } from "../../../src/core/limit/policy.ts";
import { envWith, limiterWith, sendWith } from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import { type Answer, refusal } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const LIMIT = 3;
const T0 = Date.UTC(2100, 0, 1);
/** Sets both clocks: the wall clock, which times waits, and the monotonic one. */
function at(ms: number): void {
  vi.setSystemTime(T0 + ms);
  vi.spyOn(performance, "now").mockReturnValue(ms);
}

let workspace: TestWorkspace;
let limiter: ReturnType<typeof limiterWith>;
beforeEach(async () => {
  at(0);
  workspace = await newWorkspace({ writeLimit: LIMIT });
  limiter = limiterWith((run) => run());
});
const realClocks = () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
};
afterEach(realClocks);

const post = (body: unknown, path = CDP, key = workspace.key): Promise<Answer> =>
  sendWith(envWith({ WRITE_LIMITER: limiter.WRITE_LIMITER }), "POST", path, body, {
    headers: { Authorization: `Bearer ${key}` },
  });

const cacheDenial = async () => expect((await post(track())).status).toBe(429);

const fillWindow = async () => expect((await post(batch(tracks(LIMIT)))).status).toBe(200);

async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const before = limiter.calls("consume");
  await work();
  return limiter.calls("consume") - before;
}

const waitOf = ({ status, headers }: Answer) => [status, headers.get("Retry-After"), headers.get("RateLimit")];

describe("§7 a cached denial", () => {
  it("§7 gives requests of the same cost the same headers, without a call of the limiter", async () => {
    await fillWindow();
    const first = await post(track());
    expect(first.status).toBe(429);
    const calls = await callsOf(async () => {
      for (const [body, path] of [
        [track(), CDP],
        [capture(), NATIVE],
        [track({ event: "" }), CDP],
      ] as const) {
        const answer = await post(body, path);
        expect(answer).toMatchObject(refusal(429, "rate_limited"));
        for (const name of ["RateLimit-Policy", "RateLimit", "Retry-After", "X-RateLimit-Reset"]) {
          expect(answer.headers.get(name), name).toBe(first.headers.get(name));
        }
      }
    });
    expect(calls).toBe(0);
  });

  it("§7 does not apply to another cost, key or workspace", async () => {
    await fillWindow();
    await post(track());
    expect(await callsOf(() => post(batch(tracks(2))))).toBe(1);
    const other = await workspace.newKey();
    expect(await callsOf(() => post(track(), CDP, other.key))).toBe(1);
    workspace = await newWorkspace({ writeLimit: LIMIT });
    expect((await post(track())).status).toBe(200);
  });

  it("§7 expires after 100 ms", async () => {
    await fillWindow();
    await post(track());
    at(DENIAL_TTL_MS - 1);
    expect(await callsOf(() => post(track()))).toBe(0);
    at(DENIAL_TTL_MS);
    expect(await callsOf(() => post(track()))).toBe(1);
  });

  it("§7 expires when a place becomes free, and counts down its wait until then", async () => {
    expect((await post(track())).status).toBe(200);
    at(4_950);
    expect((await post(batch(tracks(2)))).status).toBe(200);
    at(9_940);
    expect(waitOf(await post(batch(tracks(2))))).toEqual([429, "6", `"writes";r=0;t=6`]);
    at(9_960);
    expect(await callsOf(async () => expect(waitOf(await post(batch(tracks(2))))[1]).toBe("5"))).toBe(0);
    at(10_000);
    expect(await callsOf(() => post(batch(tracks(2))))).toBe(1);
  });

  it("§7 is not cached while a place is free: another request may take it and lengthen the wait", async () => {
    expect((await post(track())).status).toBe(200);
    at(1_050);
    expect(waitOf(await post(batch(tracks(LIMIT))))).toEqual([429, "9", `"writes";r=2;t=9`]);
    expect((await post(track())).status).toBe(200);
    at(1_100);
    expect(waitOf(await post(batch(tracks(LIMIT))))).toEqual([429, "10", `"writes";r=1;t=10`]);
    at(11_050);
    expect((await post(batch(tracks(LIMIT)))).status).toBe(200);
  });
});

describe("§9 a change ends cached denials before its response", () => {
  beforeEach(async () => {
    realClocks();
    await fillWindow();
    await cacheDenial();
  });

  it("§9 so a raised limit applies to the next write", async () => {
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: LIMIT + 1 });
    expect((await post(track())).status).toBe(200);
  });

  it("§2 so a revoked key gets 401 on the next write, although the edge has it in its cache", async () => {
    await env.WRITE_LIMITER.getByName(workspace.id).revokeKey(workspace.keyId);
    expect((await post(track())).status).toBe(401);
  });

  it("§9 so the key of an erased workspace gets 401", async () => {
    await admin("DELETE", `/workspaces/${workspace.id}`);
    expect((await post(track())).status).toBe(401);
  });
});
