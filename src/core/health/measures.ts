/**
 * Computes the measures of one account. The measures of a day depend only on what happened up to its end and on that day's
 * context. Each is computed on first use and memoized, so a rule may look back over as many days as it needs.
 */
import { activityOf, countUntil, type ActivityView, activityViews } from "./activity.ts";
import { DAY_MS } from "../durations.ts";
import { attributesReader, readStage } from "./attributes.ts";
import {
  elapsedShare,
  expectedFeatures,
  expectedUsers,
  type ComponentScore,
  scoreShare,
  scoreRecency,
  scoreTrend,
} from "./components.ts";
import { WINDOW_DAYS } from "./business-days.ts";
import { contractionsOf } from "./contraction.ts";
import { factorFor, MIN_EXPECTED_USER_DAYS } from "./workspace-statistics.ts";
import { droppedFeaturesOf, usedFeatures, useOf } from "./features.ts";
import type { AccountHistory, Comparison, Component, ComponentValue, Day, WorkspaceContext } from "./model.ts";
import { silenceOf, ACCOUNT_THRESHOLD_BOUNDS, USER_THRESHOLD_BOUNDS } from "./silence.ts";
import { bestWeekOf, compareUsage, dropOf, firstEventDay, growthOf, ownBestOf, rawTrend, rawWeek } from "./trend.ts";
import { hasSuccessorIn, keyUsersOf, USER_REACH_DAYS, usersOf } from "./key-users.ts";

/** Users active in this many counted days count as the account's users. */
const SEEN_DAYS = 90;
/** An account with so few users is silent while they are on leave, so it gets their threshold. */
const FEW_USERS = 2;

/** The measures of an account, as of any of its days. */
export type AccountMeasures = ReturnType<typeof measuresOf>;

/**
 * Returns the measures of an account.
 *
 * @param history days with users and features from `USER_REACH_DAYS` before the first day to measure, and without them as
 *   far back as the 90 counted days up to the last active one
 */
