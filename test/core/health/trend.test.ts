import { describe, expect, it } from "vitest";

import { calendarOf } from "../../../src/core/health/business-days.ts";
import type { ActiveDay, Day } from "../../../src/core/health/model.ts";
import { dispersionOf, dispersionOfChanges } from "../../../src/core/health/trend.ts";
import { activeDay, crowd, daysBetween, historyOf, measure, SUNDAY, usageOf, weekdaysBetween } from "./support.ts";

/** Weekly totals, newest last, all on the Monday of each week; the last two are the last 14 days. */
function weekly(totals: number[], end = SUNDAY): ActiveDay[] {
  return totals.flatMap((total, index) =>
    total === 0 ? [] : [activeDay(end - 6 - 7 * (totals.length - 1 - index), crowd(total))],
  );
}
const trendOfWeeks = (totals: number[], context = {}) => measure(historyOf(weekly(totals)), context).trend(SUNDAY);

describe("the trend", () => {
  it("§11.6 compares the last 14 days with twice the median of the weeks before", () => {
    expect(trendOfWeeks([10, 30, 20, 40, 15, 5])).toEqual({
      observed: 20,
      expected: 50,
      ratio: 0.4,
      // Mean 25, variance 500/3, so that φ is 20/3.
      z: -30 / Math.sqrt((500 / 3 / 25) * 50),
      window: { from: SUNDAY - 13, to: SUNDAY },
    });
  });
  it("§11.6 has a φ of at least 1", () => {
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10])?.z).toBe(-20 / Math.sqrt(40));
    expect(dispersionOf([20, 20])).toBe(1);
    expect(dispersionOf([0, 0, 0])).toBe(1);
    expect(dispersionOf([10, 30])).toBe(10);
  });
  it("§11.8 a steady decline has a small dispersion of changes", () => {
    expect(dispersionOfChanges([20, 40])).toBe(400 / 2 / 30);
    expect(dispersionOfChanges([40, 42, 44, 46])).toBe(1);
    expect(dispersionOfChanges([20])).toBe(1);
    expect(dispersionOfChanges([])).toBe(1);
    expect(dispersionOfChanges([0, 0])).toBe(1);
  });
  it("§11.6 needs four whole weeks before", () => {
    expect(trendOfWeeks([20, 20, 20, 10, 10])).toBeNull();
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10])?.ratio).toBe(0.5);
  });
  it("§11.6 ignores weeks that begin before the first event", () => {
    const four = weekly([20, 20, 20, 10, 10]);
    const tuesday = activeDay(SUNDAY - 40);
    expect(measure(historyOf([tuesday, ...four])).trend(SUNDAY)).toBeNull();
    const monday = activeDay(SUNDAY - 41);
    expect(measure(historyOf([monday, ...four])).trend(SUNDAY)?.observed).toBe(20);
  });
  it("§11.6 counts days that are not loaded as earlier than all weeks", () => {
    const four = weekly([20, 20, 20, 10, 10]);
    // The median of 20, 20, 20 and five empty weeks is 0.
    expect(measure(historyOf(four, { earlierDays: 1 })).trend(SUNDAY)).toBeNull();
    const eight = weekly([20, 20, 20, 20, 20, 20, 10, 10]);
    expect(measure(historyOf(eight, { earlierDays: 1 })).trend(SUNDAY)?.expected).toBe(40);
  });
  it("§11.6 uses at most the eight nearest weeks", () => {
    expect(trendOfWeeks([90, 90, 20, 20, 20, 20, 30, 30, 30, 30, 10, 10])?.expected).toBe(50);
    expect(trendOfWeeks([90, 20, 20, 20, 20, 30, 30, 30, 30, 10, 10])?.expected).toBe(50);
  });
  it("§11.6 has no value below 10 expected user-days", () => {
    expect(trendOfWeeks([5, 5, 5, 5, 1, 1])?.expected).toBe(10);
    expect(trendOfWeeks([5, 5, 4, 4, 1, 1])).toBeNull();
  });
  it("§11.6 ignores events without a user", () => {
    const days = daysBetween(SUNDAY - 60, SUNDAY).map((day) => activeDay(day, []));
    expect(measure(historyOf(days)).trend(SUNDAY)).toBeNull();
  });
});

