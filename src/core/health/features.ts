/** The features of an account, by number: docs/health.md §11.5. */
import type { Activity, View } from "./activity.ts";
import type { DroppedFeature } from "./measures.ts";
import type { ActiveDay, Day, Window } from "./model.ts";
import { silenceOf, THRESHOLD_BOUNDS } from "./silence.ts";
import { USER_REACH_DAYS } from "./users.ts";

const UNUSED_DAYS = 21;
const USED_DAYS = 56;
const MIN_USERS = 3;
const MIN_DAYS = 8;

/** Who used a feature in some days, and on how many and until which of them. */
interface Use {
  /** Of the users of each day, as far as they are kept. */
  users: ReadonlySet<number>;
  days: number;
  lastDay: Day;
}

/** `null` for no use at all. */
function useOf(days: readonly ActiveDay[], feature: number): Use | null {
  const users = new Set<number>();
  let count = 0;
  let lastDay: Day | null = null;
  for (const { day, features } of days) {
    const those = features.get(feature);
    if (those === undefined) continue;
    for (const user of those) users.add(user);
    count += 1;
    lastDay = day;
  }
  return lastDay === null ? null : { users, days: count, lastDay };
}

/** How many of `features` are used in some days, each by at least `users` users; 0 for any use at all. */
export function usedFeatures(days: readonly ActiveDay[], features: readonly number[], users: number): number {
  return features.filter((feature) => (useOf(days, feature)?.users.size ?? -1) >= users).length;
}

/** Those of `features` that the account used to use, and has not in 21 days nor for as long as it may by its habit. */
export function droppedFeaturesOf(
  { calendar, counted }: View,
  day: Day,
  features: readonly number[],
): readonly DroppedFeature[] {
  const reached = counted.during(calendar.window(day, USER_REACH_DAYS));
  const unused = calendar.window(day, UNUSED_DAYS);
  // What was used while the sender was out is not known: such days are no days without use.
  if (unused.from <= day - UNUSED_DAYS) return [];
  const recent = counted.during(unused);
  const before = counted.during(calendar.window(unused.from - 1, USED_DAYS));
  return features.flatMap((feature) => {
    if (useOf(recent, feature) !== null) return [];
    const use = useOf(before, feature);
    if (use === null || use.users.size < MIN_USERS || use.days < MIN_DAYS) return [];
    const dates = reached.filter((each) => each.features.has(feature)).map((each) => each.day);
    const silence = silenceOf(dates, day, dates[0] ?? day, calendar, THRESHOLD_BOUNDS);
    if (silence?.silent !== true) return [];
    return [{ feature, users: use.users.size, days: use.days, lastDay: use.lastDay }];
  });
}

/** Days of a window on which a feature was used. */
export function featureDaysIn(activity: Activity, window: Window, feature: number): number {
  return useOf(activity.during(window), feature)?.days ?? 0;
}

/** A reader of the features used in a window, for windows that move on: each day is looked at once. */
export function featuresInUse(): (activity: Activity, window: Window) => number[] {
  let read: Activity | null = null;
  let next = 0;
  const lastUse = new Map<number, Day>();
  return (activity, { from, to }) => {
    if (activity !== read) {
      read = activity;
      next = 0;
      lastUse.clear();
    }
    for (let use = activity.days[next]; use !== undefined && use.day <= to; use = activity.days[++next]) {
      for (const feature of use.features.keys()) lastUse.set(feature, use.day);
    }
    return [...lastUse].filter(([, day]) => day >= from).map(([feature]) => feature);
  };
}
