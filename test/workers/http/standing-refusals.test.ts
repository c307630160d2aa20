/** Section 7: a refusal stands for a moment at the edge, so that a flood of refused requests is none for the object. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { MOST_REFUSALS, REFUSAL_STANDS_MS } from "../../../src/core/limit/policy.ts";
import { envWith, limiterWith, objectError, sendWith } from "../support/faulty-env.ts";
import { batch, capture, track, tracks } from "../support/messages.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const LIMIT = 3;

let workspace: TestWorkspace;
let limiter: ReturnType<typeof limiterWith>;
/** The clock that a refusal stands by; like that of its wait, it goes on only when a test says so. */
let clock = 0;
beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: LIMIT });
  limiter = limiterWith((run) => run());
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  vi.setSystemTime(Date.now());
  const { status } = await post(batch(tracks(LIMIT)));
  if (status !== 200) throw new Error(`the limit was not there to be used up: ${status}`);
});
const letTimeGoOn = (): void => {
  vi.restoreAllMocks();
  vi.useRealTimers();
};
afterEach(letTimeGoOn);

const post = (body: unknown, path = CDP, key = workspace.key): Promise<Answer> =>
  sendWith(envWith({ WRITE_LIMITER: limiter.WRITE_LIMITER }), "POST", path, body, {
    headers: { Authorization: `Bearer ${key}` },
  });

/** How often the object is asked to let in what `work` sends. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const before = limiter.calls("admit");
  await work();
  return limiter.calls("admit") - before;
}

/** Keeps refusals, as all else that waits, from being counted by the object until it is told to go on: then nothing waits. */
function holdCounts(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(scheduler, "wait").mockReturnValue(promise);
  return resolve;
}

const counters = () => env.WRITE_LIMITER.getByName(workspace.id).counters();

const waitOf = ({ status, headers }: Answer) => [status, headers.get("Retry-After"), headers.get("RateLimit")];

