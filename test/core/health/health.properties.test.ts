import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { measuresOf } from "../../../src/core/health/measures.ts";
import { WEIGHTS } from "../../../src/core/health/components.ts";
import { scoreDay } from "../../../src/core/health/score-day.ts";
import { explain } from "../../../src/core/health/reasons.ts";
import type { AccountMeasures } from "../../../src/core/health/measures.ts";
import {
  type AccountHistory,
  type ActiveDay,
  COMPONENTS,
  type ComponentValue,
  type Day,
  noContext,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import { USER_REACH_DAYS } from "../../../src/core/health/key-users.ts";
import {
  activeDay,
  anyDays,
  anyOutages,
  crowd,
  daysBetween,
  historyOf,
  isWeekday,
  measure,
  MONDAY,
  replay,
} from "./support.ts";

const LENGTH = 200;
const LAST = MONDAY + LENGTH - 1;
const anyDay = fc.integer({ min: MONDAY + 20, max: LAST });

const anyAttributes = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: MONDAY, max: LAST }),
      values: fc.record(
        {
          stage: fc.constantFrom("trial", "active", "paid", "churned", "other", null),
          seats: fc.constantFrom(0, 1, 5, 40, null),
          trialEndsAt: fc.constantFrom("2025-09-01T00:00:00.000Z", "2025-12-01T12:00:00.000Z", null),
        },
        { requiredKeys: [] },
      ),
    }),
    { selector: ({ day }) => day, maxLength: 4 },
  )
  .map((changes) => changes.toSorted((a, b) => a.day - b.day).map(({ day, values }) => [day, values] as const));

const anyHistory: fc.Arbitrary<AccountHistory> = fc
  .record({
    days: anyDays(LENGTH),
    kind: fc.constantFrom("company" as const, "solo" as const),
    attributes: anyAttributes,
    before: fc.nat(30),
  })
  .map(({ before, ...history }) => historyOf(history.days, { ...history, firstDay: MONDAY - before }));

const anyContexts: fc.Arbitrary<(day: Day) => WorkspaceContext> = fc
  .record({
    outages: anyOutages(LENGTH),
    silent: fc.option(fc.integer({ min: MONDAY + 30, max: LAST }), { freq: 3 }),
    coreFeatures: fc.subarray([1, 2, 3, 4]),
    typicalActiveDays: fc.integer({ min: 1, max: 28 }),
    ratio: fc.double({ min: 0.2, max: 1.2, noNaN: true }),
  })
  .map(({ outages, silent, coreFeatures, typicalActiveDays, ratio }) => (day) => ({
    ...noContext(day),
    outages: outages.filter(([, last]) => last < day),
    silence:
      silent !== null && day >= silent && day < silent + 9 ? { lastDay: silent - 3, gap: 2, threshold: 2 } : null,
    coreFeatures,
    typicalActiveDays,
    factor: { count: 20, middle: [ratio, ratio, ratio] },
  }));

/** Checks a property of any account, in any contexts, on any day. */
const always = (
  numRuns: number,
  holds: (history: AccountHistory, contextOf: (day: Day) => WorkspaceContext, day: Day) => void,
) => fc.assert(fc.property(anyHistory, anyContexts, anyDay, holds), { numRuns });

/** Returns all measures of an account on a day. */
const everything = (measures: AccountMeasures, day: Day) => ({
  attributes: measures.attributes(day),
  stage: measures.stage(day),
  activeDaysEver: measures.activeDaysEver(day),
  activeDays: measures.activeDays(day, 7),
  activeDaysInBusinessDays: measures.activeDaysInBusinessDays(day, 5),
  userDays: measures.userDays(day, 56),
  silence: measures.silence(day),
  trend: measures.trend(day),
  ownBest: measures.ownBest(day),
  activeUsers: measures.activeUsers(day),
  growth: measures.growth(day),
  keyUsers: measures.keyUsers(day),
  successors: crowd(6).map((user) => measures.hasSuccessor(day, user, day - 40)),
  droppedFeatures: measures.droppedFeatures(day),
  featureDays: crowd(4).map((feature) => measures.featureDays(day, feature, day - 20)),
  userSeen: crowd(6).map((user) => measures.userSeen(day, user, day - 20)),
  components: COMPONENTS.map((component) => measures.component(day, component)),
});

