import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  consume,
  type Charge,
  type Decision,
  EMPTY_WINDOW,
  refund,
  inUse,
  type WritePolicy,
  type WriteWindow,
} from "../../../src/core/limit/write-window.ts";
import { bruteForce } from "./brute-force.ts";

const RUNS = { numRuns: 2_000 };

const momentsOf = (charges: readonly Charge[]): number[] =>
  charges.flatMap(({ at, cost }) => Array.from({ length: cost }, () => at));

/** The most that is charged in any window. */
function highestLoad(charges: readonly Charge[], windowMs: number): number {
  const loads = charges.map(({ at: end }) =>
    charges.reduce((sum, { at, cost }) => (at > end - windowMs && at <= end ? sum + cost : sum), 0),
  );
  return Math.max(0, ...loads);
}

interface Step {
  wait: number;
  cost: number;
  /** Which earlier admission is given back first, if any. */
  returns: number | null;
}

const steps = (longestWait: number, highestCost: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat({ max: longestWait })),
      cost: fc.integer({ min: 1, max: highestCost }),
      returns: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
    }),
    { minLength: 1, maxLength },
  );

/** Plays steps from `EMPTY_WINDOW`; what stands in the end are the charges not given back, old ones included. */
function play(played: Step[], policy: WritePolicy) {
  let now = 1_000;
  let state: WriteWindow = EMPTY_WINDOW;
  const admissions: Charge[][] = [];
  const decisions: Decision[] = [];
  for (const { wait, cost, returns } of played) {
    now += wait;
    const [returned] = returns === null ? [] : admissions.splice(returns, 1);
    if (returned !== undefined) state = refund(state, returned);
    const decision = consume(state, cost, now, policy);
    state = decision.state;
    decisions.push(decision);
    if (decision.admitted) admissions.push(decision.charges);
  }
  return { state, now, decisions, standing: admissions.flat() };
}

const smallPolicy = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowMs: fc.integer({ min: 1, max: 12 }),
});

const realPolicy: fc.Arbitrary<WritePolicy> = fc.constantFrom(
  { limit: 100, windowMs: 10_000 },
  { limit: 7, windowMs: 10_000 },
);

