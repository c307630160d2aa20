import { describe, expect, it } from "vitest";

import type { ActiveDay } from "../../../src/core/health/model.ts";
import { activeDay, historyOf, measure, SUNDAY, weekdaysBetween } from "./support.ts";

const dropped = (days: ActiveDay[], day = SUNDAY, coreFeatures = [1, 2]) =>
  measure(historyOf(days), { coreFeatures }).droppedFeatures(day);

/** Feature 2 on every weekday; feature 1 by three users in turn on the first `count` weekdays of 56 days. */
function use(count: number, users = 3): ActiveDay[] {
  const used = new Set(weekdaysBetween(SUNDAY - 76, SUNDAY - 21).slice(0, count));
  return weekdaysBetween(SUNDAY - 76, SUNDAY).map((day) =>
    activeDay(day, [1, 2, 3], used.has(day) ? { 1: [1 + (day % users)], 2: [1] } : { 2: [1] }),
  );
}

describe("dropped features", () => {
  it("§12.2 are core features with three users on 8 days, then 21 days without use", () => {
    const [last] = weekdaysBetween(SUNDAY - 76, SUNDAY).slice(7);
    expect(dropped(use(8))).toEqual([{ feature: 1, users: 3, days: 8, lastDay: last }]);
    expect(dropped(use(7))).toEqual([]);
    expect(dropped(use(8, 2))).toEqual([]);
  });
  it("§12.2 were used within 77 days but not in the last 21", () => {
    const days = use(40);
    const last = days.findLast(({ features }) => features.has(1))?.day ?? 0;
    expect(dropped(days, last + 20)).toEqual([]);
    expect(dropped(days, last + 21)).toHaveLength(1);
    expect(dropped(use(8), SUNDAY + 1)).toEqual([]);
  });
  it("§12.2 are not features used only at the end of each month", () => {
    // Ten days of use, 19 business days without, and ten again.
    const ends = new Set([...weekdaysBetween(SUNDAY - 90, SUNDAY - 77), ...weekdaysBetween(SUNDAY - 48, SUNDAY - 35)]);
    const monthly = weekdaysBetween(SUNDAY - 139, SUNDAY + 40).map((day) =>
      activeDay(day, [1, 2, 3], ends.has(day) ? { 1: [1, 2, 3] } : {}),
    );
    // Twice the earlier gap of 20 business days has not passed yet.
    expect(dropped(monthly, SUNDAY)).toEqual([]);
    const once = monthly.map((each) => (each.day < SUNDAY - 60 ? activeDay(each.day, [1, 2, 3]) : each));
    expect(dropped(once, SUNDAY)).toHaveLength(1);
  });
  it.each([
    [20, 0],
    [21, 1],
  ])("§11.11 days of an outage are not days without use: %d days ago", (ago, count) => {
    const context = { coreFeatures: [1, 2], outages: [[SUNDAY - ago, SUNDAY - ago]] as const };
    expect(measure(historyOf(use(8)), context).droppedFeatures(SUNDAY)).toHaveLength(count);
  });
  it("§12.2 are not reported for a silent account", () => {
    expect(dropped(use(8).filter(({ day }) => day < SUNDAY - 21))).toEqual([]);
    expect(dropped([])).toEqual([]);
  });
  it("§12.2 days of use count after one day and up to another", () => {
    const measures = measure(historyOf(use(8)));
    const last = dropped(use(8))[0]?.lastDay ?? 0;
    expect(measures.featureDays(SUNDAY, 1, last)).toBe(0);
    expect(measures.featureDays(SUNDAY, 1, last - 1)).toBe(1);
    expect(measures.featureDays(last - 1, 1, last - 3)).toBe(2);
  });
});
