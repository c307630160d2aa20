import { describe, expect, it } from "vitest";

import { isoDate } from "../../../../../src/core/ask/query/windows.ts";
import { TimeReader } from "../../../../../src/core/ask/reader/times/time-reader.ts";

/** A Monday. */
const TODAY = Date.UTC(2026, 10, 23) / 86_400_000;

const timeAt = (text: string, at: number, today: number) => new TimeReader(text, today).timeAt(at);
const dates = (from: string, to: string) => ({ from, to });

describe("§15.3 the words of a time", () => {
  it.each([
    ["in the last 30 days", { last: 30, unit: "day" }],
    ["30d", { last: 30, unit: "day" }],
    ["past week", { last: 1, unit: "week" }],
    ["over the last month", { last: 1, unit: "month" }],
    ["in the past fortnight", { last: 14, unit: "day" }],
    ["for two weeks", { last: 2, unit: "week" }],
    ["last sixteen days", { last: 16, unit: "day" }],
    ["past 7d", { last: 7, unit: "day" }],
    ["last month", { previous: "month" }],
    ["yesterday", { previous: "day" }],
    ["today", { this: "day" }],
    ["this month so far", { this: "month" }],
    ["ytd", { this: "year" }],
    ["ever", { all: true }],
    ["in the next 90 days", { next: 90, unit: "day" }],
    ["next quarter", dates("2027-01-01", "2027-03-31")],
    ["by the end of the year", dates("2026-12-31", "2026-12-31")],
    ["in october", dates("2026-10-01", "2026-10-31")],
    ["in december", dates("2025-12-01", "2025-12-31")],
    ["in october 2025", dates("2025-10-01", "2025-10-31")],
    ["in q3", dates("2026-07-01", "2026-09-30")],
    ["since 1 september", dates("2026-09-01", "2026-11-23")],
    ["since october", dates("2026-10-01", "2026-11-23")],
    ["since last week", dates("2026-11-16", "2026-11-23")],
    ["since monday", dates("2026-11-16", "2026-11-23")],
    ["on friday", dates("2026-11-20", "2026-11-20")],
    ["on 5 march", dates("2026-03-05", "2026-03-05")],
    ["october 5th", dates("2026-10-05", "2026-10-05")],
    ["2026 10 05", dates("2026-10-05", "2026-10-05")],
    ["between 1 october and 15 october", dates("2026-10-01", "2026-10-15")],
    ["from may to july", dates("2026-05-01", "2026-07-31")],
    ["since monday last week", dates("2026-11-16", "2026-11-23")],
    ["in the last 24 hours", { last: 2, unit: "day" }],
    ["overnight", { last: 2, unit: "day" }],
    ["over the weekend", dates("2026-11-21", "2026-11-22")],
    ["sat or sun", dates("2026-11-21", "2026-11-22")],
    ["in the first half of october", dates("2026-10-01", "2026-10-15")],
    ["in the last week of october", dates("2026-10-25", "2026-10-31")],
    ["the week of 11 november", dates("2026-11-09", "2026-11-15")],
    ["since mid-october", dates("2026-10-15", "2026-11-23")],
    ["from september through to now", dates("2026-09-01", "2026-11-23")],
    ["since recording started", { all: true }],
    ["tuesday to thursday last week", dates("2026-11-17", "2026-11-19")],
    ["thursday to tuesday", dates("2026-11-12", "2026-11-17")],
    ["1 november–15 november", dates("2026-11-01", "2026-11-15")],
    ["1-15 november", dates("2026-11-01", "2026-11-15")],
    ["on the 15th", dates("2026-11-15", "2026-11-15")],
    ["25/10", dates("2026-10-25", "2026-10-25")],
    ["3.11.2026", dates("2026-11-03", "2026-11-03")],
    ["week 46", dates("2026-11-09", "2026-11-15")],
    ["h2", dates("2026-07-01", "2026-11-23")],
    ["in the last 5 working days", dates("2026-11-16", "2026-11-20")],
    ["in the last 2 full months", dates("2026-09-01", "2026-10-31")],
    ["forty-five days ago", dates("2026-10-09", "2026-10-09")],
    ["the last quarter of last year", dates("2025-10-01", "2025-12-31")],
    ["last march", dates("2026-03-01", "2026-03-31")],
    ["in 2025", dates("2025-01-01", "2025-12-31")],
    ["next friday", dates("2026-11-27", "2026-11-27")],
    ["tomorrow", dates("2026-11-24", "2026-11-24")],
    ["the day before yesterday", dates("2026-11-21", "2026-11-21")],
    ["the month before last", dates("2026-09-01", "2026-09-30")],
    ["the week after next", dates("2026-12-07", "2026-12-13")],
    ["at the end of october", dates("2026-10-31", "2026-10-31")],
    ["at the start of q3", dates("2026-07-01", "2026-07-01")],
    ["first 10 days of october", dates("2026-10-01", "2026-10-10")],
    ["the first quarter of 2026", dates("2026-01-01", "2026-03-31")],
    ["since yesterday evening", { last: 2, unit: "day" }],
    ["within 10 days", { last: 10, unit: "day" }],
    ["month to date", { this: "month" }],
    ["since the start of the quarter", { this: "quarter" }],
    ["this month and the previous one", dates("2026-10-01", "2026-11-23")],
    ["in the next week", { next: 1, unit: "week" }],
    ["october 5 to 9", dates("2026-10-05", "2026-10-09")],
    ["on 31 october 2025", dates("2025-10-31", "2025-10-31")],
    ["last weekend", dates("2026-11-21", "2026-11-22")],
    ["next weekend", dates("2026-11-28", "2026-11-29")],
    ["next week", dates("2026-11-30", "2026-12-06")],
    ["on christmas eve", dates("2025-12-24", "2025-12-24")],
    ["on new years eve", dates("2025-12-31", "2025-12-31")],
    ["half a year ago", dates("2026-05-23", "2026-05-23")],
    ["3 working days ago", dates("2026-11-18", "2026-11-18")],
    ["in the last full month", dates("2026-10-01", "2026-10-31")],
    ["the last day of october", dates("2026-10-31", "2026-10-31")],
    ["the first week of october", dates("2026-10-01", "2026-10-07")],
    ["the second half of 2025", dates("2025-07-01", "2025-12-31")],
    ["the 2nd half of october", dates("2026-10-16", "2026-10-31")],
    ["wednesday this week", dates("2026-11-25", "2026-11-25")],
    ["next week on wednesday", dates("2026-12-02", "2026-12-02")],
    ["in march last year", dates("2025-03-01", "2025-03-31")],
    ["in march this year", dates("2026-03-01", "2026-03-31")],
    ["this october", dates("2026-10-01", "2026-10-31")],
    ["10/25/2025", dates("2025-10-25", "2025-10-25")],
    ["10/10", dates("2026-10-10", "2026-10-10")],
    ["week 2 of 2026", dates("2026-01-05", "2026-01-11")],
    ["for more than 3 weeks", { last: 3, unit: "week" }],
    ["for twenty one days", { last: 21, unit: "day" }],
    ["for a couple of weeks", { last: 2, unit: "week" }],
    ["on the 30th", dates("2026-10-30", "2026-10-30")],
    ["ytd", { this: "year" }],
    ["qtd", { this: "quarter" }],
    ["on christmas eve", dates("2025-12-24", "2025-12-24")],
    ["on new years eve", dates("2025-12-31", "2025-12-31")],
    ["on new years day", dates("2026-01-01", "2026-01-01")],
    ["from march 3 to 9", dates("2026-03-03", "2026-03-09")],
    ["march 3 to 9 2025", dates("2025-03-03", "2025-03-09")],
    ["31.10.2026", dates("2026-10-31", "2026-10-31")],
    ["over the next month", { next: 1, unit: "month" }],
    ["since the beginning of the quarter", { this: "quarter" }],
    ["all time", { all: true }],
  ])("reads “%s”", (text, window) => {
    expect(timeAt(text, 0, TODAY)).toMatchObject({ window, length: text.length });
  });

  it.each([
    "30 february",
    "week 60",
    "week 53 of 2025",
    "2026-13-05",
    "25/00/2026",
    "october 0000",
    "in the last half a week",
    "over 2000",
    "13/14",
    "13.12",
    "lunch",
    "the plan",
    "monday",
    "10/11",
    "on mondays",
    "mid-october",
    "at night",
    "5–october",
    "w 20",
    "on the 2nd account",
  ])("reads no time in “%s”", (text) => {
    expect(timeAt(text, 0, TODAY)?.length ?? 0).toBeLessThan(text.length);
  });

  it.each([
    ["by new year", "before", "2027-01-01"],
    ["before christmas", "before", "2026-12-24"],
    ["before the end of january", "before", "2027-01-31"],
    ["by friday", "before", "2026-11-27"],
    ["after q1", "after", "2027-04-01"],
    ["by the 15th", "before", "2026-12-15"],
    ["by 24 november", "before", "2026-11-24"],
    ["by next weekend", "before", "2026-11-29"],
    ["before the weekend", "before", "2026-11-27"],
    ["by month end", "before", "2026-11-30"],
    ["before week 2", "before", "2027-01-10"],
    ["in more than 90 days", "after", "2027-02-22"],
    ["at least 7 days from now", "after", "2026-11-30"],
  ] as const)("reads “%s” as a bound of dates ahead", (text, isBound, day) => {
    expect(timeAt(text, 0, TODAY)).toMatchObject({ isBound, ahead: dates(day, day), length: text.length });
  });

  it("takes a day of the month before if this one doesn't have it", () => {
    const october = Date.UTC(2026, 9, 5) / 86_400_000;
    expect(timeAt("on the 31st", 0, october)).toMatchObject({ window: dates("2026-08-31", "2026-08-31") });
  });

  it("reads the longest time at a position, and nothing before it", () => {
    const text = "events in the last 2 weeks per day";
    expect(timeAt(text, 7, TODAY)).toMatchObject({ window: { last: 2, unit: "week" }, length: 19 });
    expect(timeAt(text, 0, TODAY)).toBeNull();
    expect(isoDate(TODAY)).toBe("2026-11-23");
  });
});
