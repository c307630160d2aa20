/** Examples of what the write limit decides. The properties show the rest: changing limits, refunds and clocks. */
import { describe, expect, it } from "vitest";
import { DEFAULT_WRITE_LIMIT, WRITE_WINDOW_MS } from "../../../src/core/limit/policy.ts";
import {
  consume,
  type Decision,
  EMPTY_WINDOW,
  refund,
  type RateLimitPolicy,
} from "../../../src/core/limit/write-window.ts";

const POLICY: RateLimitPolicy = { limit: DEFAULT_WRITE_LIMIT, windowMs: WRITE_WINDOW_MS };
const T0 = Date.UTC(2026, 0, 1);

/** Returns a window that keeps its state. Times count from `T0`. */
function newWindow() {
  let state = EMPTY_WINDOW;
  return {
    consume(cost: number, at: number): Decision {
      const decision = consume(state, cost, T0 + at, POLICY);
      state = decision.state;
      return decision;
    },
    refund(decision: Decision): void {
      if (decision.admitted) state = refund(state, decision.charges);
    },
    get state() {
      return state;
    },
  };
}

/** Returns the charges of an admission, each as its time from `T0` and its cost. */
const chargesOf = (decision: Decision): [number, number][] | "refused" =>
  decision.admitted ? decision.charges.map(({ at, cost }) => [at - T0, cost]) : "refused";

const waitOf = (decision: Decision): number | "admitted" => (decision.admitted ? "admitted" : decision.retryAfterMs);

describe("§7 requests up to the limit", () => {
  it("admits 100 messages at once and refuses the 101st", () => {
    const window = newWindow();
    expect(window.consume(99, 0)).toMatchObject({ admitted: true, left: 1, resetMs: 10_000 });
    expect(window.consume(1, 0)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
    expect(window.consume(1, 0)).toMatchObject({ admitted: false, left: 0, resetMs: 10_000, retryAfterMs: 10_000 });
  });

  it("frees a place exactly 10 s after its charge", () => {
    const window = newWindow();
    window.consume(100, 0);
    expect(waitOf(window.consume(1, 5_000))).toBe(5_000);
    expect(waitOf(window.consume(100, 9_999))).toBe(1);
    expect(window.consume(100, 10_000)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("never splits a batch", () => {
    const window = newWindow();
    window.consume(40, 0);
    window.consume(20, 3_000);
    expect(window.consume(41, 4_000)).toMatchObject({ admitted: false, left: 40, resetMs: 9_000, retryAfterMs: 6_000 });
    expect(window.consume(40, 4_000)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("keeps one charge per moment, and none that left the window", () => {
    const window = newWindow();
    for (const [cost, at] of [
      [1, 0],
      [1, 5],
      [2, 5],
      [3, 10_000],
    ] as const)
      window.consume(cost, at);
    expect(window.state.charges).toEqual([
      { at: T0 + 5, cost: 3 },
      { at: T0 + 10_000, cost: 3 },
    ]);
  });
});

describe("§7 a batch larger than the limit", () => {
  it("uses up 100 s for 1,000 messages from empty: 100 now and 100 every 10 s", () => {
    const window = newWindow();
    const decision = window.consume(1_000, 0);
    expect(chargesOf(decision)).toEqual(Array.from({ length: 10 }, (_, n) => [n * 10_000, 100]));
    expect(decision).toMatchObject({ left: 0, resetMs: 100_000 });
    expect(waitOf(window.consume(1, 1))).toBe(99_999);
    expect(window.consume(100, 100_000)).toMatchObject({ admitted: true, left: 0 });
  });

  it("needs one free place, and then takes each place as it becomes free", () => {
    const window = newWindow();
    window.consume(60, 0);
    window.consume(39, 4_000);
    expect(chargesOf(window.consume(250, 5_000))).toEqual([
      [5_000, 1],
      [10_000, 60],
      [14_000, 39],
      [15_000, 1],
      [20_000, 60],
      [24_000, 39],
      [25_000, 1],
      [30_000, 49],
    ]);
  });
});

describe("§7 a refund", () => {
  it("frees the places at once, future ones included", () => {
    const window = newWindow();
    window.refund(window.consume(1_000, 0));
    expect(window.state.charges).toEqual([]);
    expect(window.consume(100, 1)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("never makes a charge negative", () => {
    expect(refund({ ...EMPTY_WINDOW, charges: [{ at: 5, cost: 3 }] }, [{ at: 5, cost: 4 }]).charges).toEqual([]);
  });
});

it("§7 reads each of 10,000 charges only a few times", () => {
  const policy = { limit: 10_000, windowMs: 10_000 };
  let reads = 0;
  const charges = Array.from({ length: 9_999 }, (_, n) => ({
    get at() {
      reads += 1;
      return T0 + n;
    },
    get cost() {
      reads += 1;
      return 1;
    },
  }));
  const state = { charges, now: T0 + 9_999, skewMs: 0 };
  for (const [cost, admitted] of [
    [1, true],
    [1_000, false],
  ] as const) {
    reads = 0;
    expect(consume(state, cost, T0 + 9_999, policy).admitted).toBe(admitted);
    expect(reads).toBeGreaterThan(9_999);
    expect(reads).toBeLessThan(20 * 9_999);
  }
});

it("§7 has at most a charge per millisecond, so that it fits into a stored value of 2 MB", () => {
  const unlimited = { limit: 1_000_000, windowMs: WRITE_WINDOW_MS };
  let state = EMPTY_WINDOW;
  for (let at = 0; at < 10_050; at += 1) ({ state } = consume(state, 9, T0 + at, unlimited));
  ({ state } = consume(state, 9, state.now, unlimited));
  expect(state.charges).toHaveLength(WRITE_WINDOW_MS);
  expect(JSON.stringify(state).length).toBeLessThan(500_000);
});
