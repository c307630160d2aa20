/** What questions say of time, each form on both sides of its bounds. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dateOn, dayFrom, dayOnDate, isoDate } from "../../../src/core/ask/time/calendar.ts";
import { readQuestion } from "../../../src/core/ask/question/read-question.ts";
import { timeAt } from "../../../src/core/ask/time/time-words.ts";
import { CLOCK, planOf } from "./world.ts";

const dayOf = (iso: string): number => {
  const [year = 0, month = 0, date = 0] = iso.split("-").map(Number);
  return dayFrom(year, month - 1, date);
};
const clockOn = (iso: string) => ({ ...CLOCK, today: dayOf(iso), firstDay: dayOf("1990-01-01") });

/** The days that a question about the past is of; else why it is not answered. */
function days(phrase: string, today = "2026-11-21"): string {
  const plan = planOf(`How many events did acme have ${phrase}?`, { clock: clockOn(today) });
  if (typeof plan === "string") return plan;
  return "window" in plan ? `${isoDate(plan.window.from)} ${isoDate(plan.window.to)}` : "no window";
}

/** The same of what is to come. */
function daysAhead(phrase: string, today = "2026-11-21"): string {
  const plan = planOf(`Which trials end ${phrase}?`, { clock: clockOn(today) });
  if (typeof plan === "string") return plan;
  return "window" in plan ? `${isoDate(plan.window.from)} ${isoDate(plan.window.to)}` : "no window";
}

/** The first day of a silence. */
const silentSince = (phrase: string) => {
  const plan = planOf(`Which accounts have been silent ${phrase}?`);
  return typeof plan !== "string" && "window" in plan ? isoDate(plan.window.from) : plan;
};

/** The two windows of a comparison, the earlier first. */
const compared = (question: string) => {
  const plan = planOf(question);
  if (typeof plan === "string" || plan.measure !== "compare_windows") return plan;
  return [plan.before, plan.window].map(({ from, to }) => `${isoDate(from)} ${isoDate(to)}`).join(", ");
};

