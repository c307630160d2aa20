/** Properties of any question, on a few random cases. `npm run evaluate:ask` tries many. */
import { expect, it } from "vitest";

import { checkHostileQuestions } from "../../../../evals/ask/reader/hostile.ts";
import { checkIdentity } from "../../../../evals/ask/reader/identity.ts";
import { checkNames } from "../../../../evals/ask/reader/names.ts";
import { checkSkippedWords } from "../../../../evals/ask/reader/skipped.ts";
import { MAX_VARIANT_READINGS } from "../../../../src/core/ask/reader/proposals/propose.ts";
import { MAX_READINGS } from "../../../../src/core/ask/reader/fragments/readings.ts";

it("§15.4 reads each restatement as the same query, or gives options", () => {
  const { restated, typed, different } = checkIdentity("test", 150);
  expect(different).toEqual([]);
  for (const counts of [restated, typed]) {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(counts.same).toBeGreaterThan(0.85 * all);
  }
});

it("§15.4 skips no replaced, negated or added word", () => {
  const { tried, unchanged } = checkSkippedWords("test", 150);
  expect(unchanged).toEqual([]);
  expect(Object.values(tried).every((count) => count > 0)).toBe(true);
});

it("§15.4 reads names that are ordinary words as names, or gives options", () => {
  const { same, askedBack, different } = checkNames("test", 120);
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(askedBack / 2);
});

it("§15.8 does a bounded amount of work for any question, any names and any vocabulary", () => {
  const { most } = checkHostileQuestions("test", 2 * 15 * 2, 2);
  expect(most.readings).toBeLessThanOrEqual(MAX_VARIANT_READINGS + MAX_READINGS);
  expect(most.rules).toBeGreaterThan(0);
  expect(most.rules).toBeLessThan(4_500);
  expect(most.lookups).toBeGreaterThan(1);
  expect(most.lookups).toBeLessThan(20);
});
