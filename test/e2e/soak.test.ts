/** A short `npm run soak`. It judges no times. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { LimitCheck } from "../soak/limit-check.ts";
import { soak } from "../soak/soak.ts";

const WORKSPACES = 8;
const RUN_MS = 12_000;
const TIMEOUT_MS = 240_000;

describe("a soak", () => {
  it(
    "finds every message stored once, counted once and folded once, and no failed request",
    async () => {
      const { messages, checks, problems } = await soak({ workspaces: WORKSPACES, forMs: RUN_MS, rowMs: RUN_MS });
      expect(problems).toEqual([]);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(messages).toBeGreaterThan(0);
      // A check of nothing always holds.
      const figure = (name: string) => checks.flatMap(({ figures }) => figures[name] ?? []);
      for (const name of ["checked", "acknowledged", "compared", "events"])
        expect(Math.max(...figure(name)), name).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe("the check of the write limit", () => {
  const LIMIT = 10;
  let check: LimitCheck;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    check = new LimitCheck(LIMIT);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const admit = (cost: number, tookMs = 0) => {
    const sent = check.send(cost);
    vi.advanceTimersByTime(tookMs);
    check.admit(sent, null);
  };

  it("finds a window with more than the limit", () => {
    admit(6);
    vi.advanceTimersByTime(9_900);
    admit(5);
    expect(check.figures).toMatchObject({ overfull: 1 });
  });

  it("leaves out a request that may belong to the window before", () => {
    admit(6, 200);
    vi.advanceTimersByTime(9_900);
    admit(5);
    expect(check.figures).toMatchObject({ overfull: 0 });
  });

  it("finds a refusal without a reason", () => {
    admit(6);
    check.refuse(check.send(4), null);
    expect(check.figures).toMatchObject({ refusals: 1, needless: 1 });
    check.refuse(check.send(5), null);
    expect(check.figures).toMatchObject({ refusals: 2, needless: 1 });
  });

  it("accepts a request in flight as a reason", () => {
    check.send(7);
    check.refuse(check.send(4), null);
    expect(check.figures).toMatchObject({ refusals: 1, needless: 0 });
  });

  it("finds a second refusal after Retry-After, unless another request came between", () => {
    admit(LIMIT);
    vi.advanceTimersByTime(1);
    const first = check.send(1);
    check.refuse(first, null);
    vi.advanceTimersByTime(5_000);
    const second = check.send(1);
    check.refuse(second, first);
    expect(check.figures).toMatchObject({ returned: 1, refusedAgain: 1 });
    admit(1);
    vi.advanceTimersByTime(5_000);
    check.refuse(check.send(1), second);
    expect(check.figures).toMatchObject({ returned: 1, refusedAgain: 1 });
  });
});
