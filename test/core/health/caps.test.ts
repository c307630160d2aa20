import { describe, expect, it } from "vitest";

import { capsAt, confirmedDrop } from "../../../src/core/health/caps.ts";
import type { Measures } from "../../../src/core/health/measures.ts";
import { CAPS, type Day, type Silence, type UsageComparison } from "../../../src/core/health/model.ts";
import { contextWith, historyOf, measure, MONDAY, usageOf, weekdaysBetween } from "./support.ts";

const window = { from: MONDAY - 13, to: MONDAY };
const trend = (ratio: number, z = -3): UsageComparison => ({ observed: ratio * 100, expected: 100, ratio, z, window });

const best = (ratio: number, z = -2): UsageComparison => ({ observed: ratio * 80, expected: 80, ratio, z, window });

interface Given {
  silence?: (day: Day) => Silence | null;
  drop?: (day: Day) => UsageComparison | null;
  ownBest?: (day: Day) => UsageComparison | null;
}
const given = ({ silence = () => null, drop: dropOn = () => null, ownBest = () => null }: Given): Measures => ({
  ...measure(historyOf([])),
  silence,
  drop: dropOn,
  ownBest,
});
const OUTAGE = { outages: [[MONDAY - 3, MONDAY - 1]] } as const;
const caps = (what: Given) => capsAt(given(what), MONDAY).map(({ cap, limit }) => [cap, limit]);

const drop = (...found: (UsageComparison | null)[]) =>
  confirmedDrop(given({ drop: (day) => found[MONDAY - day] ?? null }), MONDAY);

describe("a confirmed drop", () => {
  it("§11.8 needs three days in a row", () => {
    expect(drop(trend(0.6), trend(0.5), trend(0.4))).toEqual(trend(0.6));
    expect(drop(trend(0.6), trend(0.6), null)).toBeNull();
    expect(drop(trend(0.6), null, trend(0.6))).toBeNull();
    expect(drop(null, trend(0.6), trend(0.6))).toBeNull();
  });
  it("§11.11 skips the days of an outage", () => {
    const found = new Map([MONDAY, MONDAY - 4, MONDAY - 5].map((day) => [day, trend(0.6)]));
    const measures = { ...given({ drop: (day) => found.get(day) ?? null }), context: contextWith(OUTAGE) };
    expect(confirmedDrop(measures, MONDAY)).toEqual(trend(0.6));
    expect(confirmedDrop({ ...measures, context: contextWith({}) }, MONDAY)).toBeNull();
  });
});

describe("the caps of a score", () => {
  it("§11.8 silence caps at 30", () => {
    const silence = { lastDay: MONDAY - 9, gap: 6, threshold: 6, silent: true };
    expect(capsAt(given({ silence: () => silence }), MONDAY)).toEqual([
      { cap: "silent", limit: 30, observed: 6, expected: 6, window: { from: MONDAY - 9, to: MONDAY } },
    ]);
    expect(caps({ silence: () => ({ ...silence, gap: 5, silent: false }) })).toEqual([]);
  });
  it("§11.8 a confirmed drop caps at 60, and at 39 from a ratio of 0.35", () => {
    expect(caps({ drop: () => trend(0.6) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ drop: () => trend(0.36) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ drop: () => trend(0.35) })).toEqual([["confirmed_drop", 39]]);
    expect(capsAt(given({ drop: () => trend(0.5) }), MONDAY)[0]).toMatchObject({ observed: 50, expected: 100, window });
  });
  it("§11.8 half of the own best caps at 60, a quarter at 40", () => {
    expect(caps({ ownBest: () => best(0.75) })).toEqual([["below_own_best", 80]]);
    expect(caps({ ownBest: () => best(0.25) })).toEqual([["below_own_best", 40]]);
    expect(capsAt(given({ ownBest: () => best(0.5) }), MONDAY)).toEqual([
      { cap: "below_own_best", limit: 60, observed: 40, expected: 80, window },
    ]);
  });
  it("§11.8 above half of the own best, a cap needs a z of -2", () => {
    expect(caps({ ownBest: () => best(0.51, -1.99) })).toEqual([]);
    expect(caps({ ownBest: () => best(0.5, -1.99) })).toEqual([["below_own_best", 60]]);
  });
  it("§11.8 several caps can apply at once", () => {
    const days = usageOf(weekdaysBetween(MONDAY - 120, MONDAY), (day) => (day > MONDAY - 21 ? 0 : 8));
    expect(capsAt(measure(historyOf(days)), MONDAY).map(({ cap }) => cap)).toEqual(CAPS);
  });
});
