import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nextDigestAt } from "../../../src/core/notify/digest-times.ts";
import { WEEKDAYS } from "../../../src/core/notify/model.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const daily = (at: string, timezone: string, after: string): string =>
  new Date(nextDigestAt({ every: "day", at }, timezone, Date.parse(after))).toISOString();

const clock = (instant: number, timeZone: string): string =>
  new Date(instant).toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
const dateOf = (instant: number, timeZone: string): string =>
  new Date(instant).toLocaleDateString("en-CA", { timeZone });

const offsetChanges = (instant: number, timeZone: string) =>
  clock(instant - 2 * HOUR_MS, timeZone) !== clock(instant - 2 * HOUR_MS + DAY_MS, timeZone);

describe("§9 the next digest", () => {
  it.each([
    ["09:00", "UTC", "2026-11-27T08:59:59.999Z", "2026-11-27T09:00:00.000Z"],
    ["09:00", "UTC", "2026-11-27T09:00:00Z", "2026-11-28T09:00:00.000Z"],
    ["00:00", "UTC", "2026-11-27T00:00:00.001Z", "2026-11-28T00:00:00.000Z"],
    ["09:00", "America/Los_Angeles", "2026-11-27T18:00:00Z", "2026-11-28T17:00:00.000Z"],
    ["09:00", "Asia/Kathmandu", "2026-11-27T00:00:00Z", "2026-11-27T03:15:00.000Z"],
    ["09:00", "Pacific/Kiritimati", "2026-11-27T00:00:00Z", "2026-11-27T19:00:00.000Z"],
    ["23:30", "Pacific/Pago_Pago", "2026-11-27T00:00:00Z", "2026-11-27T10:30:00.000Z"],
  ])("at %s in %s after %s is %s", (at, timezone, after, expected) => {
    expect(daily(at, timezone, after)).toBe(expected);
  });

  it("stays at 09:00 on the clock when the offset changes", () => {
    expect(daily("09:00", "Europe/Berlin", "2026-03-28T08:00:00Z")).toBe("2026-03-29T07:00:00.000Z");
    expect(daily("09:00", "Europe/Berlin", "2026-10-24T07:00:00Z")).toBe("2026-10-25T08:00:00.000Z");
  });

  it("reads a time that is skipped on the clock before the change", () => {
    expect(daily("02:30", "Europe/Berlin", "2026-03-28T02:00:00Z")).toBe("2026-03-29T01:30:00.000Z");
    expect(daily("02:30", "America/New_York", "2026-03-08T05:00:00Z")).toBe("2026-03-08T07:30:00.000Z");
    // The clock jumps from 24:00 to 01:00.
    expect(daily("00:30", "Africa/Cairo", "2026-04-23T12:00:00Z")).toBe("2026-04-23T22:30:00.000Z");
    expect(daily("02:15", "Australia/Lord_Howe", "2026-10-03T12:00:00Z")).toBe("2026-10-03T15:45:00.000Z");
  });

  it("is once on a day on which the clock shows the time twice, the first time", () => {
    expect(daily("02:30", "Europe/Berlin", "2026-10-24T12:00:00Z")).toBe("2026-10-25T00:30:00.000Z");
    expect(daily("02:30", "Europe/Berlin", "2026-10-25T00:30:00Z")).toBe("2026-10-26T01:30:00.000Z");
    expect(daily("01:45", "Australia/Lord_Howe", "2026-04-04T00:00:00Z")).toBe("2026-04-04T14:45:00.000Z");
  });

  it("is once for two dates if the first date is skipped", () => {
    // Samoa had no 30 December 2011.
    expect(daily("09:00", "Pacific/Apia", "2011-12-29T12:00:00Z")).toBe("2011-12-29T19:00:00.000Z");
    expect(daily("09:00", "Pacific/Apia", "2011-12-29T19:00:00Z")).toBe("2011-12-30T19:00:00.000Z");
    expect(daily("09:00", "Pacific/Apia", "2011-12-30T19:00:00Z")).toBe("2011-12-31T19:00:00.000Z");
  });

  it("is on the weekday of weekly digests, by default on Monday", () => {
    // 27 November 2026 is a Friday.
    const after = Date.parse("2026-11-27T12:00:00Z");
    const weekly = (weekday?: (typeof WEEKDAYS)[number]) =>
      new Date(nextDigestAt({ every: "week", at: "09:00", weekday }, "UTC", after)).toISOString().slice(0, 10);
    expect(weekly()).toBe("2026-11-30");
    expect(WEEKDAYS.map((weekday) => weekly(weekday))).toEqual([
      "2026-11-30",
      "2026-12-01",
      "2026-12-02",
      "2026-12-03",
      "2026-12-04",
      "2026-11-28",
      "2026-11-29",
    ]);
  });

  it("uses the weekday of the time zone", () => {
    const after = Date.parse("2026-11-29T12:00:00Z");
    const at = (timezone: string) =>
      new Date(nextDigestAt({ every: "week", at: "01:00" }, timezone, after)).toISOString();
    expect(at("Asia/Tokyo")).toBe("2026-11-29T16:00:00.000Z");
    expect(at("America/New_York")).toBe("2026-11-30T06:00:00.000Z");
  });

  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
  ];
  const moreZones = [
    "Africa/Casablanca",
    "Africa/Cairo",
    "America/Santiago",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Asia/Tehran",
  ];
  const anyZone = fc.constantFrom(...zones, ...moreZones);
  const anyTime = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hours, minutes]) => `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`);
  const anyInstant = fc.integer({ min: Date.parse("2010-01-01"), max: Date.parse("2040-01-01") });

  it("shows the time of day on the clock, unless a change of the clocks skips it", () => {
    fc.assert(
      fc.property(anyZone, anyTime, anyInstant, (timezone, at, after) => {
        const next = nextDigestAt({ every: "day", at }, timezone, after);
        expect(next).toBeGreaterThan(after);
        fc.pre(!offsetChanges(next - DAY_MS, timezone) && !offsetChanges(next, timezone));
        expect(clock(next, timezone)).toBe(at);
      }),
      { numRuns: 300 },
    );
  });

  it("comes once on every date, whatever the clocks do", () => {
    fc.assert(
      fc.property(
        anyZone,
        anyTime,
        fc.integer({ min: Date.parse("2013-01-01"), max: Date.parse("2039-01-01") }),
        (timezone, at, start) => {
          let instant = start;
          const dates = Array.from({ length: 60 }, () => {
            instant = nextDigestAt({ every: "day", at }, timezone, instant);
            return dateOf(instant, timezone);
          });
          expect(new Set(dates).size).toBe(60);
          expect((Date.parse(dates.at(-1) ?? "") - Date.parse(dates[0] ?? "")) / DAY_MS).toBe(59);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is the same for every moment up to it", () => {
    fc.assert(
      fc.property(
        anyZone,
        anyTime,
        anyInstant,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (timezone, at, after, part) => {
          const times = { every: "week", at } as const;
          const next = nextDigestAt(times, timezone, after);
          expect(nextDigestAt(times, timezone, after + Math.floor((next - after) * part))).toBe(next);
        },
      ),
      { numRuns: 200 },
    );
  });
});