describe("§7 a refusal that stands", () => {
  it("§7 answers requests of the same cost without a call of the object, and says the same", async () => {
    const first = await post(track());
    expect(first.status).toBe(429);
    const calls = await callsOf(async () => {
      for (const [body, path] of [
        [track(), CDP],
        [capture(), NATIVE],
        [track({ event: "" }), CDP],
      ] as const) {
        const answer = await post(body, path);
        expect(answer).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
        for (const name of ["RateLimit-Policy", "RateLimit", "Retry-After", "X-RateLimit-Reset"]) {
          expect(answer.headers.get(name), name).toBe(first.headers.get(name));
        }
      }
    });
    expect(calls).toBe(0);
  });

  it("§7 ends when the first place may come free, however the clock came there", async () => {
    const now = Date.now() + 20_000;
    vi.setSystemTime(now);
    expect((await post(track())).status).toBe(200);
    vi.setSystemTime(now + 5_000);
    expect((await post(batch(tracks(LIMIT - 1)))).status).toBe(200);
    vi.setSystemTime(now + 9_950);
    expect((await post(batch(tracks(LIMIT - 1)))).status).toBe(429);
    vi.setSystemTime(now + 9_999);
    expect(await callsOf(() => post(batch(tracks(LIMIT - 1))))).toBe(0);
    vi.setSystemTime(now + 10_000);
    expect(await callsOf(() => post(batch(tracks(LIMIT - 1))))).toBe(1);
  });

  it("§7 bounds the calls of a flood, whether or not it leaves a place", async () => {
    for (const [before, cost] of [1, 7, 30, 60].entries()) {
      workspace = await newWorkspace({ writeLimit: 100 });
      const countThem = holdCounts();
      const admitted = Math.floor(100 / cost);
      const calls = await callsOf(async () => {
        for (let sent = 0; sent < admitted + 40; sent += 1) await post(batch(tracks(cost)));
      });
      expect([cost, calls]).toEqual([cost, admitted + (100 % cost === 0 ? 1 : MOST_REFUSALS + 1)]);
      countThem();
      await vi.waitFor(async () => expect((await counters()).refused).toBe(40 * cost), 10_000);
      expect([cost, limiter.calls("countRefused")]).toEqual([cost, before + 1]);
    }
  });

  it("§7 is none where a place is left: who is let in meanwhile makes the wait longer, and so it is told", async () => {
    const now = Date.now();
    const after = (ms: number) => vi.setSystemTime(now + 20_000 + ms);
    after(0);
    expect((await post(track())).status).toBe(200);
    after(1_050);
    expect(waitOf(await post(batch(tracks(LIMIT))))).toEqual([429, "9", `"writes";r=2;t=9`]);
    expect((await post(track())).status).toBe(200);
    after(1_100);
    expect(waitOf(await post(batch(tracks(LIMIT))))).toEqual([429, "10", `"writes";r=1;t=10`]);
    after(11_049);
    expect((await post(batch(tracks(LIMIT)))).status).toBe(429);
    after(11_050);
    expect((await post(batch(tracks(LIMIT)))).status).toBe(200);
  });

  it("§7 is asked for anew once its time is up", async () => {
    await post(track());
    clock += REFUSAL_STANDS_MS;
    expect(await callsOf(() => post(track()))).toBe(1);
  });

  it("§7 says nothing of requests of another cost, and nothing of other workspaces", async () => {
    await post(track());
    expect(await callsOf(() => post(batch(tracks(2))))).toBe(1);
    workspace = await newWorkspace({ writeLimit: LIMIT });
    expect((await post(track())).status).toBe(200);
  });

  it("§7 ends when the wait that it told is over, however the clock came there", async () => {
    const { headers } = await post(track());
    vi.setSystemTime(Date.now() + Number(headers.get("Retry-After")) * 1_000);
    expect((await post(track())).status).toBe(200);
  });

  it("§9 is counted by the object once it stands no more", async () => {
    const countThem = holdCounts();
    for (let sent = 0; sent < 5; sent += 1) await post(track());
    expect(await counters()).toEqual({ admitted: LIMIT, refused: 1 });
    countThem();
    await vi.waitFor(async () => expect(await counters()).toEqual({ admitted: LIMIT, refused: 5 }), 10_000);
  });

  it("§8 §9 a count that is lost on the way fails no request", async () => {
    await post(track());
    limiter = limiterWith(() => Promise.reject(objectError("Network connection lost.", { retryable: true })));
    expect((await post(track())).status).toBe(429);
  });
});

/** Past the edge, which goes on knowing the key. */
const revoke = (keyId: string) => env.WRITE_LIMITER.getByName(workspace.id).revokeKey(keyId);

describe("§9 what changes the object's mind is answered when no refusal stands any more", () => {
  /** By the clock that refusals stand by, as it really goes. */
  beforeEach(letTimeGoOn);

  it("§9 a raised limit holds for the very next write", async () => {
    expect((await post(track())).status).toBe(429);
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: LIMIT + 1 });
    expect((await post(track())).status).toBe(200);
  });

  it("§2 a revoked key is refused as such on the very next write, though it was refused just before", async () => {
    expect((await post(track())).status).toBe(429);
    await revoke(workspace.keyId);
    expect((await post(track())).status).toBe(401);
  });

  it("§2 a revoked key is refused as such while another one's refusal stands", async () => {
    const other = await workspace.newKey();
    expect((await post({ batch: [] }, CDP, other.key)).status).toBe(200);
    await revoke(other.keyId);
    expect((await post(track())).status).toBe(429);
    expect((await post(track(), CDP, other.key)).status).toBe(401);
  });

  it("§9 so are the keys of an erased workspace", async () => {
    expect((await post(track())).status).toBe(429);
    await admin("DELETE", `/workspaces/${workspace.id}`);
    expect((await post(track())).status).toBe(401);
  });
});
