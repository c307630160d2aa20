import { describe, expect, it } from "vitest";

import { elapsedShare, expectedFeatures, scoreTrend } from "../../../src/core/health/components.ts";
import type { AccountHistory, ActiveDay, Component } from "../../../src/core/health/model.ts";
import { activeDay, crowd, daysBetween, historyOf, measure, SUNDAY, usageOf, weekdaysBetween } from "./support.ts";

const W = { from: SUNDAY - 27, to: SUNDAY };
const TRIAL_END = "2025-08-04T00:00:00.000Z";

function component(name: Component, days: ActiveDay[], more: Partial<AccountHistory> = {}, context = {}) {
  return measure(historyOf(days, more), context).component(SUNDAY, name);
}
const withSeats = (seats: number) => ({ attributes: [[0, { seats }] as const] });

describe("recency", () => {
  // A gap of five business days before makes the threshold 10.
  const days = usageOf(
    [...weekdaysBetween(SUNDAY - 69, SUNDAY - 28), ...weekdaysBetween(SUNDAY - 20, SUNDAY - 6)],
    () => 3,
  );
  const recency = (day: number) => measure(historyOf(days)).component(day, "recency");

  it("§11.2 is 100 up to half of the threshold", () => {
    expect(recency(SUNDAY - 6)).toMatchObject({ score: 100, observed: 0, expected: 10 });
    expect(recency(SUNDAY + 1)).toMatchObject({ score: 100, observed: 5 });
  });
  it("§11.2 falls to 0 at the threshold", () => {
    expect(recency(SUNDAY + 2)).toMatchObject({ score: 80, observed: 6 });
    expect(recency(SUNDAY + 5)).toMatchObject({ score: 20, observed: 9 });
    expect(recency(SUNDAY + 8)).toMatchObject({ score: 0, observed: 10 });
    expect(recency(SUNDAY + 50)).toMatchObject({ score: 0 });
  });
  it("§11.2 has a window from the last active day", () => {
    expect(recency(SUNDAY)?.window).toEqual({ from: SUNDAY - 6, to: SUNDAY });
  });
});

describe("frequency", () => {
  const days = usageOf(daysBetween(SUNDAY - 40, SUNDAY), (day) => (day % 2 === 0 ? 1 : 0));
  it("§11.3 compares the active days in 28 with the typical number", () => {
    expect(component("frequency", days, {}, { typicalActiveDays: 20 })).toEqual({
      component: "frequency",
      score: 70,
      observed: 14,
      expected: 20,
      window: W,
    });
    expect(component("frequency", days)?.score).toBe(100);
    expect(component("frequency", [])?.score).toBe(0);
  });
  it("§11.3 counts days whose events name no user", () => {
    expect(
      component("frequency", [activeDay(SUNDAY - 28), activeDay(SUNDAY - 27, []), activeDay(SUNDAY, [])]),
    ).toMatchObject({ observed: 2 });
  });
});

const breadth = (tenure: number, users = 3, seats = 20) =>
  component("breadth", [activeDay(SUNDAY, crowd(users))], { firstDay: SUNDAY - tenure + 1, ...withSeats(seats) });

describe("breadth", () => {
  it("§11.4 compares the active users with a share of the seats that grows with tenure", () => {
    expect(breadth(59)).toEqual({ component: "breadth", score: 50, observed: 3, expected: 6, window: W });
    const expected = [59, 60, 179, 180, 269, 270].map((tenure) => breadth(tenure)?.expected);
    expect(expected).toEqual([6, 10, 10, 13, 13, 15]);
  });
  it("§11.4 is at most 100, and 0 without active users", () => {
    expect(breadth(10, 15)?.score).toBe(100);
    expect(breadth(10, 0)).toMatchObject({ score: 0, observed: 0 });
  });
  it("§11.4 replaces unknown seats by the users of 90 days", () => {
    const days = [activeDay(SUNDAY - 90, [9]), activeDay(SUNDAY - 89, [1, 2, 3]), activeDay(SUNDAY - 27, [3, 4])];
    const firstDay = SUNDAY - 300;
    expect(component("breadth", days, { firstDay })).toMatchObject({ observed: 2, expected: 3 });
    expect(component("breadth", days, { firstDay, ...withSeats(0) })).toMatchObject({ observed: 2, expected: 3 });
  });
  it("§11.4 has no value without seats and users", () => {
    expect(component("breadth", [activeDay(SUNDAY - 90), activeDay(SUNDAY, [])])).toBeNull();
  });
});

const shareOn = (day: number, firstDay = SUNDAY - 9) => elapsedShare({ trialEndsAt: TRIAL_END }, firstDay, day);

