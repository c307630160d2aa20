import { describe, expect, it } from "vitest";

import { isDrop } from "../../../src/core/health/trend.ts";
import type { ActiveDay, Day, UsageComparison } from "../../../src/core/health/model.ts";
import { activeDay, crowd, historyOf, measure, SUNDAY, usageOf, weekdaysBetween } from "./support.ts";

const trend = (ratio: number, z: number): UsageComparison => ({
  observed: ratio * 100,
  expected: 100,
  ratio,
  z,
  window: { from: SUNDAY - 13, to: SUNDAY },
});
const drop = (days: ActiveDay[], day = SUNDAY) => measure(historyOf(days)).drop(day);

/** Twelve weeks of weekdays with these users. Some are last active on the day before `away`. */
const without = (users: number[], gone: number[], away: Day): ActiveDay[] =>
  weekdaysBetween(SUNDAY - 83, SUNDAY + 7).map((day) =>
    activeDay(day, day < away ? users : users.filter((user) => !gone.includes(user))),
  );

describe("usage_drop", () => {
  it("§11.8 needs a ratio of at most 0.6 and a z of at most -2.5", () => {
    expect(isDrop(trend(0.6, -2.5))).toBe(true);
    expect(isDrop(trend(0.61, -2.5))).toBe(false);
    expect(isDrop(trend(0.6, -2.49))).toBe(false);
  });
  it("§11.8 is found when many users do less", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 83, SUNDAY), (day) => (day > SUNDAY - 14 ? 4 : 10));
    expect(drop(days)).toMatchObject({ observed: 40, expected: 100, ratio: 0.4 });
    expect(drop(usageOf(weekdaysBetween(SUNDAY - 83, SUNDAY), () => 10))).toBeNull();
    expect(drop([])).toBeNull();
  });
  it("§11.8 is not found when one user takes two weeks off", () => {
    const days = without([1, 2], [1], SUNDAY - 13);
    expect(measure(historyOf(days)).trend(SUNDAY)?.ratio).toBe(0.5);
    expect(measure(historyOf(days)).trend(SUNDAY)?.z).toBeGreaterThan(-2.5);
    const most = weekdaysBetween(SUNDAY - 83, SUNDAY).map((day) =>
      activeDay(day, day < SUNDAY - 13 ? (day % 7 === 4 ? crowd(3) : [1]) : []),
    );
    expect(isDrop(measure(historyOf(most)).trend(SUNDAY) ?? trend(1, 0))).toBe(true);
    expect(drop(most)).toBeNull();
  });
  it("§11.8 is found when two users leave at once", () => {
    const days = without(crowd(6), [1, 2, 3, 4], SUNDAY - 13);
    expect(drop(days)).toMatchObject({ observed: 20, expected: 60 });
  });
  it("§11.8 is found when one user is away for more than two weeks", () => {
    // User 1 has nine days of ten.
    const days = weekdaysBetween(SUNDAY - 83, SUNDAY + 7).map((day) =>
      activeDay(day, day < SUNDAY - 13 ? (day % 7 === 4 ? [1, 2] : [1]) : day % 7 === 4 ? [2] : []),
    );
    expect(drop(days, SUNDAY)).toBeNull();
    expect(drop(days, SUNDAY + 1)).toMatchObject({ observed: 2, expected: 12 });
  });
});
