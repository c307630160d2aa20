/** Finds which features an account uses (docs/health.md §11.5) and has stopped using (docs/inbox.md §12.2). Features are numbers. */
import type { ActivityView } from "./activity.ts";
import type { ActiveDay, Day } from "./model.ts";
import { silenceOf, ACCOUNT_THRESHOLD_BOUNDS } from "./silence.ts";
import { USER_REACH_DAYS } from "./key-users.ts";

/** A dropped feature has not been used for this many counted days … */
const UNUSED_DAYS = 21;
/** … after a period in which enough users used it on enough days. */
const USED_DAYS = 56;
const MIN_USERS = 3;
const MIN_DAYS = 8;

interface Use {
  /** At most `MAX_FEATURE_USERS` of each day. */
  users: ReadonlySet<number>;
  days: number;
  lastDay: Day;
}

/** Returns `null` if the feature was not used. */
export function useOf(days: readonly ActiveDay[], feature: number): Use | null {
  const users = new Set<number>();
  let count = 0;
  let lastDay: Day | null = null;
  for (const { day, features } of days) {
    const featureUsers = features.get(feature);
    if (featureUsers === undefined) continue;
    for (const user of featureUsers) users.add(user);
    count += 1;
    lastDay = day;
  }
  return lastDay === null ? null : { users, days: count, lastDay };
}

/** Counts the features used by at least `minUsers` users. With 0, use without a known user counts too. */
export function usedFeatures(days: readonly ActiveDay[], features: readonly number[], minUsers: number): number {
  return features.filter((feature) => (useOf(days, feature)?.users.size ?? -1) >= minUsers).length;
}

export interface DroppedFeature {
  feature: number;
  /** Users and days of use in the 56 days before it was dropped. */
  users: number;
  days: number;
  lastDay: Day;
}

/** Returns the `features` that the account has not used for 21 days and for longer than its own habit explains. */
export function droppedFeaturesOf(
  { calendar, counted }: ActivityView,
  day: Day,
  features: readonly number[],
): readonly DroppedFeature[] {
  const reached = counted.during(calendar.window(day, USER_REACH_DAYS));
  const unused = calendar.window(day, UNUSED_DAYS);
  // During an outage the use of features is unknown, so those days do not count as days without use.
  if (unused.from <= day - UNUSED_DAYS) return [];
  const recent = counted.during(unused);
  const before = counted.during(calendar.window(unused.from - 1, USED_DAYS));
  return features.flatMap((feature) => {
    if (useOf(recent, feature) !== null) return [];
    const use = useOf(before, feature);
    if (use === null || use.users.size < MIN_USERS || use.days < MIN_DAYS) return [];
    const dates = reached.filter((each) => each.features.has(feature)).map((each) => each.day);
    const silence = silenceOf(dates, day, dates[0] ?? day, calendar, ACCOUNT_THRESHOLD_BOUNDS);
    if (silence?.silent !== true) return [];
    return [{ feature, users: use.users.size, days: use.days, lastDay: use.lastDay }];
  });
}
