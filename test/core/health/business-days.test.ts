import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { calendarOf } from "../../../src/core/health/business-days.ts";
import type { Day } from "../../../src/core/health/model.ts";
import { anyOutages, daysBetween, isWeekday, MONDAY } from "./support.ts";

const plain = calendarOf([]);
/** Wednesday to the next Tuesday. */
const outage: [Day, Day] = [MONDAY + 2, MONDAY + 8];
const broken = calendarOf([outage]);

describe("the calendar", () => {
  it("§10.4 counts days before 1970-01-01, a Thursday, too", () => {
    expect(daysBetween(-4, 3).map((day) => plain.businessDays(day, day))).toEqual([0, 1, 1, 1, 1, 1, 0, 0]);
  });
  it("§11.11 the last five business days reach past a weekend and an outage", () => {
    expect(plain.firstOfBusinessDays(MONDAY + 5, 5)).toBe(MONDAY);
    expect(plain.firstOfBusinessDays(MONDAY + 7, 5)).toBe(MONDAY + 1);
    expect(broken.firstOfBusinessDays(MONDAY + 11, 5)).toBe(MONDAY);
  });

  const length = 150;
  const anyDay = fc.integer({ min: MONDAY - 10, max: MONDAY + length });
  it("§11.11 counting Monday to Friday outside outages equals going from day to day, and so does a window", () => {
    fc.assert(
      fc.property(anyOutages(length), anyDay, anyDay, (outages, from, to) => {
        const calendar = calendarOf(outages);
        const counted = daysBetween(from, to).filter((day) => !outages.some(([a, b]) => a <= day && day <= b));
        expect(calendar.countedDays(from, to)).toBe(counted.length);
        expect(calendar.businessDays(from, to)).toBe(counted.filter(isWeekday).length);
        fc.pre(counted.length > 0);
        expect(calendar.window(to, counted.length)).toEqual({ from: counted[0], to: counted.at(-1) });
      }),
      { numRuns: 1_000 },
    );
  });
});
