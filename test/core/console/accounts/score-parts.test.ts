import { describe, expect, it } from "vitest";

import { formatAttribute, formatTrait } from "../../../../src/console/accounts/labels.ts";
import { scoreChanges, scoreParts } from "../../../../src/console/accounts/score-parts.ts";
import type { Health } from "../../../../src/core/health/model.ts";

const healthWith = (fields: Partial<Health>): Health => ({
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
    expect(scoreParts(healthWith({})).map(({ component, possible, earned }) => [component, possible, earned])).toEqual([
      ["recency", 25, 25],
      ["frequency", 15, 15],
      ["breadth", 25, 15],
      ["depth", 15, 5],
      ["trend", 20, 20],
    ]);
  });

  it("§11.7 share the weight of components that are not measured", () => {
    const parts = scoreParts(healthWith({ losses: [0, 0, null, 10, null], coverage: 0.55 }));
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
    const parts = scoreParts(healthWith({ stage: "trial", losses: [0, 0, 0, 0, 0] }));
    expect(parts.map(({ component }) => component)).toEqual(["recency", "breadth", "depth", "trend"]);
    expect(parts.reduce((sum, { possible }) => sum + (possible ?? 0), 0)).toBe(100);
  });

  it("are empty without a score", () => {
    expect(scoreParts(healthWith({ score: null, uncapped: null }))).toEqual([]);
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

const changes = [{ component: "recency", points: -20 }] as const;

/** The points of the listed changes. */
const points = (
  health: Pick<Health, "trend" | "score" | "uncapped" | "changes">,
  weekBefore: { score: number; uncapped: number },
) =>
  scoreChanges(healthWith({ ...health, day: 20 }), [{ ...weekBefore, day: 13 }]).map(
    (change) => Math.round(change.points * 100) / 100,
  );

describe("the changes of a score", () => {
  it("are those of the components without a cap", () => {
    const health = { trend: -20, score: 80, uncapped: 80, changes };
    expect(points(health, { score: 100, uncapped: 100 })).toEqual([-20]);
  });
  it("include a new cap", () => {
    const health = { trend: -70, score: 30, uncapped: 80, changes };
    expect(points(health, { score: 100, uncapped: 100 })).toEqual([-20, -50]);
  });
  it("include a cap that was lifted", () => {
    const health = { trend: 40, score: 80, uncapped: 80, changes };
    expect(points(health, { score: 40, uncapped: 100 })).toEqual([-20, 60]);
  });
  it("include components that were measured on only one of the days", () => {
    const health = { trend: -25.5, score: 74.5, uncapped: 74.5, changes };
    expect(points(health, { score: 100, uncapped: 100 })).toEqual([-20, -5.5]);
  });
  it("are empty without an earlier score", () => {
    expect(scoreChanges(healthWith({ trend: null }), [])).toEqual([]);
  });
});
