import { describe, expect, it } from "vitest";

import { changeOf } from "../../../../src/console/accounts/account-use.tsx";
import { attributeText, traitText } from "../../../../src/console/accounts/account-words.ts";
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

describe("what a score is made of", () => {
  it("§11.7 each component brings its weight less what it loses", () => {
    expect(scoreParts(health({})).map(({ component, possible, earned }) => [component, possible, earned])).toEqual([
      ["recency", 25, 25],
      ["frequency", 15, 15],
      ["breadth", 25, 15],
      ["depth", 15, 5],
      ["trend", 20, 20],
    ]);
  });

  it("§11.7 what is not measured gives its weight to the others", () => {
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

  it("§11.3 frequency is no part of a trial's", () => {
    const parts = scoreParts(health({ stage: "trial", losses: [0, 0, 0, 0, 0] }));
    expect(parts.map(({ component }) => component)).toEqual(["recency", "breadth", "depth", "trend"]);
    expect(parts.reduce((sum, { possible }) => sum + (possible ?? 0), 0)).toBe(100);
  });

  it("is nothing where there is no score", () => {
    expect(scoreParts(health({ score: null, uncapped: null }))).toEqual([]);
  });
});

describe("figures in words", () => {
  it.each([
    [{ count: 15, before: 10 }, "+50%"],
    [{ count: 5, before: 10 }, "−50%"],
    [{ count: 10, before: 10 }, "+0%"],
    [{ count: 3, before: 0 }, "new"],
    [{ count: 0, before: 3 }, "stopped"],
  ])("%o is %s", (uses, words) => {
    expect(changeOf(uses)).toBe(words);
  });

  it("an MRR stands with its currency, whatever that is", () => {
    expect(attributeText("mrr", { mrr: 1_234.5, currency: "EUR" })).toBe("€1,235");
    expect(attributeText("mrr", { mrr: 1_234, currency: "XXX" })).toBe("¤1,234");
    expect(attributeText("mrr", { mrr: 1_234 })).toBe("1,234");
    expect(attributeText("mrr", { mrr: null })).toBe("none");
  });

  it("a trait is told in a line, however long it is", () => {
    expect(traitText("rail")).toBe("rail");
    expect(traitText(["a", 1])).toBe('["a",1]');
    expect(traitText("x".repeat(200))).toBe(`${"x".repeat(120)}…`);
  });
});
