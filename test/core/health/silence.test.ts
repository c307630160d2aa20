import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calendarOf } from "../../../src/core/health/business-days.ts";
import type { Day } from "../../../src/core/health/model.ts";
import {
  SENDER_THRESHOLD_BOUNDS,
  silenceOf,
  ACCOUNT_THRESHOLD_BOUNDS,
  thresholdOf,
} from "../../../src/core/health/silence.ts";
import {
  activeDay,
  crowd,
  daysBetween,
  historyOf,
  isWeekday,
  measure,
  MONDAY,
  usageOf,
  weekdaysBetween,
} from "./support.ts";

const plain = calendarOf([]);
const silence = (days: Day[], day: Day, knownFrom = days[0] ?? day) =>
  silenceOf(days, day, knownFrom, plain, ACCOUNT_THRESHOLD_BOUNDS);

describe("the silence threshold", () => {
  it.each([
    ["is 5 business days for a daily account", 64, 64, 0, 5],
    // p = 13/66: 0.803^24 = 0.0052 and 0.803^25 = 0.0042.
    ["is a gap that chance produces once in 200 times", 12, 64, 0, 25],
    // p = 1/2: 0.5^7 = 0.0078 and 0.5^8 = 0.0039.
    ["is a gap that chance produces once in 200 times", 31, 62, 0, 8],
    ["is at least twice the longest gap", 60, 64, 3, 6],
    ["is at most 45", 60, 64, 23, 45],
    ["is at most 45", 0, 64, 0, 45],
  ])("§11.1 %s: %d of %d days, gap %d", (_, active, businessDays, longestGap, threshold) => {
    expect(thresholdOf(active, businessDays, longestGap, ACCOUNT_THRESHOLD_BOUNDS)).toBe(threshold);
  });
  it("§11.1 is between 1 and 10 for a workspace", () => {
    const thresholds = [2_000, 64, 10].map((active) =>
      thresholdOf(active, Math.max(active, 64), 0, SENDER_THRESHOLD_BOUNDS),
    );
    expect(thresholds).toEqual([1, 2, 10]);
  });
});

describe("silence", () => {
  const days = weekdaysBetween(MONDAY - 70, MONDAY - 3);
  it("§11.1 counts the business days since the last active day and begins at the threshold", () => {
    expect(silence(days, MONDAY)).toEqual({ lastDay: MONDAY - 3, gap: 1, threshold: 5, silent: false });
    expect(silence(days, MONDAY + 4)).toMatchObject({ gap: 5, silent: true });
  });
  it("§11.1 needs an earlier active day", () => {
    expect(silence([], MONDAY)).toBeNull();
    expect(silence(days, MONDAY - 71)).toBeNull();
    expect(measure(historyOf([])).silence(MONDAY)).toBeNull();
  });
  it("§11.1 counts inactive days from the first message that named the account", () => {
    const late = weekdaysBetween(MONDAY - 28, MONDAY);
    expect(silence(late, MONDAY)?.threshold).toBe(5);
    // Fifteen business days from its first message to its first event.
    expect(silence(late, MONDAY, MONDAY - 49)?.threshold).toBe(30);
  });
  it("§11.1 equals the formula computed day by day", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 140 }), { minLength: 1, maxLength: 100 }),
        fc.nat(150),
        fc.nat(140),
        (offsets, at, first) => {
          const active = offsets.map((offset) => MONDAY + offset).toSorted((a, b) => a - b);
          const day = MONDAY + at;
          expect(silence(active, day, MONDAY + first)).toEqual(naive(active, day, MONDAY + first));
        },
      ),
      { numRuns: 500 },
    );
  });
});

function naive(active: Day[], day: Day, knownFrom: Day) {
  const lastDay = active.findLast((date) => date <= day);
  if (lastDay === undefined) return null;
  const from = Math.max(lastDay - 89, Math.min(knownFrom, lastDay));
  const stretch = daysBetween(from, lastDay);
  let longest = 0;
  let run = 0;
  for (const date of stretch) {
    run = active.includes(date) ? 0 : run + (isWeekday(date) ? 1 : 0);
    longest = Math.max(longest, run);
  }
  const business = stretch.filter(isWeekday);
  const p = (business.filter((date) => active.includes(date)).length + 1) / (business.length + 2);
  const threshold = Math.min(Math.max(Math.ceil(Math.log(0.005) / Math.log(1 - p)), 2 * longest, 5), 45);
  const gap = weekdaysBetween(lastDay + 1, day).length;
  return { lastDay, gap, threshold, silent: gap >= threshold };
}

describe("an account with few users", () => {
  it.each([
    [0, { threshold: 11, silent: false }],
    [2, { threshold: 11, silent: false }],
    [3, { threshold: 5, silent: true }],
  ])("§11.1 has a threshold of at least 11 with one or two users: %d", (users, found) => {
    const days = weekdaysBetween(MONDAY - 70, MONDAY - 3).map((day) => activeDay(day, crowd(users)));
    expect(measure(historyOf(days)).silence(MONDAY + 4)).toMatchObject({ gap: 5, ...found });
  });
});

describe("recent activity", () => {
  it("§11.1 active days in five business days include weekends", () => {
    const measures = measure(historyOf([MONDAY, MONDAY + 5, MONDAY + 7].map((day) => activeDay(day))));
    expect(measures.activeDaysInBusinessDays(MONDAY + 4, 5)).toBe(1);
    expect(measures.activeDaysInBusinessDays(MONDAY + 6, 5)).toBe(2);
    expect(measures.activeDaysInBusinessDays(MONDAY + 7, 5)).toBe(2);
  });
  it("§11.1 active days include those that are not loaded", () => {
    const measures = measure(
      historyOf(
        usageOf(daysBetween(MONDAY, MONDAY + 9), () => 1),
        { earlierDays: 7 },
      ),
    );
    expect(measures.activeDaysEver(MONDAY + 4)).toBe(12);
    expect(measures.activeDays(MONDAY + 4, 3)).toBe(3);
    expect(measures.activeDays(MONDAY + 12, 7)).toBe(4);
    expect(measures.tenure(MONDAY)).toBe(1);
  });
});
