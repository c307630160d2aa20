import { describe, expect, it } from "vitest";

import { formatAttribute, formatTrait } from "../../../../src/console/accounts/labels.ts";
import { scoreParts } from "../../../../src/console/accounts/score-parts.ts";
import type { Health } from "../../../../src/core/health/model.ts";

const health = (fields: Partial<Health>): Health => ({
  day: 0,
  state: "healthy",
  band: "healthy",
  score: 80,
  uncapped: 80,
  coverage: 1,
  confidence: "high",
  losses: [0, 0, 10, 10, 0],
  modelVersion: 1,
  trend: null,
  stage: "active",
  stageKnown: true,
  reasons: [],
  changes: [],
  missing: [],
  ...fields,
});

describe("the parts of a score", () => {
  it("§11.7 are the weights of the components, less what they lost", () => {
    expect(scoreParts(health({})).map(({ component, possible, earned }) => [component, possible, earned])).toEqual([
      ["recency", 25, 25],
      ["frequency", 15, 15],
      ["breadth", 25, 15],
      ["depth", 15, 5],
      ["trend", 20, 20],
    ]);
  });

  it("§11.7 share the weight of components that are not measured", () => {
    const parts = scoreParts(health({ losses: [0, 0, null, 10, null], coverage: 0.55 }));
    expect(parts.map(({ possible }) => possible && Math.round(possible * 10) / 10)).toEqual([
      45.5,
      27.3,
      null,
      27.3,
      null,
    ]);
    expect(parts.reduce((sum, { earned }) => sum + earned, 0)).toBeCloseTo(90);
  });

  it("§11.3 leave out frequency in a trial", () => {
    const parts = scoreParts(health({ stage: "trial", losses: [0, 0, 0, 0, 0] }));
    expect(parts.map(({ component }) => component)).toEqual(["recency", "breadth", "depth", "trend"]);
    expect(parts.reduce((sum, { possible }) => sum + (possible ?? 0), 0)).toBe(100);
  });

  it("are empty without a score", () => {
    expect(scoreParts(health({ score: null, uncapped: null }))).toEqual([]);
  });
});

describe("formats", () => {
  it("write an MRR with its currency", () => {
    expect(formatAttribute("mrr", { mrr: 1_234.5, currency: "EUR" })).toBe("€1,235");
    expect(formatAttribute("mrr", { mrr: 1_234, currency: "XXX" })).toBe("¤1,234");
    expect(formatAttribute("mrr", { mrr: 1_234 })).toBe("1,234");
    expect(formatAttribute("mrr", { mrr: null })).toBe("none");
  });

  it("write a trait in one line, however long it is", () => {
    expect(formatTrait("rail")).toBe("rail");
    expect(formatTrait(["a", 1])).toBe('["a",1]');
    expect(formatTrait("x".repeat(200))).toBe(`${"x".repeat(120)}…`);
  });
});
