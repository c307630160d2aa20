import { expect, it } from "vitest";

import { nextBand, pendingBand } from "../../../src/core/health/band.ts";
import { BANDS } from "../../../src/core/health/model.ts";

it.each([
  ["healthy", 65, null],
  ["healthy", 64.99, "watch"],
  ["healthy", 39, "at_risk"],
  ["watch", 70, "healthy"],
  ["watch", 69, null],
  ["watch", 40, null],
  ["at_risk", 44, null],
  ["at_risk", 45, "watch"],
  ["at_risk", 70, "healthy"],
  ["stale", 20, null],
  ["churned", null, null],
  ["insufficient_data", null, null],
] as const)("§11.12 %s with a score of %s has the pending state %s", (state, score, pending) => {
  expect(pendingBand({ state, score })).toBe(pending);
});

it("§11.12 a pending state becomes the state once two earlier evaluations agree", () => {
  for (const state of BANDS) {
    for (let score = 0; score <= 100; score += 1) {
      const pending = pendingBand({ state, score });
      expect(nextBand(state, score, [score, score], false)).toBe(pending ?? state);
      expect(nextBand(state, score, [score], false)).toBe(state);
    }
  }
});
