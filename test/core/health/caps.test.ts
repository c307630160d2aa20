import { describe, expect, it } from "vitest";

import { capsAt, confirmedDrop } from "../../../src/core/health/caps.ts";
import type { AccountMeasures } from "../../../src/core/health/measures.ts";
import type { Day, OwnBest, Silence, Trend } from "../../../src/core/health/model.ts";
import { historyOf, measure, MONDAY, usageOf, weekdaysBetween } from "./support.ts";

const window = { from: MONDAY - 13, to: MONDAY };
const trend = (ratio: number, z = -3): Trend => ({ observed: ratio * 100, expected: 100, ratio, z, window });

interface Told {
  silence?: (day: Day) => Silence | null;
  trend?: (day: Day) => Trend | null;
  ownBest?: (day: Day) => OwnBest | null;
}
const told = ({ silence = () => null, trend: trendOn = () => null, ownBest = () => null }: Told): AccountMeasures => ({
  ...measure(historyOf([])),
  silence,
  trend: trendOn,
  ownBest,
});
const caps = (what: Told) => capsAt(told(what), MONDAY).map(({ cap, limit }) => [cap, limit]);

const drop = (...ratios: Trend[]) => confirmedDrop(told({ trend: (day) => ratios[MONDAY - day] ?? null }), MONDAY);

describe("a confirmed drop", () => {
  it("§11.8 caps: it takes a ratio of .6 at most on three days", () => {
    expect(drop(trend(0.6), trend(0.6), trend(0.6))).toEqual(trend(0.6));
    expect(drop(trend(0.6), trend(0.6), trend(0.61))).toBeNull();
    expect(drop(trend(0.61), trend(0.6), trend(0.6))).toBeNull();
    expect(drop(trend(0.2), trend(0.2))).toBeNull();
  });
  it("§11.8 caps: it takes a z of -2.5 at most on three days", () => {
    expect(drop(trend(0.5, -2.5), trend(0.4, -2.5), trend(0.4, -2.5))?.ratio).toBe(0.5);
    expect(drop(trend(0.5, -2.5), trend(0.5, -2.49), trend(0.5, -2.5))).toBeNull();
  });
});

describe("the caps of a score", () => {
  it("§11.8 caps: a silent account is capped at 30", () => {
    const silence = { lastDay: MONDAY - 9, gap: 6, threshold: 6, silent: true };
    expect(capsAt(told({ silence: () => silence }), MONDAY)).toEqual([
      { cap: "silent", limit: 30, observed: 6, expected: 6, window: { from: MONDAY - 9, to: MONDAY } },
    ]);
    expect(caps({ silence: () => ({ ...silence, gap: 5, silent: false }) })).toEqual([]);
  });
  it("§11.8 caps: a confirmed drop is capped at 60, and at 39 from a ratio of .35", () => {
    expect(caps({ trend: () => trend(0.6) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ trend: () => trend(0.36) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ trend: () => trend(0.35) })).toEqual([["confirmed_drop", 39]]);
    expect(capsAt(told({ trend: () => trend(0.5) }), MONDAY)[0]).toMatchObject({ observed: 50, expected: 100, window });
  });
  it("§11.8 caps: below half of its own best an account is capped at 60", () => {
    const best = (ratio: number) => ({ observed: ratio * 80, best: 80, ratio, window });
    expect(caps({ ownBest: () => best(0.51) })).toEqual([]);
    expect(capsAt(told({ ownBest: () => best(0.5) }), MONDAY)).toEqual([
      { cap: "below_own_best", limit: 60, observed: 40, expected: 80, window },
    ]);
  });
  it("§11.8 caps: several hold beside each other", () => {
    const days = usageOf(weekdaysBetween(MONDAY - 120, MONDAY), (day) => (day > MONDAY - 60 ? 0 : 8));
    expect(capsAt(measure(historyOf(days)), MONDAY).map(({ cap }) => cap)).toEqual(["silent", "below_own_best"]);
    const recent = usageOf(weekdaysBetween(MONDAY - 120, MONDAY), (day) => (day > MONDAY - 21 ? 0 : 8));
    expect(capsAt(measure(historyOf(recent)), MONDAY).map(({ cap }) => cap)).toEqual([
      "silent",
      "confirmed_drop",
      "below_own_best",
    ]);
  });
});
