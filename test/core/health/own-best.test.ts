import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Day } from "../../../src/core/health/model.ts";
import {
  activeDay,
  anyDays,
  crowd,
  daysBetween,
  historyOf,
  measure,
  MONDAY,
  SUNDAY,
  usageOf,
  weekdaysBetween,
} from "./support.ts";

/** Returns the own best of an account with these user-days by day. */
const bestOf = (...days: [day: Day, count: number][]) =>
  measure(historyOf(days.map(([day, count]) => activeDay(day, crowd(count))))).ownBest(SUNDAY);

describe("the own best", () => {
  it("§11.8 compares the last 28 days with the best 28 of 26 weeks", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY), (day) => (day > SUNDAY - 28 ? 1 : 5));
    expect(measure(historyOf(days)).ownBest(SUNDAY)).toEqual({
      observed: 20,
      expected: 100,
      ratio: 0.2,
      // Twelve weeks of 25 and four of 5: one change of 20 in 15, around a mean of 20.
      z: -80 / Math.sqrt(100),
      window: { from: SUNDAY - 27, to: SUNDAY },
    });
  });
  it("§11.8 needs a best of 20 user-days", () => {
    expect(bestOf([SUNDAY - 50, 19])).toBeNull();
    expect(bestOf([SUNDAY - 50, 20])).toMatchObject({ observed: 0, expected: 20, ratio: 0 });
  });
  it("§11.8 ignores days before 26 weeks", () => {
    expect(bestOf([SUNDAY - 181, 30])?.expected).toBe(30);
    expect(bestOf([SUNDAY - 182, 30])).toBeNull();
  });
  it("§11.11 allows for holidays and ignores the workspace factor", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY - 7), () => 5);
    const holidays = weekdaysBetween(SUNDAY - 6, SUNDAY);
    const context = { holidays, factor: { count: 11, middle: [0.5, 0.5, 0.5] } };
    expect(measure(historyOf(days), context).ownBest(SUNDAY)).toMatchObject({
      observed: 75,
      expected: 75,
      ratio: 1,
      z: 0,
    });
  });
  it("§11.8 takes z from the differences between weeks", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY), (day) => ((SUNDAY - day) % 14 < 7 ? 2 : 6));
    // Weeks of 10 and 30 in turn: half of 20 squared, around a mean of 20.
    expect(measure(historyOf(days)).ownBest(SUNDAY)).toMatchObject({ observed: 80, expected: 80, z: 0 });
    const fewer = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY), (day) =>
      day > SUNDAY - 7 ? 0 : (SUNDAY - day) % 14 < 7 ? 2 : 6,
    );
    const changes = 14 * 400 + 900;
    const mean = (16 * 20 - 10) / 16;
    expect(measure(historyOf(fewer)).ownBest(SUNDAY)?.z).toBeCloseTo(
      -10 / Math.sqrt((changes / 15 / 2 / mean) * 80),
      10,
    );
  });
  it("§11.11 expects less with fewer business days", () => {
    const outage: [number, number] = [SUNDAY - 6, SUNDAY - 2];
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY - 7), () => 5);
    const best = measure(historyOf(days), { outages: [outage] }).ownBest(SUNDAY);
    expect(best).toMatchObject({ observed: 90, expected: 90, ratio: 1 });
  });
  it("§11.8 equals trying every window", () => {
    fc.assert(
      fc.property(anyDays(120), fc.integer({ min: 0, max: 260 }), (days, at) => {
        const day = MONDAY + at;
        const sum = (to: number) =>
          days.reduce((total, use) => (use.day > to - 28 && use.day <= to ? total + use.userDays : total), 0);
        const most = Math.max(...daysBetween(day - 154, day).map(sum));
        const best = measure(historyOf(days)).ownBest(day);
        expect(best?.expected ?? null).toBe(most < 20 ? null : most);
        expect(best?.observed ?? null).toBe(most < 20 ? null : sum(day));
      }),
      { numRuns: 200 },
    );
  });
});
