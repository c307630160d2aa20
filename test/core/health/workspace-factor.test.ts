import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { factorFor, factorStatistics } from "../../../src/core/health/workspace-statistics.ts";
import { noContext } from "../../../src/core/health/model.ts";

const factor = (ratios: number[], own: number | null) =>
  factorFor({ ...noContext(0), factor: factorStatistics(ratios) }, own);

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

const many = (count: number, ratio: number) => Array.from({ length: count }, () => ratio);

describe("the workspace factor", () => {
  it("§11.15 needs ten other accounts", () => {
    expect(factor(many(10, 0.5), null)).toBe(0.5);
    expect(factor(many(9, 0.5), null)).toBe(1);
    expect(factor(many(11, 0.5), 0.5)).toBe(0.5);
    expect(factor(many(10, 0.5), 0.5)).toBe(1);
    expect(factor([], null)).toBe(1);
  });
  it("§11.15 is between 0.25 and 1", () => {
    expect(factor(many(12, 0.1), null)).toBe(0.25);
    expect(factor(many(12, 1.4), null)).toBe(1);
  });
  it("§11.15 is the median of all others", () => {
    const ratio = fc.oneof(fc.double({ min: 0.25, max: 1, noNaN: true }), fc.constantFrom(0.4, 0.5, 0.6));
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 11, maxLength: 30 }), fc.nat(), (ratios, pick) => {
        const index = pick % ratios.length;
        expect(factor(ratios, ratios[index] ?? null)).toBe(medianOf(ratios.toSpliced(index, 1)));
        expect(factor(ratios, null)).toBe(medianOf(ratios));
      }),
      { numRuns: 1_000 },
    );
  });
});
