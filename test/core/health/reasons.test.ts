import { describe, expect, it } from "vitest";

import { measuresOf } from "../../../src/core/health/measures.ts";
import { scoreDay } from "../../../src/core/health/score-day.ts";
import { explain } from "../../../src/core/health/reasons.ts";
import {
  type AccountHistory,
  type ActiveDay,
  type Day,
  type HealthDay,
  MODEL_VERSION,
  noContext,
} from "../../../src/core/health/model.ts";
import { activeDay, busy, crowd, historyOf, measure, replay, SUNDAY, usageOf, weekdaysBetween } from "./support.ts";

const coreFeatures = [1, 2];
const W = { from: SUNDAY - 27, to: SUNDAY };
const RECENT = { from: SUNDAY - 13, to: SUNDAY };
const seats = (count: number, stage?: string) => ({
  attributes: [[0, { seats: count, ...(stage !== undefined && { stage }) }] as const],
});

function explained(days: ActiveDay[], more: Partial<AccountHistory> = {}, context = {}, before?: HealthDay) {
  const measures = measure(historyOf(days, more), context);
  const history = (day: Day) => (day === before?.day ? before : undefined);
  return explain(measures, scoreDay(measures, SUNDAY, history), history);
}
const brief = ({ reasons }: { reasons: readonly { kind: string; code: string; points: number }[] }) =>
  reasons.map(({ kind, code, points }) => [kind, code, points]);

describe("the reasons of a score", () => {
  it("§11.13 list the largest losses before the largest strengths", () => {
    const health = explained(busy(SUNDAY - 83, SUNDAY), seats(16, "paid"), { coreFeatures });
    expect(health.reasons).toEqual([
      { kind: "loss", code: "breadth", points: 12.5, observed: 4, expected: 8, window: W },
      { kind: "loss", code: "trend", points: 4, observed: 40, expected: 40, window: RECENT },
      { kind: "strength", code: "recency", points: 25, observed: 0, expected: 5, window: { ...W, from: SUNDAY - 2 } },
      { kind: "strength", code: "trend", points: 16, observed: 40, expected: 40, window: RECENT },
    ]);
    const rest = {
      modelVersion: MODEL_VERSION,
      stage: "active",
      stageKnown: true,
      missing: [],
      trend: null,
      changes: [],
    };
    expect(health).toMatchObject(rest);
  });
  it("§11.13 have at most three losses and two strengths", () => {
    const days = weekdaysBetween(SUNDAY - 83, SUNDAY - 5).map((day) => activeDay(day, crowd(2)));
    expect(brief(explained(days, seats(40), { coreFeatures, typicalActiveDays: 28 }))).toEqual([
      ["loss", "breadth", 22.5],
      ["loss", "depth", 15],
      ["loss", "trend", 10.75],
      ["strength", "recency", 25],
      ["strength", "trend", 9.25],
    ]);
  });
  it("§11.13 omit components without points or without a value", () => {
    expect(brief(explained(busy(SUNDAY - 200, SUNDAY - 160), seats(4)))).toEqual([
      ["loss", "recency", 38.46],
      ["loss", "breadth", 38.46],
      ["loss", "frequency", 23.08],
    ]);
  });
  it("§11.13 list caps first, each with the points it alone takes off, and the lowest decides", () => {
    const days = usageOf(weekdaysBetween(SUNDAY - 140, SUNDAY), (day) => (day > SUNDAY - 14 ? 2 : 20));
    const more = { ...seats(2), firstDay: SUNDAY - 140 };
    const health = explained(days, more);
    const pointsOver = (limit: number) => Math.round(((health.uncapped ?? 0) - limit) * 100) / 100;
    expect(health).toMatchObject({ score: 39, state: "at_risk" });
    expect(health.reasons.slice(0, 2)).toMatchObject([
      { kind: "cap", code: "confirmed_drop", points: pointsOver(39), observed: 20, expected: 200, window: RECENT },
      // 220 of 400 user-days leave 64 points.
      { code: "below_own_best", points: pointsOver(64) },
    ]);
    const later = usageOf(weekdaysBetween(SUNDAY - 140, SUNDAY), (day) => (day > SUNDAY - 30 ? 8 : 20));
    expect(brief(explained(later, { ...more, ...seats(8) })).slice(0, 2)).toEqual([
      ["cap", "below_own_best", 28],
      ["cap", "confirmed_drop", 20],
    ]);
  });
  it("§11.13 omit a cap that takes nothing off", () => {
    const days = busy(SUNDAY - 200, SUNDAY - 95);
    const health = explained(days, seats(4), { coreFeatures });
    expect(health.uncapped).toBeLessThan(30);
    expect(health.reasons.every(({ kind }) => kind !== "cap")).toBe(true);
  });
});

