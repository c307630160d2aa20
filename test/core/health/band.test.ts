import { describe, expect, it } from "vitest";

import { nextBand } from "../../../src/core/health/band.ts";
import { type Band } from "../../../src/core/health/model.ts";

/** The scores are today's first. */
const band = (present: Band | null, [today = 0, ...earlier]: number[], capped = false) =>
  nextBand(present, today, earlier, capped);
const three = (score: number) => [score, score, score];

describe("the band of a score", () => {
  it("§11.12 the first score decides the band at once", () => {
    expect([100, 70, 69.99, 40, 39.99, 0].map((score) => band(null, [score]))).toEqual([
      "healthy",
      "healthy",
      "watch",
      "watch",
      "at_risk",
      "at_risk",
    ]);
  });
  it("§11.12 healthy ends below 65", () => {
    expect(band("healthy", three(65))).toBe("healthy");
    expect(band("healthy", three(64.99))).toBe("watch");
    expect(band("healthy", three(40))).toBe("watch");
    expect(band("healthy", three(39.99))).toBe("at_risk");
  });
  it("§11.12 at risk ends at 45", () => {
    expect(band("at_risk", three(44.99))).toBe("at_risk");
    expect(band("at_risk", three(45))).toBe("watch");
    expect(band("at_risk", three(69.99))).toBe("watch");
    expect(band("at_risk", three(70))).toBe("healthy");
  });
  it("§11.12 watch ends at 70 and below 40", () => {
    expect(band("watch", three(69.99))).toBe("watch");
    expect(band("watch", three(70))).toBe("healthy");
    expect(band("watch", three(40))).toBe("watch");
    expect(band("watch", three(39.99))).toBe("at_risk");
  });
  it("§11.12 a change must hold on three evaluations", () => {
    expect(band("healthy", [50, 50, 65])).toBe("healthy");
    expect(band("healthy", [50, 65, 50])).toBe("healthy");
    expect(band("healthy", [65, 50, 50])).toBe("healthy");
    expect(band("healthy", [50, 50])).toBe("healthy");
    expect(band("healthy", [50, 50, 50, 90])).toBe("watch");
    expect(band("at_risk", [90, 90, 44])).toBe("at_risk");
    expect(band("watch", [90, 90])).toBe("watch");
  });
  it("§11.12 evaluations that agree on the direction lead to the nearest band", () => {
    expect(band("healthy", [20, 20, 50])).toBe("watch");
    expect(band("healthy", [50, 20, 20])).toBe("watch");
    expect(band("at_risk", [90, 50, 90])).toBe("watch");
    expect(band("watch", [90, 20, 20])).toBe("watch");
    expect(band("watch", [20, 90, 20])).toBe("watch");
  });
  it("§11.12 with a cap, a change for the worse is immediate", () => {
    expect(band("healthy", [60], true)).toBe("watch");
    expect(band("healthy", [30, 90, 90], true)).toBe("at_risk");
    expect(band("watch", [39, 90, 90], true)).toBe("at_risk");
  });
  it("§11.12 with a cap, a change for the better still takes three evaluations", () => {
    expect(band("at_risk", [60], true)).toBe("at_risk");
    expect(band("at_risk", [60, 60, 60], true)).toBe("watch");
    expect(band("watch", [60, 30, 30], true)).toBe("watch");
  });
});