export function measuresOf(history: AccountHistory, contextOf: (day: Day) => WorkspaceContext) {
  const all = activityOf(history.days);
  const viewFor = activityViews(all);

  const context = memoizeByDay(contextOf);
  const view = memoizeByDay((day): ActivityView => viewFor(context(day)));
  const attributes = memoizeByDay(attributesReader(history.attributes));
  const stage = (day: Day) => readStage(attributes(day).stage);
  const tenure = (day: Day): number => day - history.firstDay + 1;
  const firstEvent = (day: Day) => firstEventDay(history, all, day);
  const window = memoizeByDay((day) => view(day).calendar.window(day, WINDOW_DAYS));
  const duringWindow = memoizeByDay((day) => view(day).counted.during(window(day)));
  const activeUsers = memoizeByDay((day) => usersOf(duringWindow(day)).size);
  const usersSeen = memoizeByDay((day) => {
    const { calendar, counted } = view(day);
    return usersOf(counted.during(calendar.window(day, SEEN_DAYS))).size;
  });
  const silence = memoizeByDay((day) => {
    const bounds = usersSeen(day) <= FEW_USERS ? USER_THRESHOLD_BOUNDS : ACCOUNT_THRESHOLD_BOUNDS;
    return silenceOf(all.dates, day, history.firstDay, view(day).calendar, bounds);
  });
  const isPresent = (day: Day): boolean => silence(day)?.silent === false;

  const raw = memoizeByDay((day) => rawTrend(view(day), day, firstEvent(day)));
  /** Returns the own ratio that the workspace factor includes. */
  const trendRatio = (day: Day): number | null => {
    const { observed = 0, expected = 0 } = raw(day) ?? {};
    return expected >= MIN_EXPECTED_USER_DAYS ? observed / expected : null;
  };
  const trendAt = memoizeByDay((day) => {
    const found = raw(day);
    if (found === null) return null;
    const { observed, expected, dispersion, window: recent } = found;
    const factor = factorFor(context(day), trendRatio(day));
    const adjusted = expected * factor;
    return adjusted < MIN_EXPECTED_USER_DAYS ? null : compareUsage(observed, adjusted, dispersion, recent);
  });

  const isSingleUser = (day: Day): boolean =>
    history.kind === "solo" || attributes(day).seats === 1 || usersSeen(day) <= 1;
  const scores: Record<Component, (day: Day) => ComponentScore | null> = {
    recency: (day) => {
      const gap = silence(day);
      return gap === null ? null : scoreRecency(gap, day);
    },
    frequency: (day) => scoreShare(duringWindow(day).length, context(day).typicalActiveDays, window(day)),
    breadth: (day) => {
      const seats = attributes(day).seats ?? 0;
      const expected = expectedUsers(seats > 0 ? seats : usersSeen(day), tenure(day));
      return expected === null ? null : scoreShare(activeUsers(day), expected, window(day));
    },
    depth: memoizeByDay((day) => {
      const { coreFeatures } = context(day);
      const elapsed = stage(day).stage === "trial" ? elapsedShare(attributes(day), history.firstDay, day) : 1;
      const expected = expectedFeatures(coreFeatures.length, elapsed);
      if (expected === null) return null;
      return scoreShare(
        usedFeatures(duringWindow(day), coreFeatures, isSingleUser(day) ? 0 : 2),
        expected,
        window(day),
      );
    }),
    trend: (day) => {
      const found = trendAt(day);
      return found === null ? null : scoreTrend(found);
    },
  };

  return {
    history,
    context,
    attributes,
    stage,
    /** Complete days since the first message that named the account, that day included. */
    tenure,
    /** Days with an event since the first. */
    activeDaysEver: (day: Day): number => history.earlierDays + countUntil(all.dates, day),
    /** Days with an event among the last `count` counted days. */
    activeDays: (day: Day, count: number): number =>
      view(day).counted.activeDays(view(day).calendar.window(day, count)),
    /** Days with an event since the first of the last `count` business days. */
    activeDaysInBusinessDays: (day: Day, count: number): number =>
      view(day).counted.activeDays({ from: view(day).calendar.firstOfBusinessDays(day, count), to: day }),
    /** Business days after `since` and up to `day`. */
    businessDaysSince: (day: Day, since: Day): number => view(day).calendar.businessDays(since + 1, day),
    /** User-days in the last `count` counted days. */
    userDays: (day: Day, count: number): number => view(day).counted.userDays(view(day).calendar.window(day, count)),
    /** `null` for an account without any event. */
    silence,
    /** The last 14 days compared with the weeks before; `null` with too little expected. */
    trend: trendAt,
    /** The trend if it is a drop that neither chance nor one user's leave explains; else `null`. */
    drop: memoizeByDay((day) => {
      const found = trendAt(day);
      return found === null ? null : dropOf(view(day), day, found, raw(day)?.dispersion ?? 1);
    }),
    /** The last 28 days compared with the best 28 of 26 weeks; `null` if the best is too small to compare with. */
    ownBest: memoizeByDay((day) => ownBestOf(view(day), day, firstEvent(day) ?? day)),
    /** The last 5 business days compared with the median week before; `null` with too little expected. */
    week: memoizeByDay((day) => {
      const found = rawWeek(view(day), day, firstEvent(day));
      if (found === null || trendAt(day) === null || found.expected === 0) return null;
      const factor = factorFor(context(day), trendRatio(day));
      return compareUsage(found.observed, found.expected * factor, found.dispersion, found.window);
    }),
    /** In a trial, the last 7 days compared with its best 7; `null` if those have too few user-days. */
    bestWeek: memoizeByDay((day) => bestWeekOf(view(day), day)),
    /** The days that a trial has lasted, and those until its end; `null` without a trial or an end. */
    trial: (day: Day): (Comparison & { elapsed: number }) | null => {
      const { trialEndsAt } = attributes(day);
      if (stage(day).stage !== "trial" || trialEndsAt === undefined) return null;
      const expected = Date.parse(trialEndsAt) / DAY_MS - history.firstDay;
      const elapsed = elapsedShare(attributes(day), history.firstDay, day);
      return { observed: tenure(day), expected, elapsed, window: { from: history.firstDay, to: day } };
    },
    /** Seats or MRR well below their highest in 30 days. */
    contractions: memoizeByDay((day) => contractionsOf(attributes, day)),
    /** Set if an account that several people could use had a single user in 90 days. */
    singleUser: (day: Day): Comparison | null => {
      if (history.kind === "solo" || attributes(day).seats === 1 || usersSeen(day) !== 1) return null;
      return { observed: 1, expected: 2, window: view(day).calendar.window(day, SEEN_DAYS) };
    },
    /** Distinct users in 28 days. */
    activeUsers,
    /** The last 28 days compared with the 28 before; `null` if those have too few user-days. */
    growth: memoizeByDay((day) => {
      const grown = growthOf(view(day), day, firstEvent(day));
      if (grown === null) return null;
      const { calendar, counted } = view(day);
      const { from } = calendar.window(day, USER_REACH_DAYS);
      const known = usersOf(counted.during({ from, to: window(day).from - 1 }));
      return { ...grown, newUsers: [...usersOf(duringWindow(day))].filter((user) => !known.has(user)).length };
    }),
    /** Users with a large share of the usage who are silent. Ascending by number. */
    keyUsers: memoizeByDay((day) => (isPresent(day) ? keyUsersOf(view(day), day) : [])),
    /** Whether another user has taken over from `user`, who was last active on `since`. */
    hasSuccessor: (day: Day, user: number, since: Day): boolean => hasSuccessorIn(view(day), day, user, since),
    /** Core features that the account has stopped using. Ascending. */
    droppedFeatures: memoizeByDay((day) =>
      isPresent(day) ? droppedFeaturesOf(view(day), day, context(day).coreFeatures) : [],
    ),
    /** Days after `since` and up to `day` on which the feature was used. */
    featureDays: (day: Day, feature: number, since: Day): number =>
      useOf(all.during({ from: since + 1, to: day }), feature)?.days ?? 0,
    /** Whether the user was active after `since` and up to `day`. */
    userSeen: (day: Day, user: number, since: Day): boolean =>
      view(day)
        .datesOf(user)
        .some((date) => date > since && date <= day),
    component(day: Day, component: Component): ComponentValue | null {
      const score = scores[component](day);
      return score === null ? null : { component, ...score };
    },
  };
}

/** Returns a function that computes the value of each day once. `null` and `undefined` are values too. */
function memoizeByDay<T>(compute: (day: Day) => T): (day: Day) => T {
  const values = new Map<Day, { readonly value: T }>();
  return (day) => {
    const known = values.get(day);
    if (known !== undefined) return known.value;
    const value = compute(day);
    values.set(day, { value });
    return value;
  };
}
