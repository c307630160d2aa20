import { describe, expect, it } from "vitest";

import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import { windowsOf } from "../../../../src/core/ask/query/compared-windows.ts";
import type { WindowName } from "../../../../src/core/ask/query/model.ts";
import {
  calendarDaysOf,
  completeDays,
  dayOf,
  daysOf,
  isoDate,
  windowBefore,
} from "../../../../src/core/ask/query/windows.ts";

/** A Monday. */
const TODAY = dayOf("2026-11-23");
const days = ({ from, to }: { from: number; to: number }) => `${isoDate(from)} to ${isoDate(to)}`;

describe("the days of a window", () => {
  it.each<[WindowName, string]>([
    [{ last: 1, unit: "day" }, "2026-11-23 to 2026-11-23"],
    [{ last: 28, unit: "day" }, "2026-10-27 to 2026-11-23"],
    [{ last: 2, unit: "week" }, "2026-11-10 to 2026-11-23"],
    [{ last: 1, unit: "month" }, "2026-10-24 to 2026-11-23"],
    [{ last: 9, unit: "month" }, "2026-02-24 to 2026-11-23"],
    [{ last: 1, unit: "quarter" }, "2026-08-24 to 2026-11-23"],
    [{ last: 1, unit: "year" }, "2025-11-24 to 2026-11-23"],
    [{ next: 2, unit: "day" }, "2026-11-23 to 2026-11-25"],
    [{ next: 3, unit: "month" }, "2026-11-23 to 2027-02-23"],
    [{ this: "day" }, "2026-11-23 to 2026-11-23"],
    [{ this: "week" }, "2026-11-23 to 2026-11-23"],
    [{ this: "quarter" }, "2026-10-01 to 2026-11-23"],
    [{ this: "year" }, "2026-01-01 to 2026-11-23"],
    [{ previous: "day" }, "2026-11-22 to 2026-11-22"],
    [{ previous: "week" }, "2026-11-16 to 2026-11-22"],
    [{ previous: "month" }, "2026-10-01 to 2026-10-31"],
    [{ from: "2026-02-01", to: "2026-02-28" }, "2026-02-01 to 2026-02-28"],
    [{ all: true }, "2024-09-15 to 2026-11-23"],
  ])("of %j are %s", (window, expected) => {
    expect(days(daysOf(window, TODAY))).toBe(expected);
  });

  it("use the last day of a month that lacks the date", () => {
    expect(days(daysOf({ last: 1, unit: "month" }, dayOf("2026-03-31")))).toBe("2026-03-01 to 2026-03-31");
  });

  it("of this unit include its future days, if a date may lie there", () => {
    expect(days(calendarDaysOf({ this: "month" }, TODAY))).toBe("2026-11-01 to 2026-11-30");
    expect(days(calendarDaysOf({ this: "week" }, TODAY))).toBe("2026-11-23 to 2026-11-29");
  });
});

describe("a comparison", () => {
  it("uses complete days", () => {
    expect(completeDays({ from: TODAY - 27, to: TODAY }, TODAY)).toEqual({ from: TODAY - 27, to: TODAY - 1 });
    expect(completeDays({ from: TODAY, to: TODAY }, TODAY)).toBeNull();
  });

  it("uses an equally long window before, with the same weekdays, without an overlap", () => {
    expect(windowBefore({ from: 100, to: 106 })).toEqual({ from: 93, to: 99 });
    expect(windowBefore({ from: 100, to: 109 })).toEqual({ from: 86, to: 95 });
  });
});

function comparing(window: WindowName, to: "before" | WindowName, measure: "events" | "score" = "events"): string {
  const { window: counted, before } = windowsOf(
    { find: "accounts", where: [], show: "value", measure, window, compare: { to } },
    TODAY,
  );
  return `${days(counted)}, ${before === null ? "none" : days(before)}`;
}

it("compares what a score is today as of yesterday, and counts nothing of today", () => {
  const day = { from: "2026-10-01", to: "2026-10-01" };
  expect(comparing({ this: "day" }, day, "score")).toBe("2026-11-22 to 2026-11-22, 2026-10-01 to 2026-10-01");
  expect(comparing({ this: "day" }, day)).toBe("2026-11-23 to 2026-11-23, none");
});

it("compares a month that isn't over with as many days of the month before", () => {
  const october = { from: "2026-10-01", to: "2026-10-31" };
  expect(comparing({ this: "month" }, { previous: "month" })).toBe(
    "2026-11-01 to 2026-11-22, 2026-10-01 to 2026-10-22",
  );
  expect(comparing(october, { this: "month" })).toBe("2026-10-01 to 2026-10-22, 2026-11-01 to 2026-11-22");
  expect(comparing({ this: "month" }, { previous: "quarter" })).toBe(
    "2026-11-01 to 2026-11-22, 2026-07-01 to 2026-09-30",
  );
  expect(comparing({ this: "month" }, "before")).toBe("2026-11-01 to 2026-11-22, 2026-10-04 to 2026-10-25");
});

const issuesOf = (window: WindowName) => checkQuery({ find: "events", where: [], show: "count", window }, []);

describe("the length of a window", () => {
  it.each<WindowName>([
    { last: 800, unit: "day" },
    { next: 800, unit: "day" },
    { last: 26, unit: "month" },
    { from: "2024-01-01", to: "2026-03-10" },
    { previous: "week" },
    { all: true },
  ])("accepts %o", (window) => {
    expect(issuesOf(window)).toEqual([]);
  });

  it.each<[WindowName, string]>([
    [{ last: 27, unit: "month" }, "is longer than 800 days"],
    [{ next: 27, unit: "month" }, "is longer than 800 days"],
    [{ from: "2024-01-01", to: "2026-03-11" }, "is longer than 800 days"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "ends before it begins"],
  ])("rejects %o", (window, message) => {
    expect(issuesOf(window)).toEqual([{ path: "window", message }]);
  });
});