const factor = (ratios: number) => ({ factor: { count: 12, middle: [ratios, ratios, ratios] } });

describe("the trend and the workspace factor", () => {
  it("§11.6 expects less when the workspace does less", () => {
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10], factor(0.5))).toMatchObject({ expected: 20, ratio: 1, z: 0 });
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10], factor(0.1))).toMatchObject({ expected: 10, ratio: 2 });
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10], factor(1.5))).toMatchObject({ expected: 40, ratio: 0.5 });
  });
  it("§11.6 has no value if the factor leaves less than 10 expected", () => {
    expect(trendOfWeeks([19, 19, 19, 19, 1, 1], factor(0.25))).toBeNull();
  });
  it("§11.6 leaves the account out of its own factor", () => {
    const context = { factor: { count: 11, middle: [0.4, 0.5, 0.9] } };
    // Its own 0.5 is the median of eleven. The median of the others is between 0.4 and 0.9.
    expect(trendOfWeeks([20, 20, 20, 20, 10, 10], context)?.expected).toBeCloseTo(26);
    // With less than 10 expected, the account is not one of the eleven.
    expect(trendOfWeeks([5, 5, 5, 5, 1, 1], context)).toBeNull();
    expect(measure(historyOf(weekly([4, 4, 4, 4, 1, 1])), context).trend(SUNDAY)).toBeNull();
  });
});

const steady = (days: Day[]) => usageOf(days, () => 4);

describe("the trend and outages", () => {
  it("§11.11 an outage of a whole week changes nothing", () => {
    const outage: [Day, Day] = [SUNDAY - 6, SUNDAY];
    const days = steady([...weekdaysBetween(SUNDAY - 90, SUNDAY - 7), ...weekdaysBetween(SUNDAY + 1, SUNDAY + 7)]);
    expect(measure(historyOf(days)).trend(SUNDAY + 7)?.ratio).toBe(0.5);
    expect(measure(historyOf(days), { outages: [outage] }).trend(SUNDAY + 7)).toEqual({
      observed: 40,
      expected: 40,
      ratio: 1,
      z: 0,
      window: { from: SUNDAY - 13, to: SUNDAY + 7 },
    });
  });
  it("§11.11 expectations are scaled by the remaining business days", () => {
    // Without Monday to Friday of the last week, the last 14 days contain six days of weekends.
    const outage: [Day, Day] = [SUNDAY - 6, SUNDAY - 2];
    const days = steady(weekdaysBetween(SUNDAY - 90, SUNDAY - 7));
    const trend = measure(historyOf(days), { outages: [outage] }).trend(SUNDAY);
    expect(trend?.window).toEqual({ from: SUNDAY - 18, to: SUNDAY });
    expect(calendarOf([outage]).businessDays(SUNDAY - 18, SUNDAY)).toBe(8);
    expect(trend).toMatchObject({ observed: 32, expected: 32 });
  });
  const out: [Day, Day] = [SUNDAY - 20, SUNDAY - 16];
  it.each<[since: number, found: boolean, outages: [Day, Day][]]>([
    // The week before the last 14 days is Wednesday to Sunday and the next weekend.
    [46, true, [out]],
    [45, false, [out]],
    // The week is a Sunday, Thursday to Sunday and the next weekend. It is skipped, so a fifth week is needed.
    [49, false, [[SUNDAY - 27, SUNDAY - 25], out]],
    [56, true, [[SUNDAY - 27, SUNDAY - 25], out]],
  ])("§11.11 a week needs three business days: since %d days, %s", (since, found, outages) => {
    const history = historyOf(steady(daysBetween(SUNDAY - since, SUNDAY)));
    expect(measure(history, { outages }).trend(SUNDAY) !== null).toBe(found);
  });
});