describe("depth", () => {
  const coreFeatures = [1, 2, 3];
  const depth = (days: ActiveDay[], more: Partial<AccountHistory> = {}, features = coreFeatures) =>
    component("depth", days, more, { coreFeatures: features });
  const others = activeDay(SUNDAY, [1, 2, 3]);

  it("§11.5 needs two core features", () => {
    expect(depth([others], {}, [])).toBeNull();
    expect(depth([others], {}, [1])).toBeNull();
    expect(depth([others], {}, [1, 2])).toMatchObject({ score: 0, observed: 0, expected: 2, window: W });
    expect(depth([others], {}, [1, 2, 3, 4, 5])?.expected).toBe(4);
  });
  it("§11.5 counts a feature that two users used in 28 days", () => {
    const days = [
      activeDay(SUNDAY - 28, [1, 2, 3], { 3: [1, 2] }),
      activeDay(SUNDAY - 27, [1, 2, 3], { 1: [1], 2: [1, 2], 3: [1], 9: [1, 2] }),
      activeDay(SUNDAY, [1, 2, 3], { 1: [2], 3: [1] }),
    ];
    expect(depth(days)).toMatchObject({ observed: 2, expected: 3, score: 200 / 3 });
  });
  it("§11.5 counts any use in a single-user account", () => {
    const one = activeDay(SUNDAY, [1, 2], { 1: [1], 2: [] });
    expect(depth([one])?.observed).toBe(0);
    expect(depth([one], { kind: "solo" })?.observed).toBe(2);
    expect(depth([one], withSeats(1))?.observed).toBe(2);
    expect(depth([one], withSeats(2))?.observed).toBe(0);
    expect(depth([activeDay(SUNDAY, [1], { 1: [1], 2: [] })])?.observed).toBe(2);
    expect(depth([activeDay(SUNDAY, [], { 2: [] })])?.observed).toBe(1);
  });
  it("§11.5 a second user within 90 days makes it a multi-user account", () => {
    const now = activeDay(SUNDAY, [1], { 1: [1] });
    expect(depth([activeDay(SUNDAY - 90, [2]), now])?.observed).toBe(1);
    expect(depth([activeDay(SUNDAY - 89, [2]), now])?.observed).toBe(0);
  });
  it("§11.5 expects features in proportion to the part of the trial that has passed", () => {
    const expected = [0, 0.01, 0.25, 0.26, 0.5, 0.51, 0.75, 0.76, 1].map((share) => expectedFeatures(4, share));
    expect(expected).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 4]);
    expect([1 / 3, 2 / 3].map((share) => expectedFeatures(3, share))).toEqual([1, 2]);
    expect(expectedFeatures(1, 1)).toBeNull();
  });
  it("§11.5 a trial runs from the first message to its end", () => {
    expect([-20, -9, -1, 0, 6].map((later) => shareOn(SUNDAY + later))).toEqual([0, 0.1, 0.9, 1, 1]);
  });
  it("§11.5 a trial without a valid end counts as over", () => {
    expect(elapsedShare({}, SUNDAY, SUNDAY)).toBe(1);
    expect(shareOn(SUNDAY - 4, SUNDAY + 1)).toBe(1);
    expect(shareOn(SUNDAY + 2, SUNDAY + 2)).toBe(1);
    expect(shareOn(SUNDAY - 1, SUNDAY)).toBe(0);
  });
  it("§11.5 only a trial reduces the expectation", () => {
    const half = {
      firstDay: SUNDAY - 9,
      attributes: [[0, { trialEndsAt: "2025-08-14T00:00:00.000Z" }] as const],
    };
    expect(depth([others], half, [1, 2, 3, 4])?.expected).toBe(4);
    const trial = half.attributes.map(([day, values]) => [day, { ...values, stage: "trial" }] as const);
    expect(depth([others], { ...half, attributes: trial }, [1, 2, 3, 4])?.expected).toBe(2);
  });
});

const score = (ratio: number) => scoreTrend({ observed: ratio * 100, expected: 100, ratio, z: 0, window: W }).score;

describe("the trend component", () => {
  it("§11.6 is linear between four points", () => {
    expect([0, 0.25, 0.6, 1, 1.25, 3].map(score)).toEqual([0, 0, 35, 80, 100, 100]);
    expect(score(0.425)).toBeCloseTo(17.5);
    expect(score(0.8)).toBeCloseTo(57.5);
    expect(score(1.125)).toBeCloseTo(90);
  });
  it("§11.6 gives the observed and the expected number", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 69, SUNDAY), () => 2);
    const window = { from: SUNDAY - 13, to: SUNDAY };
    expect(component("trend", days)).toEqual({ component: "trend", score: 80, observed: 20, expected: 20, window });
    expect(component("trend", days.slice(30))).toBeNull();
  });
});
