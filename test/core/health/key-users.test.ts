import { describe, expect, it } from "vitest";

import type { ActiveDay } from "../../../src/core/health/model.ts";
import { activeDay, historyOf, measure, MONDAY, SUNDAY, weekdaysBetween } from "./support.ts";

/** User 1 on every weekday until `until`, the others on every weekday up to Sunday. */
function champion(until: number, others: number[]): ActiveDay[] {
  return weekdaysBetween(SUNDAY - 139, SUNDAY).map((day) => activeDay(day, day <= until ? [1, ...others] : others));
}
const key = (days: ActiveDay[], day = SUNDAY, context = {}) => measure(historyOf(days), context).keyUsers(day);

/** User 1 on the first `count` weekdays of the last 56 days, user 2 once. */
const onDays = (count: number) => {
  const mine = weekdaysBetween(SUNDAY - 55, SUNDAY).slice(0, count);
  return [...mine.map((day) => activeDay(day, [1])), activeDay(SUNDAY - 2, [2])];
};

describe("key users", () => {
  it("§12.2 are users with much of the usage who are silent by their own habit", () => {
    expect(key(champion(SUNDAY - 17, [2]))).toEqual([
      {
        user: 1,
        days: 29,
        share: 29 / (29 + 40),
        silence: { lastDay: SUNDAY - 17, gap: 11, threshold: 11, silent: true },
      },
    ]);
    // 29 of 109 user-days are less than 30 %.
    expect(key(champion(SUNDAY - 17, [2, 3]))).toEqual([]);
  });
  it("§12.2 are not silent before their own threshold or in two weeks of leave", () => {
    const days = champion(SUNDAY - 16, [2]);
    expect(key(days, SUNDAY - 2)).toEqual([]);
    expect(key(days, SUNDAY)).toEqual([]);
    expect(key(days, SUNDAY + 1)).toMatchObject([{ user: 1, silence: { gap: 11, threshold: 11 } }]);
  });
  it("§12.2 have 10 active days in 56", () => {
    expect(key(onDays(10))).toMatchObject([{ user: 1, days: 10, share: 10 / 11 }]);
    expect(key(onDays(9))).toEqual([]);
  });
  it("§12.2 do not exist in a silent account or one without events", () => {
    const days = weekdaysBetween(SUNDAY - 139, SUNDAY - 17).map((day) => activeDay(day, [1]));
    expect(measure(historyOf(days)).silence(SUNDAY)?.silent).toBe(true);
    expect(key(days)).toEqual([]);
    expect(key([])).toEqual([]);
  });
  it("§12.2 have a habit from their first day within reach", () => {
    const late = weekdaysBetween(SUNDAY - 139, SUNDAY).map((day) =>
      activeDay(day, day > SUNDAY - 50 && day <= SUNDAY - 17 ? [1, 2] : [2]),
    );
    expect(key(late)).toMatchObject([{ user: 1, silence: { threshold: 11 } }]);
    // A single day long ago makes the time between a gap of theirs.
    const known = late.map((use) => (use.day === SUNDAY - 65 ? activeDay(use.day, [1, 2]) : use));
    expect(key(known)).toEqual([]);
    const tooLongAgo = [activeDay(SUNDAY - 160, [1]), ...late];
    expect(key(tooLongAgo)).toEqual(key(late));
  });
  it("§12.2 are back when active after the given day", () => {
    const measures = measure(historyOf([activeDay(MONDAY, [1]), activeDay(MONDAY + 5, [1, 2])]));
    expect(measures.userSeen(MONDAY + 5, 1, MONDAY)).toBe(true);
    expect(measures.userSeen(MONDAY + 4, 1, MONDAY)).toBe(false);
    expect(measures.userSeen(MONDAY + 9, 2, MONDAY + 5)).toBe(false);
    expect(measures.userSeen(MONDAY + 9, 3, MONDAY)).toBe(false);
  });
});

/** These users on every weekday up to Sunday, and these afterwards. */
const handOver = (before: number[], after: number[]) =>
  weekdaysBetween(SUNDAY - 139, SUNDAY + 140).map((day) => activeDay(day, day <= SUNDAY ? before : after));

const succeeded = (days: ActiveDay[], day: number, context = {}) =>
  measure(historyOf(days), context).hasSuccessor(day, 1, SUNDAY - 2);

describe("a successor", () => {
  const sometimes = handOver([1], [2]).map((use) => (use.day % 7 === 4 ? activeDay(use.day, [2]) : use));
  it.each([
    ["has 30 % of the user-days since, and had less before", handOver([1], [2]), true],
    ["may have been active before", sometimes, true],
    ["was not a key user before", handOver([1, 2], [2]), false],
    ["needs 30 %", handOver([1], [11, 12, 13, 14]), false],
    ["does not exist without user-days", [activeDay(SUNDAY, []), activeDay(SUNDAY + 9, [])], false],
  ])("§12.2 %s", (_, days, expected) => {
    expect(succeeded(days, SUNDAY + 20)).toBe(expected);
  });
  it("§12.2 is found from 14 to 90 days later", () => {
    const days = handOver([1], [2]);
    const since = SUNDAY - 2;
    expect([13, 14, 90, 91].map((later) => succeeded(days, since + later))).toEqual([false, true, true, false]);
    expect(succeeded(days, since + 14, { outages: [[SUNDAY + 1, SUNDAY + 1]] })).toBe(false);
  });
});
