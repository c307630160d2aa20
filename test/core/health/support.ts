import * as fc from "fast-check";

import { measuresOf } from "../../../src/core/health/measures.ts";
import { scoreDay } from "../../../src/core/health/score-day.ts";
import type { AccountMeasures } from "../../../src/core/health/measures.ts";
import {
  type AccountHistory,
  type ActiveDay,
  type Day,
  type HealthDay,
  noContext,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";

/** 2025-08-04. */
export const MONDAY = 20_304;
/** Weeks counted back from it run from Monday to Sunday. */
export const SUNDAY = MONDAY - 1;

export const daysBetween = (from: Day, to: Day): Day[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** Uses the runtime's calendar, not the one under test. */
export const isWeekday = (day: Day): boolean => ![0, 6].includes(new Date(day * 86_400_000).getUTCDay());

export const weekdaysBetween = (from: Day, to: Day): Day[] => daysBetween(from, to).filter(isWeekday);

/** Users 1 to `count`. */
export const crowd = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export function activeDay(
  day: Day,
  users: readonly number[] = [1],
  features: Record<number, number[]> = {},
): ActiveDay {
  const byNumber = Object.entries(features).map(([feature, its]): [number, number[]] => [Number(feature), its]);
  return { day, userDays: users.length, users, features: new Map(byNumber) };
}

export const historyOf = (days: readonly ActiveDay[], more: Partial<AccountHistory> = {}): AccountHistory => ({
  kind: "company",
  firstDay: days[0]?.day ?? MONDAY,
  days,
  earlierDays: 0,
  attributes: [],
  ...more,
});

/** Returns days with `count` users each, without those with none. */
export const usageOf = (days: readonly Day[], count: (day: Day) => number): ActiveDay[] =>
  days.flatMap((day) => (count(day) > 0 ? [activeDay(day, crowd(count(day)))] : []));

/** `users` users on every weekday, two of whom use both features. */
export const busy = (from: Day, to: Day, users = 4): ActiveDay[] =>
  weekdaysBetween(from, to).map((day) => activeDay(day, crowd(users), { 1: [1, 2], 2: [1, 2] }));

export const contextWith =
  (context: Partial<WorkspaceContext>) =>
  (day: Day): WorkspaceContext => ({ ...noContext(day), ...context });

export const measure = (history: AccountHistory, context: Partial<WorkspaceContext> = {}): AccountMeasures =>
  measuresOf(history, contextWith(context));

/** Scores the days from `from` to `to`. */
export function replay(measures: AccountMeasures, from: Day, to: Day): Map<Day, HealthDay> {
  const rows = new Map<Day, HealthDay>();
  for (const day of daysBetween(from, to)) {
    rows.set(
      day,
      scoreDay(measures, day, (earlier) => rows.get(earlier)),
    );
  }
  return rows;
}

/** Any account within `length` days from `MONDAY`, of up to six users and four features. */
export const anyDays = (length: number): fc.Arbitrary<ActiveDay[]> =>
  fc
    .tuple(
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.array(
        fc.record({
          chance: fc.double({ min: 0, max: 1, noNaN: true }),
          users: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }),
          features: fc.dictionary(
            fc.integer({ min: 1, max: 4 }).map(String),
            fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
          ),
        }),
        { minLength: length, maxLength: length },
      ),
    )
    .map(([activity, days]) =>
      days.flatMap(({ chance, users, features }, index) =>
        chance < activity ? [activeDay(MONDAY + index, users, features)] : [],
      ),
    );

/** Outages within `length` days from `MONDAY`, ascending and not touching. */
export const anyOutages = (length: number): fc.Arbitrary<[Day, Day][]> =>
  fc
    .array(fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 12 })), { maxLength: 4 })
    .map((stretches) => {
      const outages: [Day, Day][] = [];
      let end = MONDAY;
      for (const [away, days] of stretches) {
        outages.push([end + away, end + away + days - 1]);
        end += away + days;
      }
      return outages.filter(([, last]) => last < MONDAY + length);
    });
