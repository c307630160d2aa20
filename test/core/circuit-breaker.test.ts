import { expect, it } from "vitest";

import { circuitBreaker } from "../../src/core/circuit-breaker.ts";

const allowed = (breaker: ReturnType<typeof circuitBreaker>, ...times: number[]) =>
  times.map((now) => breaker.allows(now));

it("allows every call while the dependency answers", () => {
  const breaker = circuitBreaker(1_000);
  breaker.succeeded();
  expect(allowed(breaker, 0, 0, 1)).toEqual([true, true, true]);
});

it("allows one call per pause after a failure, even before that call has failed too", () => {
  const breaker = circuitBreaker(1_000);
  breaker.failed(0);
  expect(allowed(breaker, 0, 999, 1_000, 1_000, 1_999, 2_000)).toEqual([false, false, true, false, false, true]);
});

it("pauses from the end of a failed call, however long it took", () => {
  const breaker = circuitBreaker(1_000);
  breaker.failed(0);
  expect(allowed(breaker, 1_000)).toEqual([true]);
  breaker.failed(1_800);
  expect(allowed(breaker, 2_000, 2_799, 2_800)).toEqual([false, false, true]);
});

it("allows every call again after one success", () => {
  const breaker = circuitBreaker(1_000);
  breaker.failed(0);
  breaker.succeeded();
  expect(allowed(breaker, 1, 1)).toEqual([true, true]);
});

it("doesn't pause for hours after the clock stepped back", () => {
  const breaker = circuitBreaker(1_000);
  breaker.failed(9_999_999);
  expect(allowed(breaker, 0, 1)).toEqual([true, false]);
});
