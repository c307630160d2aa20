import { describe, expect, it } from "vitest";

import { scoreDay } from "../../../src/core/health/score-day.ts";
import { latestScores } from "../../../src/core/health/band.ts";
import {
  type AccountHistory,
  type ActiveDay,
  type Day,
  type HealthDay,
  type HealthState,
  noContext,
  type SenderSilence,
} from "../../../src/core/health/model.ts";
import { measuresOf } from "../../../src/core/health/measures.ts";
import type { AccountAttributes } from "../../../src/core/ingest/message.ts";
import {
  activeDay,
  busy,
  crowd,
  daysBetween,
  historyOf,
  measure,
  replay,
  SUNDAY,
  usageOf,
  weekdaysBetween,
} from "./support.ts";

const coreFeatures = [1, 2];
const attributes = (values: AccountAttributes, day = 0) => ({ attributes: [[day, values] as const] });
const never = () => undefined;

function evaluate(days: ActiveDay[], more: Partial<AccountHistory> = {}, context = {}, day = SUNDAY): HealthDay {
  return scoreDay(measure(historyOf(days, more), context), day, never);
}
const UNSCORED = { score: null, uncapped: null, confidence: null, losses: [null, null, null, null, null] };

describe("the score", () => {
  it("§11.7 is the weighted mean of the components", () => {
    // Recency 100, frequency 100, breadth 4 of 16 · 0.5 = 50, depth 100, trend 80.
    const health = evaluate(busy(SUNDAY - 83, SUNDAY), attributes({ seats: 16, stage: "paid" }), { coreFeatures });
    expect(health).toEqual({
      day: SUNDAY,
      state: "healthy",
      band: "healthy",
      score: 83.5,
      uncapped: 83.5,
      coverage: 1,
      confidence: "high",
      losses: [0, 0, 12.5, 0, 4],
    });
  });
  it("§11.7 ignores components without a value and lowers the coverage", () => {
    expect(evaluate(busy(SUNDAY - 27, SUNDAY), attributes({ seats: 40 }))).toMatchObject({
      // Recency 100, frequency 100, breadth 4 of 40 · 0.3 = 33.33; 25 · 66.67 / 65 lost.
      score: 74.36,
      coverage: 0.65,
      losses: [0, 0, 25.64, null, null],
    });
  });
  it("§11.7 weighs depth more and frequency not at all in a trial", () => {
    const trial = attributes({ seats: 16, stage: "trial" });
    const none = weekdaysBetween(SUNDAY - 83, SUNDAY).map((day) => activeDay(day, crowd(4)));
    expect(evaluate(none, trial, { coreFeatures, typicalActiveDays: 28 })).toMatchObject({
      score: 49.5,
      coverage: 1,
      losses: [0, 0, 12.5, 35, 3],
    });
  });
});

const healthyOn = (day: Day): HealthDay => ({ ...evaluate([]), day, state: "healthy", band: "healthy", score: 90 });

describe("the caps and the state", () => {
  it("§11.8 an account that lost half its usage is never healthy", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 200, SUNDAY), (day) => (day > SUNDAY - 80 ? 10 : 20));
    const rows = [...replay(measure(historyOf(days, attributes({ seats: 10 }))), SUNDAY - 100, SUNDAY).values()];
    const half = rows.filter(({ day }) => day >= SUNDAY - 80 + 28);
    expect(rows[0]?.state).toBe("healthy");
    expect(half.every(({ state, score }) => state !== "healthy" && (score ?? 0) <= 60)).toBe(true);
    expect(half.some(({ uncapped }) => (uncapped ?? 0) > 90)).toBe(true);
  });
  it("§11.12 a cap changes the state at once, even if the uncapped score is lower", () => {
    // Half of its own best, with almost no breadth and no depth.
    const days = [...busy(SUNDAY - 180, SUNDAY - 70, 2), ...usageOf(weekdaysBetween(SUNDAY - 69, SUNDAY), () => 1)];
    const low = scoreDay(measure(historyOf(days, attributes({ seats: 60 })), { coreFeatures }), SUNDAY, healthyOn);
    expect(low.uncapped).toBeLessThan(60);
    expect(low.score).toBe(low.uncapped);
    expect(low.state).toBe("watch");
  });
  it("§11.12 a change without a cap takes three evaluations", () => {
    // Breadth falls from 100 to 0 when the seats are raised.
    const raised = [[SUNDAY - 100, { seats: 4 }] as const, [SUNDAY - 9, { seats: 4_000 }] as const];
    const measures = measure(historyOf(busy(SUNDAY - 83, SUNDAY), { attributes: raised }), { coreFeatures: [3, 4] });
    const rows = [...replay(measures, SUNDAY - 12, SUNDAY).values()];
    expect(rows.slice(2, 7).map(({ state }) => state)).toEqual(["healthy", "healthy", "healthy", "watch", "watch"]);
    expect(rows.slice(2, 4).map(({ score }) => (score ?? 0) >= 65)).toEqual([true, false]);
  });
});

