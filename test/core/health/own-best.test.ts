import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { activeDay, anyDays, crowd, daysBetween, historyOf, measure, MONDAY, usageOf, weekdaysBetween } from "./support.ts";

const SUNDAY = MONDAY - 1;

describe("an account's own best", () => {
  it("§11.8 caps: the last 28 days are held against the best 28 of 26 weeks", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY), (day) => (day > SUNDAY - 28 ? 1 : 5));
    expect(measure(historyOf(days)).ownBest(SUNDAY)).toEqual({
      observed: 20,
      best: 100,
      ratio: 0.2,
      window: { from: SUNDAY - 27, to: SUNDAY },
    });
  });
  it("§11.8 caps: a best below 20 user-days is none", () => {
    const best = (count: number) => measure(historyOf([activeDay(SUNDAY - 50, crowd(count))])).ownBest(SUNDAY);
    expect(best(19)).toBeNull();
    expect(best(20)).toMatchObject({ observed: 0, best: 20, ratio: 0 });
  });
  it("§11.8 caps: a best is forgotten after 26 weeks", () => {
    const best = (day: number) => measure(historyOf([activeDay(day, crowd(30))])).ownBest(SUNDAY);
    expect(best(SUNDAY - 181)?.best).toBe(30);
    expect(best(SUNDAY - 182)).toBeNull();
  });
  it("§11.8 caps: 28 days are 28 days", () => {
    const best = (apart: number) =>
      measure(historyOf([activeDay(SUNDAY - 90, crowd(20)), activeDay(SUNDAY - 90 + apart, crowd(20))])).ownBest(SUNDAY);
    expect(best(27)?.best).toBe(40);
    expect(best(28)?.best).toBe(20);
  });
  it("§11.8 caps: a holiday of the whole workspace is nobody's decline", () => {
    const days = [activeDay(SUNDAY - 50, crowd(40)), activeDay(SUNDAY, crowd(10))];
    const context = { factor: { count: 10, middle: [0.5, 0.5, 0.5] } };
    expect(measure(historyOf(days), context).ownBest(SUNDAY)).toMatchObject({ best: 20, ratio: 0.5 });
  });
  it("§11.11 outages: fewer business days in the 28 are expected to bring less", () => {
    const outage: [number, number] = [SUNDAY - 6, SUNDAY - 2];
    const days = usageOf(weekdaysBetween(SUNDAY - 111, SUNDAY - 7), () => 5);
    const best = measure(historyOf(days), { outages: [outage] }).ownBest(SUNDAY);
    expect(best).toMatchObject({ observed: 90, best: 90, ratio: 1 });
  });
  it("§11.11 outages: where no business day is left there is nothing to compare", () => {
    // Every weekday of nineteen weeks is gone: 28 counted days of weekends.
    const outages = daysBetween(0, 18).map((week): [number, number] => [MONDAY + 7 * week, MONDAY + 7 * week + 4]);
    const days = usageOf(weekdaysBetween(SUNDAY - 60, SUNDAY), () => 5);
    expect(measure(historyOf(days), { outages }).ownBest(MONDAY + 7 * 19 - 1)).toBeNull();
  });
  it("§11.8 caps: it equals trying every stretch", () => {
    fc.assert(
      fc.property(anyDays(120), fc.integer({ min: 0, max: 260 }), (days, at) => {
        const day = MONDAY + at;
        const sum = (to: number) =>
          days.reduce((total, use) => (use.day > to - 28 && use.day <= to ? total + use.userDays : total), 0);
        const most = Math.max(...daysBetween(day - 154, day).map(sum));
        const best = measure(historyOf(days)).ownBest(day);
        expect(best?.best ?? 0).toBe(most < 20 ? 0 : most);
        if (best !== null) expect(best.observed).toBe(sum(day));
      }),
      { numRuns: 200 },
    );
  });
});
