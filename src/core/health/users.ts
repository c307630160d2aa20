/**
 * The users of an account, by number: how many there are, who carries it, and who took over. No rule asks for users or
 * features of more than `USER_REACH_DAYS`, so that days further back can be loaded without them.
 */
import type { View } from "./activity.ts";
import type { KeyUser } from "./measures.ts";
import type { ActiveDay, Day, Silence, Window } from "./model.ts";
import { HABIT_DAYS, silenceOf, USER_THRESHOLD_BOUNDS } from "./silence.ts";

/** Counted days in which a user can be seen to carry an account. */
const CARRYING_DAYS = 56;
const MIN_CARRYING_DAYS = 10;
const CARRYING_SHARE = 0.3;
/** Counted days after which a successor shows, and after which nobody is one any more. */
const MIN_SUCCESSION_DAYS = 14;
const MAX_SUCCESSION_DAYS = 90;

/** Counted days up to the day that is judged: the habit of a user who was last seen at the far end of 56 days. */
export const USER_REACH_DAYS = CARRYING_DAYS + HABIT_DAYS;

/** Days each user was seen, in the days given. */
export function userDaysOf(days: readonly ActiveDay[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { users } of days) {
    for (const user of users) counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  return counts;
}

export function usersOf(days: readonly ActiveDay[]): Set<number> {
  const seen = new Set<number>();
  for (const { users } of days) for (const user of users) seen.add(user);
  return seen;
}

/** The ascending days of each user. */
export function datesByUser(days: readonly ActiveDay[]): Map<number, Day[]> {
  const byUser = new Map<number, Day[]>();
  for (const { day, users } of days) {
    for (const user of users) {
      const dates = byUser.get(user);
      if (dates === undefined) byUser.set(user, [day]);
      else dates.push(day);
    }
  }
  return byUser;
}

/**
 * Users with a large share of the account's user-days who are silent by their own habit.
 *
 * @param datesOf the ascending days of a user
 */
export function keyUsersOf(
  { calendar, counted }: View,
  day: Day,
  datesOf: (user: number) => readonly Day[],
): readonly KeyUser[] {
  const window = calendar.window(day, CARRYING_DAYS);
  const total = counted.userDays(window);
  const found: KeyUser[] = [];
  for (const [user, days] of userDaysOf(counted.during(window))) {
    if (days < MIN_CARRYING_DAYS || days / total < CARRYING_SHARE) continue;
    const silence = silenceOfUser(datesOf(user));
    if (silence?.silent === true) found.push({ user, days, share: days / total, silence });
  }
  return found.toSorted((a, b) => a.user - b.user);

  function silenceOfUser(dates: readonly Day[]): Silence | null {
    const { from } = calendar.window(day, USER_REACH_DAYS);
    const reached = dates.filter((date) => date >= from);
    return silenceOf(reached, day, Math.min(...reached), calendar, USER_THRESHOLD_BOUNDS);
  }
}

/** Whether another carries the account since `user` was last seen on `since`, who did not before. */
export function hasSuccessorIn({ calendar, counted }: View, day: Day, user: number, since: Day): boolean {
  const passed = calendar.countedDays(since + 1, day);
  if (passed < MIN_SUCCESSION_DAYS || passed > MAX_SUCCESSION_DAYS) return false;
  const before = sharesIn(calendar.window(since, CARRYING_DAYS));
  const after = sharesIn({ from: since + 1, to: day });
  return [...after].some(
    ([other, share]) => other !== user && share >= CARRYING_SHARE && (before.get(other) ?? 0) < CARRYING_SHARE,
  );

  function sharesIn(window: Window): Map<number, number> {
    const total = counted.userDays(window);
    const shares = userDaysOf(counted.during(window));
    for (const [other, days] of shares) shares.set(other, days / total);
    return shares;
  }
}
