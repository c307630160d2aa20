import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import {
  comparedWindows,
  refuseWithoutHistory,
  unlikeWindows,
} from "../../../../src/core/ask/query/compared-windows.ts";
import { querySchema, type WindowName } from "../../../../src/core/ask/query/model.ts";
import { calendarWindowDays, dayOf, windowDays, isoDate } from "../../../../src/core/ask/query/windows.ts";

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
    expect(days(windowDays(window, TODAY))).toBe(expected);
  });

  it("use the last day of a month that lacks the date", () => {
    expect(days(windowDays({ last: 1, unit: "month" }, dayOf("2026-03-31")))).toBe("2026-03-01 to 2026-03-31");
  });

  it("of this unit include its future days for dates", () => {
    expect(days(calendarWindowDays({ this: "month" }, TODAY))).toBe("2026-11-01 to 2026-11-30");
    expect(days(calendarWindowDays({ this: "week" }, TODAY))).toBe("2026-11-23 to 2026-11-29");
  });
});

function comparing(window: WindowName, to: "before" | WindowName, measure = "events", today = isoDate(TODAY)): string {
  const { window: counted, before } = comparedWindows(
    { find: "accounts", where: [], show: "value", measure, window, compare: { to } },
    dayOf(today),
  );
  return `${days(counted)}, ${before === null ? "none" : days(before)}`;
}

describe("§15.4 a comparison with the time before", () => {
  it.each<[WindowName, string]>([
    // The 7 complete days that end yesterday, not 6 days.
    [{ last: 7, unit: "day" }, "2026-11-16 to 2026-11-22, 2026-11-09 to 2026-11-15"],
    [{ last: 2, unit: "week" }, "2026-11-09 to 2026-11-22, 2026-10-26 to 2026-11-08"],
    [{ last: 28, unit: "day" }, "2026-10-26 to 2026-11-22, 2026-09-28 to 2026-10-25"],
    [{ last: 30, unit: "day" }, "2026-10-24 to 2026-11-22, 2026-09-24 to 2026-10-23"],
    // From Friday to Sunday, as a week earlier.
    [{ last: 3, unit: "day" }, "2026-11-20 to 2026-11-22, 2026-11-13 to 2026-11-15"],
    [{ last: 3, unit: "month" }, "2026-08-23 to 2026-11-22, 2026-05-23 to 2026-08-22"],
    [{ previous: "day" }, "2026-11-22 to 2026-11-22, 2026-11-15 to 2026-11-15"],
    [{ previous: "week" }, "2026-11-16 to 2026-11-22, 2026-11-09 to 2026-11-15"],
    [{ previous: "month" }, "2026-10-01 to 2026-10-31, 2026-09-01 to 2026-09-30"],
    [{ previous: "quarter" }, "2026-07-01 to 2026-09-30, 2026-04-01 to 2026-06-30"],
    [{ previous: "year" }, "2025-01-01 to 2025-12-31, 2024-01-01 to 2024-12-31"],
    [{ from: "2026-03-01", to: "2026-03-31" }, "2026-03-01 to 2026-03-31, 2026-02-01 to 2026-02-28"],
    [{ from: "2026-10-05", to: "2026-10-20" }, "2026-10-05 to 2026-10-20, 2026-09-19 to 2026-10-04"],
    [{ this: "month" }, "2026-11-01 to 2026-11-22, 2026-10-01 to 2026-10-22"],
    [{ this: "quarter" }, "2026-10-01 to 2026-11-22, 2026-07-01 to 2026-08-22"],
    [{ from: "2026-11-01", to: "2026-11-30" }, "2026-11-01 to 2026-11-22, 2026-10-01 to 2026-10-22"],
    // Monday: this week has no complete day yet.
    [{ this: "week" }, "2026-11-23 to 2026-11-23, none"],
    [{ this: "day" }, "2026-11-23 to 2026-11-23, none"],
  ])("of %j compares %s", (window, expected) => {
    expect(comparing(window, "before")).toBe(expected);
  });

  it.each<[WindowName, string, string]>([
    [{ last: 3, unit: "month" }, "2026-11-22", "2026-08-22"],
    [{ last: 30, unit: "day" }, "2026-11-22", "2026-10-23"],
    [{ last: 3, unit: "day" }, "2026-11-22", "2026-11-19"],
    [{ this: "quarter" }, "2026-11-22", "2026-09-30"],
    [{ previous: "month" }, "2026-10-31", "2026-09-30"],
    [{ this: "day" }, "2026-11-22", "2026-11-21"],
  ])("compares a score at the end of %j with the one of the day before it: %s, %s", (window, now, then) => {
    const [counted = "", before = ""] = comparing(window, "before", "score").split(", ");
    expect([counted.slice(-10), before.slice(-10)]).toEqual([now, then]);
  });

  it("takes as many days of a month as of the one before that is over", () => {
    expect(comparing({ previous: "month" }, "before", "events", "2026-03-15")).toBe(
      "2026-02-01 to 2026-02-28, 2026-01-01 to 2026-01-31",
    );
    expect(comparing({ this: "month" }, "before", "events", "2026-03-31")).toBe(
      "2026-03-01 to 2026-03-30, 2026-02-01 to 2026-02-28",
    );
  });

  it("says that this week has no complete day yet, and what to ask instead", () => {
    const asked = {
      find: "events",
      where: [],
      show: "value",
      window: { this: "week" },
      compare: { to: "before" },
    } as const;
    expect(refuseWithoutHistory({ ...asked, where: [] }, TODAY, null)).toMatchObject({
      refusal: {
        detail:
          "Only complete days are compared, and this week has none yet. Ask for the last week and the one before.",
      },
    });
  });
});

