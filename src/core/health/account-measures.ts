/**
 * The measures of one account over its history. Whatever is asked of a day is answered from what happened up to its end
 * and from that day's context alone, and is remembered, so that a rule may look back for as many days as it likes.
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
import { WINDOW_DAYS } from "./days.ts";
import { dropOf } from "./drop.ts";
import { factorFor, MIN_EXPECTED } from "./factor.ts";
import { droppedFeaturesOf, featureDaysIn, usedFeatures } from "./features.ts";
import { growthOf } from "./growth.ts";
import type { AccountMeasures } from "./measures.ts";
import type { AccountHistory, Component, Day, WorkspaceContext } from "./model.ts";
import { ownBestOf } from "./own-best.ts";
import { silenceOf, THRESHOLD_BOUNDS, USER_THRESHOLD_BOUNDS } from "./silence.ts";
import { readStage } from "./stage.ts";
import { firstEventDay, ownTrend, trendOf } from "./trend.ts";
import { datesByUser, hasSuccessorIn, keyUsersOf, USER_REACH_DAYS, usersOf } from "./users.ts";

/** Counted days in which users count as the account's where its seats are unknown. */
const SEEN_DAYS = 90;
/** An account of so few is as silent as they are. */
const FEW_USERS = 2;

/**
 * @param history days with their users and features as far back as `USER_REACH_DAYS` before the first day asked for, and
 *   without them as far as the 90 counted days up to the last active one
 * @param contextOf the context of a day
 */
export function measuresOf(history: AccountHistory, contextOf: (day: Day) => WorkspaceContext): AccountMeasures {
  const all = activityOf(history.days);
  const viewFor = viewsOf(all);
  const datesOfUsers = once(() => datesByUser(history.days));
  const datesOf = (user: number): readonly Day[] => datesOfUsers().get(user) ?? [];

  const context = byDay(contextOf);
  const view = byDay((day): View => viewFor(context(day)));
  const attributes = byDay(attributesReader(history.attributes));
  const tenure = (day: Day): number => day - history.firstDay + 1;
  const window = byDay((day) => view(day).calendar.window(day, WINDOW_DAYS));
  const duringWindow = byDay((day) => view(day).counted.during(window(day)));
  const activeUsers = byDay((day) => usersOf(duringWindow(day)).size);
  const usersSeen = byDay((day) => {
    const { calendar, counted } = view(day);
    return usersOf(counted.during(calendar.window(day, SEEN_DAYS))).size;
  });
  const silence = byDay((day) => {
    const bounds = usersSeen(day) <= FEW_USERS ? USER_THRESHOLD_BOUNDS : THRESHOLD_BOUNDS;
    return silenceOf(all.dates, day, history.firstDay, view(day).calendar, bounds);
  });

  const own = byDay((day) => ownTrend(view(day), day, firstEventDay(history, all, day)));
  const factor = byDay((day) => {
    const trendBefore = own(day);
    const compared = trendBefore !== null && trendBefore.expected >= MIN_EXPECTED;
    return factorFor(context(day), compared ? trendBefore.observed / trendBefore.expected : null);
  });
  const trendAt = byDay((day) => {
    const trendBefore = own(day);
    if (trendBefore === null) return null;
    const { observed, expected, dispersion, window: recent } = trendBefore;
    const adjusted = expected * factor(day);
    return adjusted < MIN_EXPECTED ? null : trendOf(observed, adjusted, dispersion, recent);
  });

  const dropAt = byDay((day) => {
    const found = trendAt(day);
    return found === null ? null : dropOf(view(day), day, found, own(day)?.dispersion ?? 1, datesOf);
  });

  const growth = byDay((day) => {
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
    recency: byDay((day) => {
      const gap = silence(day);
      return gap === null ? null : recency(gap, day);
    }),
    frequency: byDay((day) => frequency(duringWindow(day).length, context(day).typicalActiveDays, window(day))),
    breadth: byDay((day) => {
      const seats = attributes(day).seats ?? 0;
      return breadth(activeUsers(day), seats > 0 ? seats : usersSeen(day), tenure(day), window(day));
    }),
    depth: byDay((day) => {
      const { coreFeatures } = context(day);
      const { stage } = readStage(attributes(day).stage);
      const elapsed = stage === "trial" ? elapsedShare(attributes(day), history.firstDay, day) : 1;
      const expected = expectedFeatures(coreFeatures.length, elapsed);
      if (expected === null) return null;
      return depth(usedFeatures(duringWindow(day), coreFeatures, isSingleUser(day) ? 0 : 2), expected, window(day));
    }),
    trend: byDay((day) => {
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
    ownBest: byDay((day) => ownBestOf(view(day), day, firstEventDay(history, all, day) ?? day)),
    activeUsers,
    growth,
    keyUsers: byDay((day) => (isPresent(day) ? keyUsersOf(view(day), day, datesOf) : [])),
    hasSuccessor: (day, user, since) => hasSuccessorIn(view(day), day, user, since),
    droppedFeatures: byDay((day) =>
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

/** Remembers the answer for each day. */
function byDay<T>(compute: (day: Day) => T): (day: Day) => T {
  const answers = new Map<Day, { readonly value: T }>();
  return (day) => {
    const known = answers.get(day);
    if (known !== undefined) return known.value;
    const value = compute(day);
    answers.set(day, { value });
    return value;
  };
}

function once<T>(compute: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => (answer ??= { value: compute() }).value;
}