const row = (losses: (number | null)[], score: number | null = 60): HealthDay => ({
  day: SUNDAY - 7,
  state: "watch",
  band: "watch",
  score,
  uncapped: score,
  coverage: 1,
  confidence: "high",
  losses,
});

const since = (before: HealthDay) => explained(busy(SUNDAY - 83, SUNDAY), seats(16), { coreFeatures }, before);

describe("the changes in seven days", () => {
  it("§11.13 give each component's points, the largest change first", () => {
    // Today: 0, 0, 12.5, 0, 4.
    expect(since(row([0, 3.33, 10, 0.1, 10]))).toMatchObject({
      trend: 23.5,
      changes: [
        { component: "trend", points: 6 },
        { component: "frequency", points: 3.33 },
        { component: "breadth", points: -2.5 },
        { component: "depth", points: 0.1 },
      ],
    });
  });
  it("§11.13 omit a component with a value on only one of the days", () => {
    expect(since(row([0, 0, null, 0, null])).changes).toEqual([]);
  });
  it("§11.13 are empty without a score on both days", () => {
    expect(since(row([1, 1, 1, 1, 1], null))).toMatchObject({ trend: null, changes: [] });
    const unscored = { trend: null, changes: [], reasons: [] };
    expect(explained([], {}, {}, row([1, 1, 1, 1, 1]))).toMatchObject(unscored);
  });
});

describe("missing data", () => {
  it("§11.10 lists everything that is missing", () => {
    const young = explained([activeDay(SUNDAY - 1), activeDay(SUNDAY)], { firstDay: SUNDAY - 4, ...seats(3, "trial") });
    expect(young).toMatchObject({ state: "insufficient_data", stage: "trial" });
    expect(young.missing).toEqual([{ code: "coverage", observed: 0.5, required: 0.6 }]);
    expect(explained([], { firstDay: SUNDAY - 4 })).toMatchObject({
      stageKnown: false,
      missing: [
        { code: "coverage", observed: 0.15, required: 0.6 },
        { code: "tenure", observed: 5, required: 14 },
        { code: "active_days", observed: 0, required: 5 },
      ],
    });
  });
});

describe("while the sender is out", () => {
  it("§11.11 a stale score is explained by the day it comes from", () => {
    // The last event is on a Friday and the outage is detected on Tuesday, so the score of Monday is frozen.
    const silence = { lastDay: SUNDAY - 9, gap: 5, threshold: 2 };
    const contextOf = (day: Day) => ({ ...noContext(day), coreFeatures, silence: day > SUNDAY - 6 ? silence : null });
    const measures = measuresOf(historyOf(busy(SUNDAY - 83, SUNDAY - 9), seats(16)), contextOf);
    const rows = replay(measures, SUNDAY - 20, SUNDAY);
    const history = (day: Day) => rows.get(day);
    const [today, monday] = [rows.get(SUNDAY), rows.get(SUNDAY - 6)];
    if (today === undefined || monday === undefined) throw new Error("no rows");
    expect(today.state).toBe("stale");
    expect(explain(measures, today, history).reasons).toEqual(explain(measures, monday, history).reasons);
  });
});