it("compares what a score is today as of yesterday, and counts nothing of today", () => {
  const day = { from: "2026-10-01", to: "2026-10-01" };
  expect(comparing({ this: "day" }, day, "score")).toBe("2026-11-22 to 2026-11-22, 2026-10-01 to 2026-10-01");
  expect(comparing({ this: "day" }, day)).toBe("2026-11-23 to 2026-11-23, none");
});

it.each(["score", "mrr", "seats"])(
  "compares %s at the end of a unit that isn't over with the end of the one before",
  (measure) => {
    const ends = (window: WindowName, to: WindowName) => comparing(window, to, measure).replaceAll(/\S+ to /g, "");
    expect(ends({ this: "month" }, { previous: "month" })).toBe("2026-11-22, 2026-10-31");
    expect(ends({ this: "quarter" }, { previous: "quarter" })).toBe("2026-11-22, 2026-09-30");
    expect(ends({ previous: "month" }, { this: "month" })).toBe("2026-10-31, 2026-11-22");
  },
);

it("compares a unit that isn't over with as many first days of another one", () => {
  const october = { from: "2026-10-01", to: "2026-10-31" };
  expect(comparing({ this: "month" }, { previous: "month" })).toBe(
    "2026-11-01 to 2026-11-22, 2026-10-01 to 2026-10-22",
  );
  expect(comparing({ this: "week" }, { previous: "week" }, "events", "2026-11-26")).toBe(
    "2026-11-23 to 2026-11-25, 2026-11-16 to 2026-11-18",
  );
  expect(comparing(october, { this: "month" })).toBe("2026-10-01 to 2026-10-22, 2026-11-01 to 2026-11-22");
  expect(comparing({ this: "month" }, { previous: "quarter" })).toBe(
    "2026-11-01 to 2026-11-22, 2026-07-01 to 2026-09-30",
  );
});

const unlike = (measure: string, window: WindowName | undefined, to: WindowName) => {
  const query = querySchema.parse({ find: "accounts", show: "value", measure, window, compare: { to } });
  return unlikeWindows(query, TODAY)?.split(":")[0] ?? null;
};

describe("§16 named windows to compare with", () => {
  const [week, month] = [{ last: 7, unit: "day" } as const, { last: 1, unit: "month" } as const];

  it.each<[measure: string, window: WindowName | undefined, to: WindowName, problem: string | null]>([
    ["events", week, week, "overlaps the compared window"],
    ["events", undefined, month, "overlaps the compared window"],
    ["events", { this: "month" }, week, "overlaps the compared window"],
    ["events", week, { previous: "month" }, "has 31 days, and the compared window 7"],
    ["events", week, { from: "2026-11-07", to: "2026-11-15" }, "has 9 days, and the compared window 7"],
    ["mrr", { this: "day" }, month, "ends on the same day as the compared window"],
    ["score", week, { last: 30, unit: "day" }, "ends on the same day as the compared window"],
    ["events", week, { from: "2026-11-02", to: "2026-11-08" }, null],
    ["events", { previous: "month" }, { from: "2026-09-01", to: "2026-09-30" }, null],
    ["events", { this: "month" }, { previous: "month" }, null],
    ["events", { this: "year" }, { previous: "year" }, null],
    ["events", { from: "2026-03-01", to: "2026-03-31" }, { from: "2026-02-01", to: "2026-02-28" }, null],
    ["mrr", { this: "month" }, { from: "2026-11-01", to: "2026-11-01" }, null],
  ])("of %s in %j, with %j: %s", (measure, window, to, problem) => {
    expect(unlike(measure, window, to)).toBe(problem);
  });

  it("are proposed as what can be compared", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 2, max: 300 }), (length, other) => {
        const query = (to: object) =>
          querySchema.parse({ find: "events", show: "count", window: { last: length, unit: "day" }, compare: { to } });
        const [, proposed = "null"] =
          /or (\{.*\})$/.exec(unlikeWindows(query({ last: other, unit: "day" }), TODAY) ?? "") ?? [];
        expect(unlikeWindows(query(JSON.parse(proposed)), TODAY)).toBeNull();
      }),
    );
  });
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
