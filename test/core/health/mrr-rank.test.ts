import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { noContext } from "../../../src/core/health/model.ts";
import { mrrPercentile, mrrSteps } from "../../../src/core/health/workspace-statistics.ts";

const percentile = (values: number[], value: number, currency: string | undefined = "EUR") =>
  mrrPercentile({ ...noContext(0), mrr: { EUR: mrrSteps(values), "": [1, 2, 3] } }, currency, value);

const anyMrr = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 80 });

describe("the rank of an MRR", () => {
  it("§12.4 keeps 21 values at even steps", () => {
    const values = Array.from({ length: 101 }, (_, index) => 100 - index);
    expect(mrrSteps(values)).toEqual(Array.from({ length: 21 }, (_, step) => step * 5));
    expect(mrrSteps([3, 1, 2])).toEqual([1, 2, 3]);
    expect(mrrSteps(values.slice(0, 21))).toHaveLength(21);
    expect(mrrSteps(values.slice(0, 22))).toHaveLength(21);
    expect(mrrSteps([])).toEqual([]);
  });
  it("§12.4 is 0 for the lowest, 1 for the highest, interpolated between", () => {
    expect([10, 15, 20, 25, 30].map((value) => percentile([10, 20, 30], value))).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(percentile([10, 20, 30], 5)).toBe(0);
    expect(percentile([10, 20, 30], 40)).toBe(1);
  });
  it("§12.4 is the middle of the places of equal values", () => {
    expect(percentile([10, 20, 20, 20, 30], 20)).toBe(0.5);
    expect(percentile([20, 20, 20], 20)).toBe(0.5);
    expect(percentile([10, 10, 30], 10)).toBe(0.25);
  });
  it("§12.4 is 0.5 with nothing to compare with", () => {
    expect(percentile([10], 99)).toBe(0.5);
    expect(percentile([10, 20], 5, "USD")).toBe(0.5);
  });
  it("§12.4 never falls as MRR rises, and is between 0 and 1", () => {
    fc.assert(
      fc.property(anyMrr, fc.nat(600), fc.nat(600), (values, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((value) => percentile(values, value));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeGreaterThanOrEqual(low ?? 1);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});
