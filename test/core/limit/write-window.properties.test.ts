import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Charge,
  consume,
  type Decision,
  EMPTY_WINDOW,
  inUse,
  refund,
  type RateLimitPolicy,
  type WriteWindow,
} from "../../../src/core/limit/write-window.ts";
import { bruteForce } from "./brute-force.ts";

const RUNS = { numRuns: 2_000 };

const momentsOf = (charges: readonly Charge[]): number[] =>
  charges.flatMap(({ at, cost }) => Array.from({ length: cost }, () => at));

/** Returns the most messages charged in any window. */
function highestLoad(charges: readonly Charge[], windowMs: number): number {
  const loads = charges.map(({ at: end }) =>
    charges.reduce((sum, { at, cost }) => (at > end - windowMs && at <= end ? sum + cost : sum), 0),
  );
  return Math.max(0, ...loads);
}

interface Step {
  wait: number;
  cost: number;
  /** Which earlier admission to refund first, if any. */
  refunds: number | null;
}

const refunds = fc.option(fc.nat({ max: 3 }), { freq: 3 });

const steps = (longestWait: number, highestCost: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat({ max: longestWait })),
      cost: fc.integer({ min: 1, max: highestCost }),
      refunds,
    }),
    { minLength: 1, maxLength },
  );

/** Plays steps from an empty window. `charged` are all charges not refunded, including those that left the window. */
function play(played: Step[], policy: RateLimitPolicy) {
  let now = 1_000;
  let state: WriteWindow = EMPTY_WINDOW;
  const admissions: Charge[][] = [];
  const decisions: Decision[] = [];
  for (const { wait, cost, refunds: refunded } of played) {
    now += wait;
    const [charges] = refunded === null ? [] : admissions.splice(refunded, 1);
    if (charges !== undefined) state = refund(state, charges);
    const decision = consume(state, cost, now, policy);
    state = decision.state;
    decisions.push(decision);
    if (decision.admitted) admissions.push(decision.charges);
  }
  return { state, now, decisions, charged: admissions.flat() };
}

const smallPolicy = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowMs: fc.integer({ min: 1, max: 12 }),
});

const realPolicy: fc.Arbitrary<RateLimitPolicy> = fc.constantFrom(
  { limit: 100, windowMs: 10_000 },
  { limit: 7, windowMs: 10_000 },
);

it("§7 decides as brute force does, with changing limits, refunds and a clock that steps back", () => {
  const step = fc.record({
    elapsed: fc.integer({ min: -4, max: 20 }),
    cost: fc.integer({ min: 1, max: 14 }),
    limit: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 3 }),
    refunds,
  });
  fc.assert(
    fc.property(smallPolicy, fc.array(step, { minLength: 1, maxLength: 14 }), (policy, played) => {
      const model = bruteForce(policy.windowMs);
      let { limit } = policy;
      let state = EMPTY_WINDOW;
      let clock = 0;
      let time = 0;
      const admissions: Charge[][] = [];
      for (const { elapsed, cost, limit: changed, refunds: refunded } of played) {
        clock += elapsed;
        time += Math.max(0, elapsed);
        limit = changed ?? limit;
        const [charges] = refunded === null ? [] : admissions.splice(refunded, 1);
        if (charges !== undefined) {
          state = refund(state, charges);
          model.refund(momentsOf(charges));
        }

        const decision = consume(state, cost, clock, { ...policy, limit });
        const expected = model.consume(cost, time, limit);
        state = decision.state;
        if (decision.admitted) admissions.push(decision.charges);

        expect(decision.admitted ? momentsOf(decision.charges) : { wait: decision.retryAfterMs }).toEqual(expected);
        expect(decision.left).toBe(model.free(time, limit));
        expect(decision.resetMs).toBe(Math.max(0, model.last() + policy.windowMs - time));
        expect(inUse(state, clock, policy.windowMs)).toBe(model.load(time));
      }
    }),
    RUNS,
  );
});

it("§7 never holds more than the limit in any window, larger batches included", () => {
  fc.assert(
    fc.property(realPolicy, fc.oneof(steps(6_000, 100, 60), steps(40_000, 1_000, 30)), (policy, played) => {
      expect(highestLoad(play(played, policy).charged, policy.windowMs)).toBeLessThanOrEqual(policy.limit);
    }),
    RUNS,
  );
});

it("§7 returns the exact wait: the request fits from then on, and not a millisecond earlier", () => {
  const cost = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000 }));
  fc.assert(
    fc.property(realPolicy, steps(8_000, 300, 30), cost, fc.nat({ max: 1_000_000 }), (policy, played, size, later) => {
      const { state, now } = play(played, policy);
      const decision = consume(state, size, now, policy);
      const wait = decision.admitted ? 0 : decision.retryAfterMs;
      fc.pre(wait > 0);
      const fitsAt = now + wait;
      expect(consume(decision.state, size, fitsAt - 1, policy).admitted).toBe(false);
      expect(consume(decision.state, size, fitsAt, policy).admitted).toBe(true);
      expect(consume(decision.state, size, fitsAt + later, policy).admitted).toBe(true);
    }),
    RUNS,
  );
});

it("§7 admits nothing while it is full, so the wait that it returned stays true", () => {
  const others = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.integer({ min: 1, max: 300 })),
  );
  fc.assert(
    fc.property(fc.oneof(realPolicy, smallPolicy), steps(3_000, 300, 30), others, (policy, played, between) => {
      const { state, now, decisions } = play(played, policy);
      const [refused, { cost = 1 } = {}] = [decisions.at(-1), played.at(-1)];
      fc.pre(refused?.admitted === false && refused.left === 0);
      // A full window stays full until its first charge leaves.
      const fullMs = (state.charges[0]?.at ?? 0) + policy.windowMs - state.now;
      let current = state;
      for (const [share, otherCost] of between.toSorted(([a], [b]) => a - b)) {
        const other = consume(current, otherCost, now + Math.floor(share * fullMs), policy);
        expect(other.admitted).toBe(false);
        current = other.state;
      }
      expect(consume(current, cost, now + refused.retryAfterMs - 1, policy).admitted).toBe(false);
      expect(consume(current, cost, now + refused.retryAfterMs, policy).admitted).toBe(true);
    }),
    RUNS,
  );
});