const seats = { seats: 10 };
const oneUser = weekdaysBetween(SUNDAY - 60, SUNDAY).map((day) => activeDay(day));

const at = (tenure: number, stage: string) =>
  evaluate(oneUser.slice(-10), { firstDay: SUNDAY - tenure + 1, ...attributes({ ...seats, stage }) }, { coreFeatures })
    .state;

const after = (count: number, stage: string, earlierDays = 0) => {
  const history = { firstDay: SUNDAY - 60, earlierDays, ...attributes({ ...seats, stage }) };
  return evaluate(oneUser.slice(-count), history, { coreFeatures }).state;
};

const watched = (day: Day): HealthDay => ({ ...evaluate([]), day, band: "watch" });

describe("insufficient data", () => {
  it("§11.10 a score needs a tenure of 14 days, 3 in a trial", () => {
    expect(at(13, "active")).toBe("insufficient_data");
    expect(at(14, "active")).not.toBe("insufficient_data");
    expect(at(2, "trial")).toBe("insufficient_data");
    expect(at(3, "trial")).not.toBe("insufficient_data");
  });
  it("§11.10 a score needs 5 active days, 2 in a trial", () => {
    expect(after(4, "active")).toBe("insufficient_data");
    expect(after(5, "active")).not.toBe("insufficient_data");
    expect(after(3, "active", 2)).not.toBe("insufficient_data");
    expect(after(1, "trial")).toBe("insufficient_data");
    expect(after(2, "trial")).not.toBe("insufficient_data");
  });
  it("§11.10 a score needs a coverage of 0.6", () => {
    // Recency, breadth and no depth, no trend: 50 of 100 in a trial, 65 for a customer.
    expect(
      evaluate(oneUser.slice(-10), { firstDay: SUNDAY - 20, ...attributes({ ...seats, stage: "trial" }) }),
    ).toEqual({ ...UNSCORED, day: SUNDAY, state: "insufficient_data", band: null, coverage: 0.5 });
    // Recency and depth of a trial whose events name no user: exactly 60.
    const nobody = oneUser.slice(-10).map(({ day }) => activeDay(day, []));
    const trial = { firstDay: SUNDAY - 20, ...attributes({ stage: "trial" }) };
    expect(evaluate(nobody, trial, { coreFeatures })).toMatchObject({ coverage: 0.6, score: 41.67 });
  });
  it("§11.10 the band is kept meanwhile", () => {
    expect(scoreDay(measure(historyOf([])), SUNDAY, watched)).toMatchObject({
      state: "insufficient_data",
      band: "watch",
    });
  });
});

describe("a churned account", () => {
  it("§11.9 has no score, and starts with a new band when it returns", () => {
    const changes = [
      [SUNDAY - 10, { stage: "churned" }] as const,
      [SUNDAY - 5, { stage: "active", seats: 4_000 }] as const,
    ];
    const history = historyOf(busy(SUNDAY - 83, SUNDAY), { attributes: changes });
    const rows = replay(measure(history, { coreFeatures: [3, 4] }), SUNDAY - 11, SUNDAY);
    expect(rows.get(SUNDAY - 10)).toEqual({
      ...UNSCORED,
      day: SUNDAY - 10,
      state: "churned",
      band: null,
      coverage: 0,
    });
    expect(rows.get(SUNDAY - 11)?.state).toBe("healthy");
    expect(rows.get(SUNDAY - 5)).toMatchObject({ state: "watch", band: "watch" });
  });
});

const row = (day: Day, state: HealthState, score: number | null) => ({ ...evaluate([]), day, state, score });
const scoredOn = (only: Day) => (day: Day) => ({ ...evaluate([]), day, score: day === only ? 7 : null });

