import { describe, expect, it } from "vitest";

import type { ActiveDay } from "../../../src/core/health/model.ts";
import { activeDay, crowd, historyOf, measure, SUNDAY, usageOf, weekdaysBetween } from "./support.ts";

const growth = (days: ActiveDay[], more = {}, context = {}) => measure(historyOf(days, more), context).growth(SUNDAY);

const before = (count: number) =>
  growth([activeDay(SUNDAY - 60), activeDay(SUNDAY - 30, crowd(count)), activeDay(SUNDAY, crowd(30))]);

describe("growth", () => {
  const days = usageOf(weekdaysBetween(SUNDAY - 83, SUNDAY), (day) => (day > SUNDAY - 28 ? 6 : 3));
  it("§12.2 compares the last 28 days with the 28 before", () => {
    expect(growth(days)).toEqual({
      observed: 120,
      expected: 60,
      ratio: 2,
      z: 60 / Math.sqrt(60),
      window: { from: SUNDAY - 27, to: SUNDAY },
      newUsers: 3,
    });
  });
  it("§12.2 has a smaller z after uneven weeks", () => {
    const weeks = [55, 48, 41, 34].map((ago, index) => activeDay(SUNDAY - ago, crowd(index % 2 === 0 ? 2 : 18)));
    const uneven = [...weeks, activeDay(SUNDAY, crowd(80))];
    // Mean 10, variance 256/3.
    expect(growth(uneven)?.z).toBeCloseTo(40 / Math.sqrt((256 / 30) * 40));
  });
  it("§12.2 needs a first event 56 days ago", () => {
    const late = days.filter(({ day }) => day >= SUNDAY - 54);
    expect(growth(days.filter(({ day }) => day >= SUNDAY - 55))?.ratio).toBe(2);
    expect(growth(late)).toBeNull();
    expect(growth(late, { earlierDays: 1 })?.observed).toBe(120);
    expect(growth([])).toBeNull();
  });
  it("§12.2 needs 10 user-days in the 28 days before", () => {
    expect(before(10)?.ratio).toBe(3);
    expect(before(9)).toBeNull();
  });
  it.each([
    [145, 1],
    [146, 2],
  ])("§12.2 counts users as new who were not active in the 118 days before: %d days ago", (ago, newUsers) => {
    const known = activeDay(SUNDAY - 30, [1, ...crowd(12).map((user) => user + 20)]);
    const use = [activeDay(SUNDAY - 150, [9]), activeDay(SUNDAY - ago, [7]), known, activeDay(SUNDAY, [1, 7, 8])];
    expect(growth(use)?.newUsers).toBe(newUsers);
  });
  it("§11.11 scales the expected number by business days", () => {
    const outage: [number, number] = [SUNDAY - 6, SUNDAY - 2];
    const steady = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY - 7), () => 4);
    expect(growth(steady, {}, { outages: [outage] })).toMatchObject({ observed: 72, expected: 72 });
  });
  it("§11.11 needs a business day in the 28 days before", () => {
    const outages = weekdaysBetween(SUNDAY - 300, SUNDAY - 28).map((day): [number, number] => [day, day]);
    const weekends = usageOf([SUNDAY - 287, SUNDAY - 42, SUNDAY - 41, SUNDAY - 35], () => 10);
    expect(growth(weekends, {}, { outages })).toBeNull();
  });
});