const valueOf = (score: number | null, index: number): ComponentValue | null => {
  const component = COMPONENTS[index];
  if (score === null || component === undefined) return null;
  return { component, score, observed: 0, expected: 0, window: { from: 0, to: 0 } };
};

describe("the health of any account", () => {
  it("§11.7 the score is between 0 and 100, and 100 minus the losses", () => {
    always(150, (history, contextOf) => {
      const rows = [...replay(measuresOf(history, contextOf), LAST - 60, LAST).values()];
      for (const { score, losses, coverage, state } of rows) {
        expect(coverage >= 0 && coverage <= 1).toBe(true);
        expect(score === null).toBe(state === "insufficient_data" || state === "churned");
        expect(losses.every((loss) => loss === null)).toBe(score === null);
      }
      for (const { score, uncapped, losses, state, band } of rows) {
        if (score === null || uncapped === null) continue;
        expect(score >= 0 && score <= uncapped && uncapped <= 100).toBe(true);
        expect(Math.round(losses.reduce<number>((sum, loss) => sum + (loss ?? 0), 0) * 100)).toBe(
          Math.round((100 - uncapped) * 100),
        );
        expect([band, "stale"]).toContain(state);
      }
    });
  });

  const value = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { freq: 4 });
  const anyScores = fc.tuple(value, value, value, value, value);
  it("§11.7 the score is the weighted mean of any components with a value", () => {
    const blank = measure(historyOf([]));
    fc.assert(
      fc.property(anyScores, fc.constantFrom("trial" as const, "active" as const), (scores, stage) => {
        const values = scores.map(valueOf);
        const measures: AccountMeasures = {
          ...blank,
          stage: () => ({ stage, known: true }),
          tenure: () => 100,
          activeDaysEver: () => 100,
          component: (_, component) => values[COMPONENTS.indexOf(component)] ?? null,
        };
        const row = scoreDay(measures, LAST, () => undefined);
        const { uncapped, losses, coverage } = row;
        const weight = values.reduce((sum, found) => sum + (found === null ? 0 : WEIGHTS[stage][found.component]), 0);
        expect(coverage).toBe(weight / 100);
        expect(uncapped === null).toBe(weight < 60);
        if (uncapped === null) return;
        expect(losses.map((loss) => loss === null)).toEqual(scores.map((score) => score === null));
        expect(uncapped >= 0 && uncapped <= 100).toBe(true);
        const mean = values.reduce(
          (sum, found) => sum + (found === null ? 0 : (WEIGHTS[stage][found.component] * found.score) / weight),
          0,
        );
        expect(Math.abs(uncapped - mean)).toBeLessThanOrEqual(0.03);
        const named = explain(measures, row, () => undefined).reasons.map(({ code }) => code);
        const absent = COMPONENTS.filter((_, index) => scores[index] === null);
        expect(named.filter((code) => absent.some((component) => component === code))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("§11 a day depends only on what happened up to its end", () => {
    always(200, (history, contextOf, day) => {
      const cut = {
        ...history,
        days: history.days.filter((use) => use.day <= day),
        attributes: history.attributes.filter(([changed]) => changed <= day),
      };
      const [whole, known] = [measuresOf(history, contextOf), measuresOf(cut, contextOf)];
      expect(everything(whole, day)).toEqual(everything(known, day));
      expect(replay(whole, day - 15, day)).toEqual(replay(known, day - 15, day));
    });
  });

  it("§11 the order in which days are measured makes no difference", () => {
    fc.assert(
      fc.property(anyHistory, anyContexts, fc.array(anyDay, { maxLength: 8 }), (history, contextOf, asked) => {
        const measures = measuresOf(history, contextOf);
        for (const day of asked) {
          expect(everything(measures, day)).toEqual(everything(measuresOf(history, contextOf), day));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("§11 users and features before their reach make no difference", () => {
    always(100, (history, _, day) => {
      const bare = history.days.map((use) =>
        use.day > day - USER_REACH_DAYS ? use : { ...use, users: [], features: new Map<number, number[]>() },
      );
      const asked = (days: readonly ActiveDay[]) => everything(measure({ ...history, days }), day);
      expect(asked(bare)).toEqual(asked(history.days));
    });
  });
});

/** Moves the days after an outage to where they would be without it. */
const closedUp = (history: AccountHistory, days: number, from: Day): AccountHistory => ({
  ...history,
  days: history.days.flatMap((use) => (use.day < from ? [use] : [{ ...use, day: use.day - days }])),
});

describe("the health of any account after outages", () => {
  it("§11.11 an outage of whole weeks has the same effect as removing those weeks", () => {
    const anyUsage = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: LENGTH, maxLength: LENGTH });
    fc.assert(
      fc.property(anyUsage, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 14, max: 25 }), (usage, weeks, at) => {
        const first = MONDAY + 7 * at;
        const outage: [Day, Day] = [first, first + 7 * weeks - 1];
        const days = usage.flatMap((users, index) => {
          const day = MONDAY + index;
          const away = day >= outage[0] && day <= outage[1];
          return away || !isWeekday(day) ? [] : [activeDay(day, crowd(users), { 1: [1, 2] })];
        });
        const history = historyOf(days, { attributes: [[MONDAY, { seats: 9 }]] });
        const without = measure(closedUp(history, 7 * weeks, outage[1] + 1), { coreFeatures: [1, 2] });
        const measures = measure(history, { outages: [outage], coreFeatures: [1, 2] });
        for (const day of daysBetween(outage[1] + 1, LAST).filter((_, index) => index % 3 === 0)) {
          const moved = day - 7 * weeks;
          const row = (of: AccountMeasures, on: Day) => {
            const { silence, trend, ownBest, growth } = everything(of, on);
            const values = COMPONENTS.map((component) => of.component(on, component)?.score);
            return { gap: silence?.gap, threshold: silence?.threshold, ...ratios({ trend, ownBest, growth }), values };
          };
          // Breadth depends on tenure, which includes the outage.
          expect({ ...row(measures, day), values: [] }).toEqual({ ...row(without, moved), values: [] });
          expect(row(measures, day).values.toSpliced(2, 1)).toEqual(row(without, moved).values.toSpliced(2, 1));
        }
      }),
      { numRuns: 40 },
    );
  });

  type Ratios = Record<string, { ratio: number; observed: number } | null>;
  function ratios(of: Ratios) {
    return Object.fromEntries(
      Object.entries(of).map(([name, found]) => [name, found && [found.ratio, found.observed]]),
    );
  }

  it("§11.11 no outage makes a daily account decline", () => {
    fc.assert(
      fc.property(anyOutages(LENGTH), fc.integer({ min: 1, max: 5 }), (outages, users) => {
        const away = (day: Day) => outages.some(([first, last]) => first <= day && day <= last);
        const days = daysBetween(MONDAY, LAST).filter((day) => isWeekday(day) && !away(day));
        const history = historyOf(days.map((day) => activeDay(day, crowd(users))));
        const measures = measuresOf(history, (day) => ({
          ...noContext(day),
          outages: outages.filter(([, last]) => last < day),
        }));
        for (const day of daysBetween(MONDAY + 80, LAST).filter((date) => !away(date))) {
          expect(measures.silence(day)).toMatchObject({ threshold: users > 2 ? 5 : 11, silent: false });
          expect(measures.trend(day)?.ratio ?? 1).toBeCloseTo(1, 10);
          // An outage may leave a best window of 28 days without weekends, more than 20 business days.
          expect(measures.ownBest(day)?.ratio ?? 1).toBeGreaterThan(0.7);
          expect(measures.growth(day)?.ratio ?? 1).toBeCloseTo(1, 10);
        }
      }),
      { numRuns: 100 },
    );
  });
});
