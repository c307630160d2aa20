import { describe, expect, it } from "vitest";
import { DEFAULT_WRITE_LIMIT, WRITE_WINDOW_MS } from "../../../src/core/limit/policy.ts";
import {
  consume,
  type Decision,
  EMPTY_WINDOW,
  refund,
  inUse,
  type WritePolicy,
} from "../../../src/core/limit/write-window.ts";

const POLICY: WritePolicy = { limit: DEFAULT_WRITE_LIMIT, windowMs: WRITE_WINDOW_MS };
const T0 = Date.UTC(2026, 0, 1);

/** A window that is asked in turn, at moments told from `T0`. */
function limiter(policy = POLICY) {
  let state = EMPTY_WINDOW;
  return {
    consume(cost: number, at: number, limit = policy.limit): Decision {
      const decision = consume(state, cost, T0 + at, { ...policy, limit });
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

/** The charges of an admission, each as its moment from `T0` and its cost. */
const placesOf = (decision: Decision): [number, number][] | "refused" =>
  decision.admitted ? decision.charges.map(({ at, cost }) => [at - T0, cost]) : "refused";

const waitOf = (decision: Decision): number | "admitted" => (decision.admitted ? "admitted" : decision.retryAfterMs);

describe("requests of at most the limit", () => {
  it("admits 100 messages at once and refuses the 101st", () => {
    const window = limiter();
    expect(window.consume(99, 0)).toMatchObject({ admitted: true, left: 1, resetMs: 10_000 });
    expect(window.consume(1, 0)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
    expect(window.consume(1, 0)).toMatchObject({ admitted: false, left: 0, resetMs: 10_000, retryAfterMs: 10_000 });
  });

  it("frees a place exactly 10 s after it was charged, and not a millisecond before", () => {
    const window = limiter();
    window.consume(100, 0);
    expect(waitOf(window.consume(100, 9_999))).toBe(1);
    expect(window.consume(100, 10_000)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("allows no double burst at the edge of a window", () => {
    const window = limiter();
    window.consume(100, 9_990);
    expect(waitOf(window.consume(1, 10_010))).toBe(9_980);
    expect(waitOf(window.consume(1, 19_989))).toBe(1);
    expect(waitOf(window.consume(1, 19_990))).toBe("admitted");
  });

  it("refills nothing on top of a burst: after 5 s of silence the 100 are still used up", () => {
    const window = limiter();
    window.consume(100, 0);
    expect(waitOf(window.consume(1, 5_000))).toBe(5_000);
  });

  it("needs the whole size free: a batch is not split", () => {
    const window = limiter();
    window.consume(40, 0);
    window.consume(20, 3_000);
    expect(window.consume(41, 4_000)).toMatchObject({ admitted: false, left: 40, resetMs: 9_000, retryAfterMs: 6_000 });
    expect(window.consume(40, 4_000)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("tells how long no place comes free where none is left", () => {
    const window = limiter();
    window.consume(60, 0);
    window.consume(40, 5_000);
    expect(window.consume(60, 6_000)).toMatchObject({ admitted: false, fullMs: 4_000, retryAfterMs: 4_000 });
    expect(window.consume(61, 6_000)).toMatchObject({ admitted: false, fullMs: 4_000, retryAfterMs: 9_000 });
    expect(window.consume(61, 10_000)).toMatchObject({ admitted: false, left: 60, fullMs: 0 });
  });

  it("tells a wait to the millisecond when several charges have to leave first", () => {
    const window = limiter();
    window.consume(50, 0);
    window.consume(30, 1_234);
    window.consume(20, 5_678);
    expect(waitOf(window.consume(50, 6_000))).toBe(4_000);
    expect(waitOf(window.consume(51, 6_000))).toBe(5_234);
    expect(waitOf(window.consume(81, 6_000))).toBe(9_678);
    expect(waitOf(window.consume(81, 15_677))).toBe(1);
    expect(waitOf(window.consume(81, 15_678))).toBe("admitted");
  });

  it("keeps one charge for each moment", () => {
    const window = limiter();
    window.consume(1, 5);
    window.consume(2, 5);
    window.consume(3, 6);
    expect(window.state.charges).toEqual([
      { at: T0 + 5, cost: 3 },
      { at: T0 + 6, cost: 3 },
    ]);
  });

  it("forgets a charge once its window is over", () => {
    const window = limiter();
    window.consume(1, 0);
    window.consume(1, 10_000);
    expect(window.state.charges).toEqual([{ at: T0 + 10_000, cost: 1 }]);
  });
});

describe("a batch larger than the limit", () => {
  it("of 1,000 from empty uses up 100 s: 100 now and 100 every 10 s", () => {
    const window = limiter();
    const decision = window.consume(1_000, 0);
    expect(placesOf(decision)).toEqual(Array.from({ length: 10 }, (_, n) => [n * 10_000, 100]));
    expect(decision).toMatchObject({ left: 0, resetMs: 100_000 });
    expect(waitOf(window.consume(1, 1))).toBe(99_999);
    expect(waitOf(window.consume(1, 99_999))).toBe(1);
    expect(window.consume(100, 100_000)).toMatchObject({ admitted: true, left: 0 });
  });

  it("is admitted with one free place, and fills the places that come free in turn", () => {
    const window = limiter();
    window.consume(60, 0);
    window.consume(39, 4_000);
    expect(placesOf(window.consume(250, 5_000))).toEqual([
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

  it("is refused without a free place, until the first one comes free", () => {
    const window = limiter();
    window.consume(1, 0);
    window.consume(99, 2_000);
    expect(waitOf(window.consume(101, 3_000))).toBe(7_000);
    expect(waitOf(window.consume(101, 9_999))).toBe(1);
    expect(placesOf(window.consume(101, 10_000))).toEqual([
      [10_000, 1],
      [12_000, 99],
      [20_000, 1],
    ]);
  });

  it("of exactly the limit needs its size free, of one more a single place", () => {
    const window = limiter();
    window.consume(1, 0);
    expect(waitOf(window.consume(100, 0))).toBe(10_000);
    expect(placesOf(window.consume(101, 0))).toEqual([
      [0, 99],
      [10_000, 2],
    ]);
  });

  it("leaves the rest of its last window to others", () => {
    const window = limiter();
    window.consume(150, 0);
    expect(window.consume(51, 10_000)).toMatchObject({ admitted: false, left: 50, retryAfterMs: 10_000 });
    expect(window.consume(50, 10_000)).toMatchObject({ admitted: true, left: 0 });
  });

  it("waits for the one before it, which the long-run rate demands", () => {
    const window = limiter();
    window.consume(200, 0);
    expect(waitOf(window.consume(200, 5_000))).toBe(15_000);
    expect(placesOf(window.consume(200, 20_000))).toEqual([
      [20_000, 100],
      [30_000, 100],
    ]);
  });
});

describe("a refused request", () => {
  it("changes nothing", () => {
    const window = limiter();
    window.consume(100, 0);
    const { charges } = window.state;
    for (let at = 1; at < 10_000; at += 111) expect(window.consume(70, at).admitted).toBe(false);
    expect(window.state.charges).toEqual(charges);
    expect(window.consume(100, 10_000).admitted).toBe(true);
  });
});

describe("a changed limit", () => {
  it("raised, gives the new places at once", () => {
    const window = limiter();
    window.consume(100, 0);
    expect(window.consume(51, 1, 150)).toMatchObject({ admitted: false, left: 50, retryAfterMs: 9_999 });
    expect(window.consume(50, 1, 150)).toMatchObject({ admitted: true, left: 0 });
  });

  it("raised while charges lie ahead, gives what every window has left", () => {
    const window = limiter();
    window.consume(300, 0);
    expect(window.consume(51, 5_000, 150)).toMatchObject({ admitted: false, left: 50, retryAfterMs: 25_000 });
    expect(window.consume(50, 5_000, 150)).toMatchObject({ admitted: true, left: 0, resetMs: 25_000 });
    expect(waitOf(window.consume(1, 14_999, 150))).toBe(1);
    expect(waitOf(window.consume(50, 15_000, 150))).toBe("admitted");
  });

  it("raised while charges lie ahead, charges a large batch between them", () => {
    const window = limiter();
    window.consume(200, 0);
    expect(placesOf(window.consume(201, 4_000, 150))).toEqual([
      [4_000, 50],
      [14_000, 50],
      [20_000, 100],
      [24_000, 1],
    ]);
  });

  it("lowered, waits until the windows hold less than the new one", () => {
    const window = limiter();
    window.consume(60, 0);
    window.consume(40, 1_000);
    expect(window.consume(1, 2_000, 40)).toMatchObject({ admitted: false, left: 0, retryAfterMs: 9_000 });
    expect(window.consume(1, 2_000, 41)).toMatchObject({ admitted: false, left: 0, retryAfterMs: 8_000 });
    expect(waitOf(window.consume(1, 10_000, 40))).toBe(1_000);
    expect(window.consume(1, 10_000, 41)).toMatchObject({ admitted: true, left: 0 });
  });

  it("lowered to 1 with charges ahead, still lets a large batch through in the end", () => {
    const window = limiter();
    window.consume(250, 0);
    expect(waitOf(window.consume(3, 1, 1))).toBe(29_999);
    expect(placesOf(window.consume(3, 30_000, 1))).toEqual([
      [30_000, 1],
      [40_000, 1],
      [50_000, 1],
    ]);
  });
});

describe("giving back", () => {
  it("frees the places at once", () => {
    const window = limiter();
    const decision = window.consume(100, 0);
    window.refund(decision);
    expect(window.state.charges).toEqual([]);
    expect(window.consume(100, 0).admitted).toBe(true);
  });

  it("takes no more than was charged from a moment that others share", () => {
    const window = limiter();
    const decision = window.consume(30, 0);
    window.consume(50, 0);
    window.refund(decision);
    expect(window.state.charges).toEqual([{ at: T0, cost: 50 }]);
  });

  it("takes back the charges ahead of a large batch too", () => {
    const window = limiter();
    const decision = window.consume(1_000, 0);
    window.refund(decision);
    expect(window.consume(100, 1)).toMatchObject({ admitted: true, left: 0, resetMs: 10_000 });
  });

  it("changes nothing when the charges are no longer there", () => {
    const window = limiter();
    const decision = window.consume(100, 0);
    window.consume(40, 10_000);
    window.refund(decision);
    expect(window.state.charges).toEqual([{ at: T0 + 10_000, cost: 40 }]);
  });

  it("never makes a charge negative", () => {
    expect(refund({ ...EMPTY_WINDOW, charges: [{ at: 5, cost: 3 }] }, [{ at: 5, cost: 4 }]).charges).toEqual([]);
  });

  it("leaves a gap before charges ahead, which the next large batch fills", () => {
    const window = limiter();
    const first = window.consume(10, 0);
    window.consume(190, 0);
    window.refund(first);
    expect(placesOf(window.consume(110, 0))).toEqual([
      [0, 10],
      [20_000, 100],
    ]);
  });

  it("leaves a gap for which no one is told to wait: it may be over before the sender is back", () => {
    const charges = [
      { at: T0, cost: 100 },
      { at: T0 + 20_500, cost: 100 },
    ];
    const state = { charges, now: T0, skewMs: 0 };
    expect(waitOf(consume(state, 1, T0 + 5_000, POLICY))).toBe(25_500);
    expect(waitOf(consume(state, 1, T0 + 10_000, POLICY))).toBe("admitted");
    expect(waitOf(consume(state, 1, T0 + 10_500, POLICY))).toBe("admitted");
    expect(waitOf(consume(state, 1, T0 + 10_501, POLICY))).toBe(19_999);
  });
});

describe("a clock that steps back", () => {
  it("frees nothing, and holds nothing longer than its 10 s", () => {
    const window = limiter();
    window.consume(100, 0);
    expect(waitOf(window.consume(1, -3_600_000))).toBe(10_000);
    expect(waitOf(window.consume(1, -3_600_000 + 9_999))).toBe(1);
    expect(waitOf(window.consume(1, -3_600_000 + 10_000))).toBe("admitted");
  });

  it("and forth again counts the time in between once", () => {
    const window = limiter();
    window.consume(100, 0);
    window.consume(1, -50);
    expect(waitOf(window.consume(1, 0))).toBe(9_950);
  });

  it("leaves in use what was charged before the step, until its 10 s are over", () => {
    const window = limiter();
    window.consume(60, 0);
    const used = (at: number) => inUse(window.state, T0 + at, WRITE_WINDOW_MS);
    expect([used(0), used(-50), used(9_999), used(10_000)]).toEqual([60, 60, 60, 0]);
    window.consume(1, -50);
    expect([used(-50), used(9_949), used(9_950)]).toEqual([61, 61, 0]);
  });

  it("gives back what was charged before the step", () => {
    const window = limiter();
    const decision = window.consume(100, 0);
    window.consume(1, -50);
    window.refund(decision);
    expect(window.consume(100, -50).admitted).toBe(true);
  });
});

it("looks at each of 10,000 charges in the window a few times, and no more", () => {
  const policy = { limit: 10_000, windowMs: 10_000 };
  let looks = 0;
  const charges = Array.from({ length: 9_999 }, (_, n) => ({
    get at() {
      looks += 1;
      return T0 + n;
    },
    get cost() {
      looks += 1;
      return 1;
    },
  }));
  const state = { charges, now: T0 + 9_999, skewMs: 0 };
  const looksFor = (cost: number, admitted: boolean): number => {
    looks = 0;
    expect(consume(state, cost, T0 + 9_999, policy).admitted).toBe(admitted);
    return looks;
  };
  for (const looked of [looksFor(1, true), looksFor(1_000, false), looksFor(20_000, true)]) {
    expect(looked).toBeGreaterThan(9_999);
    expect(looked).toBeLessThan(20 * 9_999);
  }
});
