/**
 * Computes the measures of one account. The measures of a day depend only on what happened up to its end and on that day's
 * context. They are memoized, so a rule may look back over as many days as it needs.
 */
import { activityOf, countUntil, type View, viewsOf } from "./activity.ts";
import { attributesReader } from "./attributes.ts";
import {
  breadth,
  depth,
  elapsedShare,
  expectedFeatures,
  frequency,
  type Reading,
  recency,
  trend,
} from "./components.ts";
import { WINDOW_DAYS } from "./business-days.ts";
import { dropOf } from "./drop.ts";
import { factorFor, MIN_EXPECTED_USER_DAYS } from "./workspace-factor.ts";
import { droppedFeaturesOf, featureDaysIn, usedFeatures } from "./features.ts";
import { growthOf } from "./growth.ts";
import { memoizeByDay } from "./memoize-by-day.ts";
import type { Measures } from "./measures.ts";
import type { AccountHistory, Component, Day, WorkspaceContext } from "./model.ts";
import { ownBestOf } from "./own-best.ts";
import { silenceOf, ACCOUNT_THRESHOLD_BOUNDS, USER_THRESHOLD_BOUNDS } from "./silence.ts";
import { readStage } from "./stage.ts";
import { firstEventDay, ownTrend, trendOf } from "./trend.ts";
import { datesByUser, hasSuccessorIn, keyUsersOf, USER_REACH_DAYS, usersOf } from "./key-users.ts";

/** Users active in this many counted days count as the account's users. */
const SEEN_DAYS = 90;
/** An account with so few users is silent while they are on leave, so it gets their threshold. */
const FEW_USERS = 2;

/**
 * Returns the measures of an account.
 *
 * @param history days with users and features from `USER_REACH_DAYS` before the first day to measure, and without them as
 *   far back as the 90 counted days up to the last active one
 */
export function measuresOf(history: AccountHistory, contextOf: (day: Day) => WorkspaceContext): Measures {
  const all = activityOf(history.days);
  const viewFor = viewsOf(all);
  let datesOfUsers: ReturnType<typeof datesByUser> | undefined;
  const datesOf = (user: number): readonly Day[] => (datesOfUsers ??= datesByUser(history.days)).get(user) ?? [];

  const context = memoizeByDay(contextOf);
  const view = memoizeByDay((day): View => viewFor(context(day)));
  const attributes = memoizeByDay(attributesReader(history.attributes));
  const tenure = (day: Day): number => day - history.firstDay + 1;
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

  const own = memoizeByDay((day) => ownTrend(view(day), day, firstEventDay(history, all, day)));
  const factor = memoizeByDay((day) => {
    const trendBefore = own(day);
    const compared = trendBefore !== null && trendBefore.expected >= MIN_EXPECTED_USER_DAYS;
    return factorFor(context(day), compared ? trendBefore.observed / trendBefore.expected : null);
  });
  const trendAt = memoizeByDay((day) => {
    const trendBefore = own(day);
    if (trendBefore === null) return null;
    const { observed, expected, dispersion, window: recent } = trendBefore;
    const adjusted = expected * factor(day);
    return adjusted < MIN_EXPECTED_USER_DAYS ? null : trendOf(observed, adjusted, dispersion, recent);
  });

  const dropAt = memoizeByDay((day) => {
    const found = trendAt(day);
    return found === null ? null : dropOf(view(day), day, found, own(day)?.dispersion ?? 1, datesOf);
  });

  const growth = memoizeByDay((day) => {
    const grown = growthOf(view(day), day, firstEventDay(history, all, day));
    if (grown === null) return null;
    const { calendar, counted } = view(day);
    const { from } = calendar.window(day, USER_REACH_DAYS);
    const known = usersOf(counted.during({ from, to: window(day).from - 1 }));
    const newUsers = [...usersOf(duringWindow(day))].filter((user) => !known.has(user)).length;
    return { ...grown, newUsers };
  });

  const isSingleUser = (day: Day): boolean =>
    history.kind === "solo" || attributes(day).seats === 1 || usersSeen(day) <= 1;
  const readings: Record<Component, (day: Day) => Reading | null> = {
    recency: memoizeByDay((day) => {
      const gap = silence(day);
      return gap === null ? null : recency(gap, day);
    }),
    frequency: memoizeByDay((day) => frequency(duringWindow(day).length, context(day).typicalActiveDays, window(day))),
    breadth: memoizeByDay((day) => {
      const seats = attributes(day).seats ?? 0;
      return breadth(activeUsers(day), seats > 0 ? seats : usersSeen(day), tenure(day), window(day));
    }),
    depth: memoizeByDay((day) => {
      const { coreFeatures } = context(day);
      const { stage } = readStage(attributes(day).stage);
      const elapsed = stage === "trial" ? elapsedShare(attributes(day), history.firstDay, day) : 1;
      const expected = expectedFeatures(coreFeatures.length, elapsed);
      if (expected === null) return null;
      return depth(usedFeatures(duringWindow(day), coreFeatures, isSingleUser(day) ? 0 : 2), expected, window(day));
    }),
    trend: memoizeByDay((day) => {
      const found = trendAt(day);
      return found === null ? null : trend(found);
    }),
  };
  const isPresent = (day: Day): boolean => silence(day)?.silent === false;

  return {
    history,
    context,
    attributes,
    stage: (day) => readStage(attributes(day).stage),
    tenure,
    activeDaysEver: (day) => history.earlierDays + countUntil(all.dates, day),
    activeDays: (day, count) => view(day).counted.activeDays(view(day).calendar.window(day, count)),
    activeDaysInBusinessDays: (day, count) =>
      view(day).counted.activeDays({ from: view(day).calendar.firstOfBusinessDays(day, count), to: day }),
    userDays: (day, count) => view(day).counted.userDays(view(day).calendar.window(day, count)),
    silence,
    trend: trendAt,
    drop: dropAt,
    ownBest: memoizeByDay((day) => ownBestOf(view(day), day, firstEventDay(history, all, day) ?? day)),
    activeUsers,
    growth,
    keyUsers: memoizeByDay((day) => (isPresent(day) ? keyUsersOf(view(day), day, datesOf) : [])),
    hasSuccessor: (day, user, since) => hasSuccessorIn(view(day), day, user, since),
    droppedFeatures: memoizeByDay((day) =>
      isPresent(day) ? droppedFeaturesOf(view(day), day, context(day).coreFeatures) : [],
    ),
    featureDays: (day, feature, since) => featureDaysIn(all, { from: since + 1, to: day }, feature),
    userSeen: (day, user, since) => datesOf(user).some((date) => date > since && date <= day),
    component(day, component) {
      const reading = readings[component](day);
      return reading === null ? null : { component, ...reading };
    },
  };
}