describe("§15.3 a time told from today, a Saturday", () => {
  it.each([
    ["today", "2026-11-21 2026-11-21"],
    ["yesterday", "2026-11-20 2026-11-20"],
    ["this week", "2026-11-16 2026-11-21"],
    ["last week", "2026-11-09 2026-11-15"],
    ["this month", "2026-11-01 2026-11-21"],
    ["last month", "2026-10-01 2026-10-31"],
    ["this quarter", "2026-10-01 2026-11-21"],
    ["last quarter", "2026-07-01 2026-09-30"],
    ["previous quarter", "2026-07-01 2026-09-30"],
    ["this year", "2026-01-01 2026-11-21"],
    ["last year", "2025-01-01 2025-12-31"],
    ["this month so far", "2026-11-01 2026-11-21"],
    ["week to date", "2026-11-16 2026-11-21"],
    ["mtd", "2026-11-01 2026-11-21"],
    ["QTD", "2026-10-01 2026-11-21"],
    ["year to date", "2026-01-01 2026-11-21"],
    ["in the last full month", "2026-10-01 2026-10-31"],
    ["last calendar week", "2026-11-09 2026-11-15"],
    ["over the past week", "2026-11-15 2026-11-21"],
    ["in the last week", "2026-11-15 2026-11-21"],
    ["in the last month", "2026-10-22 2026-11-21"],
    ["in the last year", "2025-11-22 2026-11-21"],
    ["in the past month", "2026-10-22 2026-11-21"],
    ["in the past year", "2025-11-22 2026-11-21"],
    ["in the last fortnight", "2026-11-08 2026-11-21"],
    ["ever", "1990-01-01 2026-11-21"],
    ["of all time", "1990-01-01 2026-11-21"],
    ["since the beginning", "1990-01-01 2026-11-21"],
  ])("§15.3 %s is %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });

  it("§15.3 is ever from today on where nothing has been recorded", () => {
    const { text, tokens } = readQuestion("ever");
    const time = timeAt({ text, tokens, today: dayOf("2026-11-21"), firstDay: null }, 0);
    expect(time?.back).toEqual({ from: dayOf("2026-11-21"), to: dayOf("2026-11-21") });
  });

  it("§15.3 has weeks that begin on Monday", () => {
    expect(["2026-11-15", "2026-11-16", "2026-11-17"].map((today) => days("this week", today))).toEqual([
      "2026-11-09 2026-11-15",
      "2026-11-16 2026-11-16",
      "2026-11-16 2026-11-17",
    ]);
    expect(["2026-11-15", "2026-11-16"].map((today) => days("last week", today))).toEqual([
      "2026-11-02 2026-11-08",
      "2026-11-09 2026-11-15",
    ]);
  });

  it("§15.3 runs over the end of a year", () => {
    expect(days("this week", "2026-01-01")).toBe("2025-12-29 2026-01-01");
    expect(days("last month", "2026-01-31")).toBe("2025-12-01 2025-12-31");
    expect(days("last quarter", "2026-03-31")).toBe("2025-10-01 2025-12-31");
    expect(days("yesterday", "2026-01-01")).toBe("2025-12-31 2025-12-31");
  });
});

describe("§15.3 the last so many days, weeks and months", () => {
  it.each([
    ["in the last 1 day", "2026-11-21 2026-11-21"],
    ["in the last 2 days", "2026-11-20 2026-11-21"],
    ["past 30 days", "2026-10-23 2026-11-21"],
    ["previous 30 days", "2026-10-23 2026-11-21"],
    ["over the trailing seven days", "2026-11-15 2026-11-21"],
    ["30d", "2026-10-23 2026-11-21"],
    ["l7d", "2026-11-15 2026-11-21"],
    ["last 2w", "2026-11-08 2026-11-21"],
    ["in the last 3 weeks", "2026-11-01 2026-11-21"],
    ["in the last two months", "2026-09-22 2026-11-21"],
    ["in the last 2 calendar months", "2026-09-22 2026-11-21"],
    ["in the last 12 months", "2025-11-22 2026-11-21"],
    ["in the last 4 quarters", "2025-11-22 2026-11-21"],
    ["in the last 2 years", "2024-11-22 2026-11-21"],
    ["in the last ninety days", "2026-08-24 2026-11-21"],
    ["in the last 3660 days", "2016-11-14 2026-11-21"],
    ["in the last 3661 days", "unresolved_words"],
    ["in the last 9999999 days", "unresolved_words"],
    ["in the last 99999999999999999999 days", "unresolved_words"],
    ["in the last 0 days", "unresolved_words"],
    ["in the last -5 days", "unresolved_words"],
    ["in the last 1.5 weeks", "unresolved_words"],
    ["in the last few days", "unresolved_words"],
    ["in the last 7 business days", "unresolved_words"],
    ["in the last 5 minutes", "unresolved_words"],
    ["in the last 24 hours", "unresolved_words"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });

  it.each([
    ["2026-03-31", "2026-03-01 2026-03-31"],
    ["2026-03-30", "2026-03-01 2026-03-30"],
    ["2024-03-30", "2024-03-01 2024-03-30"],
    ["2024-02-29", "2024-01-30 2024-02-29"],
    ["2026-05-31", "2026-05-01 2026-05-31"],
    ["2026-01-15", "2025-12-16 2026-01-15"],
  ])(
    "§15.3 the last 1 month on %s begins the day after the same date, or after the last of a short month: %s",
    (today, expected) => {
      expect(days("in the last 1 month", today)).toBe(expected);
    },
  );
});

describe("§15.3 a month, a quarter or a year", () => {
  it.each([
    ["in October", "2026-10-01 2026-10-31"],
    ["in November", "2026-11-01 2026-11-21"],
    ["in December", "2025-12-01 2025-12-31"],
    ["in dec 2025", "2025-12-01 2025-12-31"],
    ["in December of 2024", "2024-12-01 2024-12-31"],
    ["in sept", "2026-09-01 2026-09-30"],
    ["in may", "2026-05-01 2026-05-31"],
    ["in May 2025", "2025-05-01 2025-05-31"],
    ["in February 2024", "2024-02-01 2024-02-29"],
    ["in February 2026", "2026-02-01 2026-02-28"],
    ["in 2026-02", "2026-02-01 2026-02-28"],
    ["in 2026-13", "unresolved_words"],
    ["in 2026-00", "unresolved_words"],
    ["in Q1", "2026-01-01 2026-03-31"],
    ["in Q4", "2026-10-01 2026-11-21"],
    ["in Q4 2026", "2026-10-01 2026-11-21"],
    ["in 2026-11", "2026-11-01 2026-11-21"],
    ["in 2026", "2026-01-01 2026-11-21"],
    ["in Q4 2025", "2025-10-01 2025-12-31"],
    ["in 2025 Q4", "2025-10-01 2025-12-31"],
    ["in the third quarter of 2026", "2026-07-01 2026-09-30"],
    ["in the 2nd quarter", "2026-04-01 2026-06-30"],
    ["in Q5", "unresolved_words"],
    ["in Q0 2026", "unresolved_words"],
    ["in the fifth quarter", "unresolved_words"],
    ["in 2025", "2025-01-01 2025-12-31"],
    ["in 1899", "unresolved_words"],
    ["in 2200", "unresolved_words"],
    ["in 2199", "no_data_in_window"],
    ["in October 2027", "no_data_in_window"],
    ["at the end of October", "unresolved_words"],
    ["in the first week of October", "unresolved_words"],
    ["in mid October", "unresolved_words"],
    ["before October", "unresolved_words"],
    ["in fiscal Q3 2026", "unresolved_words"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });

  it("§15.3 without a year is the latest that has begun", () => {
    expect(days("in November", "2026-11-01")).toBe("2026-11-01 2026-11-01");
    expect(days("in November", "2026-10-31")).toBe("2025-11-01 2025-11-30");
    expect(days("in Q4", "2026-10-01")).toBe("2026-10-01 2026-10-01");
    expect(days("in Q4", "2026-09-30")).toBe("2025-10-01 2025-12-31");
  });
});

describe("§15.3 a date", () => {
  it.each([
    ["on 2026-10-05", "2026-10-05 2026-10-05"],
    ["on 2026/10/05", "2026-10-05 2026-10-05"],
    ["on 2026.10.05", "2026-10-05 2026-10-05"],
    ["on 2026-10-5", "2026-10-05 2026-10-05"],
    ["on October 5", "2026-10-05 2026-10-05"],
    ["on October 5th, 2025", "2025-10-05 2025-10-05"],
    ["on October the 5th", "2026-10-05 2026-10-05"],
    ["on 5 October", "2026-10-05 2026-10-05"],
    ["on the 5th of October 2026", "2026-10-05 2026-10-05"],
    ["on 1st Oct", "2026-10-01 2026-10-01"],
    ["on November 21", "2026-11-21 2026-11-21"],
    ["on November 22", "2025-11-22 2025-11-22"],
    ["on November 22, 2026", "no_data_in_window"],
    ["on 2024-02-29", "2024-02-29 2024-02-29"],
    ["on 29 February 2024", "2024-02-29 2024-02-29"],
    ["on 29 February", "2024-02-29 2024-02-29"],
    ["on 2026-02-29", "unresolved_words"],
    ["on 29 February 2026", "unresolved_words"],
    ["on 2026-02-30", "unresolved_words"],
    ["on 2026-13-01", "unresolved_words"],
    ["on 2026-00-10", "unresolved_words"],
    ["on 2026-10-00", "unresolved_words"],
    ["on 2026-10-32", "unresolved_words"],
    ["on 31 November", "unresolved_words"],
    ["on October 32", "unresolved_words"],
    ["on October 0", "unresolved_words"],
    ["on 10/05/2026", "unresolved_words"],
    ["on 2026-10/05", "unresolved_words"],
    ["on 2026-10-05-07", "unresolved_words"],
    ["on 5.10.2026", "2026-10-05 2026-10-05"],
    ["on 31.11.2026", "unresolved_words"],
    ["on 10.13.2026", "unresolved_words"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });

  it("§15.3 of 29 February without a year is that of the latest leap year", () => {
    expect(days("on 29 February", "2028-02-29")).toBe("2028-02-29 2028-02-29");
    expect(days("on 29 February", "2028-02-28")).toBe("2024-02-29 2024-02-29");
  });
});

describe("§15.3 a day of the week", () => {
  it.each([
    ["on Friday", "2026-11-20 2026-11-20"],
    ["last Friday", "2026-11-20 2026-11-20"],
    ["on Sunday", "2026-11-15 2026-11-15"],
    ["since Monday", "2026-11-16 2026-11-21"],
    // Today, which may mean a week ago as well.
    ["on Saturday", "unresolved_words"],
    ["last Saturday", "unresolved_words"],
    ["on Fridays", "unresolved_words"],
    ["every Friday", "unresolved_words"],
    ["before Friday", "unresolved_words"],
    ["next Friday", "prediction"],
    ["this Friday", "unresolved_words"],
  ])("§15.3 %s, said on a Saturday: %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });
});

describe("§15.3 since a time, and between two", () => {
  it.each([
    ["since 2026-10-05", "2026-10-05 2026-11-21"],
    ["since October 5", "2026-10-05 2026-11-21"],
    ["since October", "2026-10-01 2026-11-21"],
    ["since Q3", "2026-07-01 2026-11-21"],
    ["since 2025", "2025-01-01 2026-11-21"],
    ["since yesterday", "2026-11-20 2026-11-21"],
    ["since last week", "2026-11-09 2026-11-21"],
    ["since the start of the quarter", "2026-10-01 2026-11-21"],
    ["since the beginning of October", "2026-10-01 2026-11-21"],
    ["from 5 October on", "2026-10-05 2026-11-21"],
    ["from October 5 onwards", "2026-10-05 2026-11-21"],
    ["since today", "2026-11-21 2026-11-21"],
    ["since 2026-11-22", "no_data_in_window"],
    ["since 2027-03-01", "no_data_in_window"],
    ["since 2026-02-30", "unresolved_words"],
    ["between 2026-10-01 and 2026-10-15", "2026-10-01 2026-10-15"],
    ["between October 1 and October 15", "2026-10-01 2026-10-15"],
    ["from 2026-10-01 to 2026-10-15", "2026-10-01 2026-10-15"],
    ["from 2026-10-01 until today", "2026-10-01 2026-11-21"],
    ["2026-10-01 to 2026-10-15", "2026-10-01 2026-10-15"],
    ["October 1 - October 15", "2026-10-01 2026-10-15"],
    ["from Oct 1 – Oct 15", "2026-10-01 2026-10-15"],
    ["between 2026-10-01 and now", "2026-10-01 2026-11-21"],
    ["between 2026-10-01 and lunch", "unresolved_words"],
    ["October 1 to October", "unresolved_words"],
    ["from October 1 through October 15, 2026", "2026-10-01 2026-10-15"],
    ["between August and October", "2026-08-01 2026-10-31"],
    ["between 2026-10-01 and 2026-10-01", "2026-10-01 2026-10-01"],
    ["between 2026-10-01 and 2027-01-01", "2026-10-01 2026-11-21"],
    ["between 2026-11-22 and 2027-01-01", "no_data_in_window"],
    ["between 2026-10-15 and 2026-10-01", "unresolved_words"],
    ["between October and August", "unresolved_words"],
    ["between 2026-10-01 and 2026-10-32", "unresolved_words"],
    ["from October 5", "unresolved_words"],
    ["until October 5", "unresolved_words"],
    ["between October", "unresolved_words"],
    ["between last week and today", "unresolved_words"],
    ["in October and August", "unresolved_words"],
    ["in October or August", "unresolved_words"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(days(phrase)).toBe(expected);
  });
});

describe("§15.3 a time that lies ahead", () => {
  it.each([
    ["today", "2026-11-21 2026-11-21"],
    ["tomorrow", "2026-11-22 2026-11-22"],
    ["this week", "2026-11-16 2026-11-22"],
    ["next week", "2026-11-23 2026-11-29"],
    ["this month", "2026-11-01 2026-11-30"],
    ["next month", "2026-12-01 2026-12-31"],
    ["next quarter", "2027-01-01 2027-03-31"],
    ["next year", "2027-01-01 2027-12-31"],
    ["in the next 1 day", "2026-11-21 2026-11-22"],
    ["in the next 14 days", "2026-11-21 2026-12-05"],
    ["within 2 weeks", "2026-11-21 2026-12-05"],
    ["within a week", "2026-11-21 2026-11-28"],
    ["in 2 weeks from now", "2026-11-21 2026-12-05"],
    ["this coming week", "2026-11-23 2026-11-29"],
    ["in the coming month", "2026-12-01 2026-12-31"],
    ["in the next 3 months", "2026-11-21 2027-02-21"],
    ["in December", "2026-12-01 2026-12-31"],
    ["in November", "2026-11-01 2026-11-30"],
    ["in October", "2027-10-01 2027-10-31"],
    ["on November 20", "2027-11-20 2027-11-20"],
    ["on November 21", "2026-11-21 2026-11-21"],
    ["in Q1", "2027-01-01 2027-03-31"],
    ["on 29 February", "2028-02-29 2028-02-29"],
    ["on 2027-02-29", "unresolved_words"],
    ["soon", "2026-11-21 2026-12-18"],
    ["", "2026-11-21 2026-12-18"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(daysAhead(phrase)).toBe(expected);
  });

  it("§15.3 is none of no days or of more than ten years of them", () => {
    expect(daysAhead("in the next 0 days")).not.toMatch(/\d/);
    expect(daysAhead("in the next 3661 days")).not.toMatch(/\d/);
  });

  it("§15.3 is a short month's last where the date is missing from it", () => {
    expect(daysAhead("in the next 1 month", "2026-01-31")).toBe("2026-01-31 2026-02-28");
    expect(daysAhead("in the next 1 month", "2028-01-31")).toBe("2028-01-31 2028-02-29");
  });
});

describe("§15.3 trials that are over", () => {
  it.each([
    ["Which trials ended?", "2026-10-25 2026-11-21"],
    ["How many trials have expired?", "2026-10-25 2026-11-21"],
    ["Whose trial is over?", "2026-10-25 2026-11-21"],
    ["Which trials ended in October?", "2026-10-01 2026-10-31"],
    ["Which trials ended last week?", "2026-11-09 2026-11-15"],
    ["Which trials ended yesterday?", "2026-11-20 2026-11-20"],
    ["Which trials are ending?", "2026-11-21 2026-12-18"],
  ])("§15.3 %s: %s", (question, expected) => {
    const plan = planOf(question);
    const window = typeof plan !== "string" && plan.measure === "trials_ending" ? plan.window : null;
    expect(window === null ? plan : `${isoDate(window.from)} ${isoDate(window.to)}`).toBe(expected);
  });
});

describe("§15.3 how long somebody has been silent", () => {
  it.each([
    ["for 14 days", "2026-11-08"],
    ["for two weeks", "2026-11-08"],
    ["for a month", "2026-10-22"],
    ["for 1 day", "2026-11-21"],
    ["in the last 14 days", "2026-11-08"],
    ["since October 5", "2026-10-05"],
    ["this month", "2026-11-01"],
    ["last month", "unresolved_words"],
    ["in October", "unresolved_words"],
    ["for 0 days", "unresolved_words"],
    ["since October", "unresolved_words"],
    ["", "2026-11-08"],
  ])("§15.3 %s: %s", (phrase, expected) => {
    expect(silentSince(phrase)).toBe(expected);
  });
});

describe("§15.3 two times that are compared", () => {
  it.each([
    ["compare acme's events in October with September", "2026-09-01 2026-09-30, 2026-10-01 2026-10-31"],
    ["compare acme's events in September with October", "2026-09-01 2026-09-30, 2026-10-01 2026-10-31"],
    ["acme events this week vs last week", "2026-11-09 2026-11-15, 2026-11-16 2026-11-21"],
    ["did acme have more events this week than last?", "2026-11-09 2026-11-15, 2026-11-16 2026-11-21"],
    ["acme events in October compared to the month before", "2026-09-01 2026-09-30, 2026-10-01 2026-10-31"],
    ["acme events last week compared to the week before", "2026-11-02 2026-11-08, 2026-11-09 2026-11-15"],
    ["acme events in the last 10 days compared to the 10 days before", "2026-11-02 2026-11-11, 2026-11-12 2026-11-21"],
    ["acme events in the last 10 days vs the previous period", "2026-11-02 2026-11-11, 2026-11-12 2026-11-21"],
    ["acme events in the last 7 days compared to the week before", "2026-11-08 2026-11-14, 2026-11-15 2026-11-21"],
    ["acme events from October 1 to October 31 vs the month before", "2026-09-01 2026-09-30, 2026-10-01 2026-10-31"],
    ["acme events compared to the period before", "2026-09-27 2026-10-24, 2026-10-25 2026-11-21"],
    [
      "compare acme's events in the last 28 days against the previous 28 days",
      "2026-09-27 2026-10-24, 2026-10-25 2026-11-21",
    ],
    ["acme events Q3 2026 vs Q2 2026", "2026-04-01 2026-06-30, 2026-07-01 2026-09-30"],
    ["acme events 2026-10-01 vs 2026-10-02", "2026-10-01 2026-10-01, 2026-10-02 2026-10-02"],
  ])("§15.3 %s: %s", (question, expected) => {
    expect(compared(question)).toBe(expected);
  });

  it.each([
    "acme events in the last 10 days compared to the 9 days before",
    "acme events in the last 28 days vs the month before",
    "acme events in October vs the quarter before",
    "acme events this month vs last month vs the month before",
    "acme events in October vs 2026",
    "acme events last week vs last week",
    "acme events this month vs this week",
    "acme events in October vs September vs August",
  ])("§15.3 are none where they overlap or are not two: %s", (question) => {
    expect(compared(question)).toBe("unresolved_words");
  });
});

/** Words of the grammar of time, and numbers, in any order. */
const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      ..."the in for on since from to between and until of last this next past previous week month months quarter year days weeks today yesterday tomorrow fortnight ever before date so far calendar start may march oct december q1 q3 3rd third 2026 2025 1999 29 february 2026-02-29 2026-10-05 30d mtd a one".split(
        " ",
      ),
    ),
    fc.integer({ min: 0, max: 99_999 }).map(String),
  ),
  { minLength: 1, maxLength: 9 },
);
/** What an ISO date can be written of. */
const [FIRST_DAY, LAST_DAY] = [dayFrom(0, 0, 1), dayFrom(9999, 11, 31)];

describe("§15.3 any window", () => {
  it("§15.3 ends no earlier than it begins, on days that exist", () => {
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 0, max: 60_000 }),
        fc.option(fc.integer({ min: 0, max: 60_000 })),
        (said, today, firstDay) => {
          const { text, tokens } = readQuestion(said.join(" "));
          for (const at of tokens.keys()) {
            const time = timeAt({ text, tokens, today, firstDay }, at);
            for (const { from, to } of time === null ? [] : [time.back, time.ahead]) {
              expect(from).toBeLessThanOrEqual(to);
              expect([from, to].map((day) => dayOnDate(dateOn(day)))).toEqual([from, to]);
              expect([from >= FIRST_DAY, to <= LAST_DAY, from, to]).toEqual([true, true, from, to]);
            }
            expect(time?.length ?? 1).toBeLessThanOrEqual(tokens.length - at);
          }
        },
      ),
      { numRuns: 2_000, examples: [[["last", "3000", "years"], 20_778, 0]] },
    );
  });

  it("§15.3 reads no word of a quotation", () => {
    fc.assert(
      fc.property(words, (said) => {
        const { text, tokens } = readQuestion(`"${said.join(" ")}"`);
        for (const at of tokens.keys()) expect(timeAt({ text, tokens, today: 20_000, firstDay: 0 }, at)).toBeNull();
      }),
    );
  });
});
