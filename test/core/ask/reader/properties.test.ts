/** What holds for any question, on a few drawn cases. `npm run evaluate:ask` draws many. */
import { expect, it } from "vitest";

import { hostile } from "../../../../evals/ask/reader/hostile.ts";
import { identity } from "../../../../evals/ask/reader/identity.ts";
import { names } from "../../../../evals/ask/reader/names.ts";
import { skipped } from "../../../../evals/ask/reader/skipped.ts";
import { MAX_READINGS } from "../../../../src/core/ask/reader/tile.ts";

it("reads what the renderer writes as the same query, or asks back", () => {
  const { restated, phrased, typed, different } = identity("test", 60);
  expect(different).toEqual([]);
  for (const counts of [restated, phrased, typed]) {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(counts.same).toBeGreaterThan(0.85 * all);
  }
});

it("skips no word that is replaced, negated or added", () => {
  const { tried, unchanged } = skipped("test", 300);
  expect(unchanged).toEqual([]);
  expect(Object.values(tried).every((count) => count > 0)).toBe(true);
});

it("reads names that are words of questions as names, or asks back", () => {
  const { same, askedBack, different } = names("test", 200);
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(askedBack);
});

it("tries a bounded number of readings and rules, whatever is asked of whatever is named", () => {
  const { most } = hostile("test", 60);
  expect(most.tilings).toBeLessThanOrEqual(MAX_READINGS);
  expect(most.rules).toBeGreaterThan(0);
  expect(most.rules).toBeLessThan(4_000);
});
