import { describe, expect, it } from "vitest";

import { scoreChanges } from "../../../../src/console/accounts/score-changes.ts";

const changes = [{ component: "recency", points: -20 }] as const;

/** The points of the listed changes. */
const points = (health: Parameters<typeof scoreChanges>[0], weekBefore: Parameters<typeof scoreChanges>[1]) =>
  scoreChanges(health, weekBefore).map((change) => Math.round(change.points * 100) / 100);

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
    expect(points({ trend: null, score: 80, uncapped: 80, changes: [] }, null)).toEqual([]);
  });
});