describe("the write window", () => {
  it("agrees with brute force on every decision, its places and its waits, whatever comes", () => {
    const step = fc.record({
      elapsed: fc.integer({ min: -4, max: 20 }),
      cost: fc.integer({ min: 1, max: 14 }),
      limit: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 3 }),
      returns: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
    });
    fc.assert(
      fc.property(smallPolicy, fc.array(step, { minLength: 1, maxLength: 14 }), (policy, played) => {
        const model = bruteForce(policy.windowMs);
        let { limit } = policy;
        let state = EMPTY_WINDOW;
        let clock = 0;
        let time = 0;
        const admissions: Charge[][] = [];
        for (const { elapsed, cost, limit: changed, returns } of played) {
          clock += elapsed;
          time += Math.max(0, elapsed);
          limit = changed ?? limit;
          const [returned] = returns === null ? [] : admissions.splice(returns, 1);
          if (returned !== undefined) {
            state = refund(state, returned);
            model.refund(momentsOf(returned));
          }

          const decision = consume(state, cost, clock, { ...policy, limit });
          const expected = model.consume(cost, time, limit);
          state = decision.state;
          if (decision.admitted) admissions.push(decision.charges);

          expect(decision.admitted ? momentsOf(decision.charges) : { wait: decision.retryAfterMs }).toEqual(expected);
          expect(decision.left).toBe(model.free(time, limit));
          expect(decision.resetMs).toBe(Math.max(0, model.last() + policy.windowMs - time));
          const fullMs = decision.left === 0 ? model.first(time) + policy.windowMs - time : 0;
          expect(decision.admitted ? fullMs : decision.fullMs).toBe(fullMs);
          for (let at = time; at < time + fullMs; at += 1) expect(model.free(at, limit)).toBe(0);
        }
      }),
      RUNS,
    );
  });

  it("never holds more than the limit in any window, for requests of at most the limit", () => {
    const policyAndSteps = realPolicy.chain((policy) => fc.tuple(fc.constant(policy), steps(6_000, policy.limit, 60)));
    fc.assert(
      fc.property(policyAndSteps, ([policy, played]) => {
        expect(highestLoad(play(played, policy).standing, policy.windowMs)).toBeLessThanOrEqual(policy.limit);
      }),
      RUNS,
    );
  });

  it("keeps the long-run rate with larger batches: no window of charged moments holds more than the limit", () => {
    fc.assert(
      fc.property(realPolicy, steps(40_000, 1_000, 30), (policy, played) => {
        expect(highestLoad(play(played, policy).standing, policy.windowMs)).toBeLessThanOrEqual(policy.limit);
      }),
      RUNS,
    );
  });

  it("lets every batch of at most 1,000 through in the end, after one wait", () => {
    fc.assert(
      fc.property(realPolicy, steps(40_000, 1_000, 30), (policy, played) => {
        const { state, now, decisions } = play(played, policy);
        const last = decisions.at(-1);
        const wait = last?.admitted === false ? last.retryAfterMs : 0;
        fc.pre(wait > 0);
        expect(consume(state, played.at(-1)?.cost ?? 1, now + wait, policy).admitted).toBe(true);
      }),
      RUNS,
    );
  });

  it("tells the wait to the millisecond: the request fits then and ever after, and not one before", () => {
    fc.assert(
      fc.property(
        realPolicy,
        steps(8_000, 300, 30),
        fc.integer({ min: 1, max: 300 }),
        fc.nat({ max: 1_000_000 }),
        (policy, played, cost, later) => {
          const { state, now } = play(played, policy);
          const decision = consume(state, cost, now, policy);
          const wait = decision.admitted ? 0 : decision.retryAfterMs;
          fc.pre(wait > 0);
          const fitsAt = now + wait;
          expect(consume(decision.state, cost, fitsAt - 1, policy).admitted).toBe(false);
          expect(consume(decision.state, cost, fitsAt, policy).admitted).toBe(true);
          expect(consume(decision.state, cost, fitsAt + later, policy).admitted).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it("tells how long it is full: nothing fits until then, so that the wait which it told stays as it is", () => {
    const between = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.integer({ min: 1, max: 300 })),
    );
    fc.assert(
      fc.property(fc.oneof(realPolicy, smallPolicy), steps(3_000, 300, 30), between, (policy, played, others) => {
        const { state, now, decisions } = play(played, policy);
        const [refused, { cost = 1 } = {}] = [decisions.at(-1), played.at(-1)];
        fc.pre(refused?.admitted === false && refused.left === 0);
        let current = state;
        for (const [share, otherCost] of others.toSorted(([a], [b]) => a - b)) {
          const other = consume(current, otherCost, now + Math.floor(share * refused.fullMs), policy);
          expect(other.admitted).toBe(false);
          current = other.state;
        }
        expect(consume(current, cost, now + refused.retryAfterMs - 1, policy).admitted).toBe(false);
        expect(consume(current, cost, now + refused.retryAfterMs, policy).admitted).toBe(true);
      }),
      RUNS,
    );
  });

  it("has in use what stands charged in the window that ends now, and nothing of what lies ahead or behind", () => {
    fc.assert(
      fc.property(realPolicy, steps(8_000, 300, 30), fc.nat({ max: 60_000 }), (policy, played, later) => {
        const { state, standing, now } = play(played, policy);
        for (const end of [now, now + later]) {
          const within = momentsOf(standing).filter((at) => at > end - policy.windowMs && at <= end);
          expect(inUse(state, end, policy.windowMs)).toBe(within.length);
        }
      }),
      RUNS,
    );
  });

  it("is not changed by a refused request", () => {
    fc.assert(
      fc.property(realPolicy, steps(8_000, 300, 30), (policy, played) => {
        const inTurn = (requests: Charge[]) => {
          let state = EMPTY_WINDOW;
          return requests.map(({ at, cost }) => {
            const decision = consume(state, cost, at, policy);
            ({ state } = decision);
            return decision;
          });
        };
        let now = 0;
        const requests = played.map(({ wait, cost }) => ({ at: (now += wait), cost }));
        const decisions = inTurn(requests);
        const admitted = requests.filter((_, index) => decisions[index]?.admitted);
        expect(inTurn(admitted)).toEqual(decisions.filter((decision) => decision.admitted));
      }),
      RUNS,
    );
  });

  it("decides after a give-back as if the request had never come", () => {
    fc.assert(
      fc.property(
        realPolicy,
        steps(8_000, 300, 20),
        fc.record({ wait: fc.nat({ max: 90_000 }), cost: fc.integer({ min: 1, max: 1_000 }) }),
        steps(8_000, 300, 5),
        (policy, before, { wait, cost }, after) => {
          const { state, now } = play(before, policy);
          let at = now + wait;
          const decision = consume(state, cost, at, policy);
          const charges = decision.admitted ? decision.charges : [];
          fc.pre(charges.length > 0);
          let without = state;
          let returned = refund(decision.state, charges);
          for (const step of after) {
            at += step.wait;
            const expected = consume(without, step.cost, at, policy);
            const actual = consume(returned, step.cost, at, policy);
            expect(actual).toEqual(expected);
            without = expected.state;
            returned = actual.state;
          }
        },
      ),
      RUNS,
    );
  });
});
