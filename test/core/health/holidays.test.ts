import { describe, expect, it } from "vitest";

import { calendarOf } from "../../../src/core/health/business-days.ts";
import { holidaysOf, type ActivityLevel } from "../../../src/core/health/days-off.ts";
import type { Day } from "../../../src/core/health/model.ts";
import { startContexts } from "../../../src/core/health/workspace-context.ts";
import { historyOf, measure, MONDAY, usageOf, weekdaysBetween } from "./support.ts";

const usual: ActivityLevel = { accounts: 20, userDays: 100 };

/** Usual Mondays of the weeks before `MONDAY`, and `MONDAY` itself. */
function levels(monday: ActivityLevel | null, weeks = 8, before = usual): Map<Day, ActivityLevel> {
  const known = weekdaysBetween(MONDAY - 7 * weeks, MONDAY - 1).map((day): [Day, ActivityLevel] => [day, before]);
  return new Map(monday === null ? known : [...known, [MONDAY, monday]]);
}
const found = (of: Map<Day, ActivityLevel>, day = MONDAY, previous: Parameters<typeof holidaysOf>[3] = null) =>
  holidaysOf(of, day, [], previous);

describe("shared holidays", () => {
  it("§11.11 have at most half of the usual user-days and 0.9 of the accounts", () => {
    expect(found(levels({ accounts: 18, userDays: 50 }))).toEqual([MONDAY]);
    expect(found(levels({ accounts: 18, userDays: 51 }))).toEqual([]);
    expect(found(levels({ accounts: 19, userDays: 50 }))).toEqual([]);
    expect(found(levels(null))).toEqual([MONDAY]);
  });
  it("§11.11 need four earlier weeks and ten accounts", () => {
    expect(found(levels({ accounts: 2, userDays: 9 }, 4))).toEqual([MONDAY]);
    expect(found(levels({ accounts: 2, userDays: 9 }, 3))).toEqual([]);
    expect(found(levels({ accounts: 2, userDays: 9 }, 8, { accounts: 10, userDays: 100 }))).toEqual([MONDAY]);
    expect(found(levels({ accounts: 2, userDays: 9 }, 8, { accounts: 9, userDays: 100 }))).toEqual([]);
  });
  it("§11.11 are never weekends or days of an outage", () => {
    expect(found(levels(usual), MONDAY + 6, { day: MONDAY + 4, holidays: [] })).toEqual([]);
    expect(holidaysOf(levels(null), MONDAY, [[MONDAY - 3, MONDAY]], null)).toEqual([]);
  });
  it("§11.11 do not lower what is usual", () => {
    const half = levels({ accounts: 10, userDays: 50 });
    for (let week = 1; week <= 5; week += 1) half.set(MONDAY - 7 * week, { accounts: 10, userDays: 50 });
    const holidays = [5, 4, 3, 2, 1].map((week) => MONDAY - 7 * week);
    expect(found(half, MONDAY, { day: MONDAY - 1, holidays: holidays.slice(1) })).toEqual([
      ...holidays.slice(1),
      MONDAY,
    ]);
    // Only three usual ones are left.
    expect(found(half, MONDAY, { day: MONDAY - 1, holidays })).toEqual(holidays);
  });
  it("§11.11 are kept for 400 days, and earlier days are not checked again", () => {
    const known = { day: MONDAY - 1, holidays: [MONDAY - 400, MONDAY - 399] };
    expect(found(levels(usual), MONDAY, known)).toEqual([MONDAY - 399]);
    expect(found(levels(null), MONDAY, { day: MONDAY, holidays: [] })).toEqual([]);
    expect(holidaysOf(levels(usual), MONDAY, [[MONDAY - 400, MONDAY - 390]], known)).toEqual([]);
  });
  it("§11.11 are part of a day's context", () => {
    const sender = weekdaysBetween(MONDAY - 60, MONDAY);
    const sums = startContexts([MONDAY, MONDAY + 1], sender, null, levels({ accounts: 9, userDays: 30 }));
    expect(sums.map(({ context }) => context.holidays)).toEqual([[MONDAY], [MONDAY, MONDAY + 1]]);
    expect(startContexts([MONDAY], sender, null)[0]?.context.holidays).toEqual([]);
  });
});

describe("days off", () => {
  it("§11.11 a holiday is a counted day but not a business day", () => {
    const calendar = calendarOf([], [MONDAY, MONDAY + 1]);
    expect(calendar.businessDays(MONDAY - 7, MONDAY + 4)).toBe(8);
    expect(calendar.countedDays(MONDAY, MONDAY + 6)).toBe(7);
    expect(calendar.firstOfBusinessDays(MONDAY + 4, 4)).toBe(MONDAY - 3);
  });
  it("§11.11 a gap skips holidays like weekends", () => {
    const days = usageOf(weekdaysBetween(MONDAY - 60, MONDAY - 3), () => 3);
    expect(measure(historyOf(days)).silence(MONDAY + 4)).toMatchObject({ gap: 5, silent: true });
    const holidays = [MONDAY + 1];
    expect(measure(historyOf(days), { holidays }).silence(MONDAY + 4)).toMatchObject({ gap: 4, silent: false });
  });
});