describe("while the sender is out", () => {
  const silence: SenderSilence = { lastDay: SUNDAY - 9, gap: 5, threshold: 2 };
  const history = historyOf(busy(SUNDAY - 83, SUNDAY - 9), attributes({ seats: 16 }));
  const out = (day: Day) => ({ ...noContext(day), coreFeatures, silence: day > SUNDAY - 6 ? silence : null });

  it("§11.11 scores freeze and are stale", () => {
    const rows = replay(measuresOf(history, out), SUNDAY - 20, SUNDAY);
    const last = rows.get(SUNDAY - 6);
    expect(last?.state).toBe("healthy");
    for (const day of daysBetween(SUNDAY - 5, SUNDAY)) expect(rows.get(day)).toEqual({ ...last, day, state: "stale" });
  });
  it("§11.11 an account without an earlier score gets none", () => {
    const measures = measuresOf(history, out);
    expect(scoreDay(measures, SUNDAY, never)).toMatchObject({
      state: "insufficient_data",
      score: null,
      coverage: 1,
    });
    expect(scoreDay(measures, SUNDAY, watched)).toMatchObject({ state: "insufficient_data", band: "watch" });
  });
  it("§11.12 stale days do not count as evaluations", () => {
    const rows = new Map([
      [SUNDAY - 1, row(SUNDAY - 1, "stale", 1)],
      [SUNDAY - 2, row(SUNDAY - 2, "watch", 2)],
      [SUNDAY - 3, row(SUNDAY - 3, "insufficient_data", null)],
      [SUNDAY - 4, row(SUNDAY - 4, "watch", 4)],
      [SUNDAY - 5, row(SUNDAY - 5, "watch", 5)],
    ]);
    expect(latestScores((day) => rows.get(day), SUNDAY, 2)).toEqual([2, 4]);
    rows.set(SUNDAY - 3, row(SUNDAY - 3, "churned", null));
    expect(latestScores((day) => rows.get(day), SUNDAY, 2)).toEqual([2]);
    expect(latestScores((day) => rows.get(day), SUNDAY - 4, 2)).toEqual([5]);
  });
  it("§11.12 evaluations count for 14 days", () => {
    expect(latestScores(scoredOn(SUNDAY - 14), SUNDAY, 2)).toEqual([7]);
    expect(latestScores(scoredOn(SUNDAY - 15), SUNDAY, 2)).toEqual([]);
  });
});

/** Returns the confidence with these user-days in the last 56 days, and five a week before. */
const confidence = (tenure: number, userDays: number, seatCount: number | null, context = { coreFeatures }) => {
  const before = weekdaysBetween(SUNDAY - 200, SUNDAY - 56);
  const days = [...before, ...weekdaysBetween(SUNDAY - 55, SUNDAY).slice(-userDays)].map((day) => activeDay(day));
  return evaluate(days, { firstDay: SUNDAY - tenure + 1, ...attributes({ seats: seatCount }) }, context).confidence;
};

describe("the confidence of a score", () => {
  it("§11.14 is high with 56 days, 40 user-days and a coverage of 0.85", () => {
    expect(confidence(56, 40, 9)).toBe("high");
    expect(confidence(55, 40, 9)).toBe("medium");
    expect(confidence(56, 39, 9)).toBe("medium");
    // Without depth: exactly .85.
    expect(confidence(56, 40, 9, { coreFeatures: [] })).toBe("high");
    const young = historyOf(busy(SUNDAY - 30, SUNDAY), { firstDay: SUNDAY - 60, ...attributes({ seats: 9 }) });
    expect(scoreDay(measure(young, { coreFeatures }), SUNDAY, never)).toMatchObject({
      coverage: 0.8,
      confidence: "medium",
    });
  });
  it("§11.14 is low below 28 days or 10 user-days", () => {
    expect(confidence(27, 40, 9)).toBe("low");
    expect(confidence(28, 40, 9)).toBe("medium");
    expect(confidence(56, 9, 9)).toBe("low");
    expect(confidence(56, 10, 9)).toBe("medium");
  });
  it("§11.14 is at most medium without seats", () => {
    expect(confidence(56, 40, null)).toBe("medium");
    expect(confidence(56, 40, 0)).toBe("medium");
    expect(confidence(20, 40, null)).toBe("low");
  });
});
