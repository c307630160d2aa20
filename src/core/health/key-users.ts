/**
 * Looks at the users of an account: how many there are, who the key users are, and who took over from them. No rule needs
 * users or features of days more than `USER_REACH_DAYS` back, so older days are loaded without them.
 */
import type { ActivityView } from "./activity.ts";
import type { ActiveDay, Day, Silence, Window } from "./model.ts";
import { HABIT_DAYS, silenceOf, USER_THRESHOLD_BOUNDS } from "./silence.ts";

/** A key user has at least this share of the user-days and enough active days in this many counted days. */
export const KEY_USER_DAYS = 56;
export const MIN_KEY_USER_ACTIVE_DAYS = 10;
export const KEY_USER_SHARE = 0.3;
/** A successor takes over 14 to 90 counted days after the key user was last active. */
const MIN_SUCCESSION_DAYS = 14;
const MAX_SUCCESSION_DAYS = 90;

/** Counted days up to the scored day: enough for the habit of a user who was last active 56 days ago. */
export const USER_REACH_DAYS = KEY_USER_DAYS + HABIT_DAYS;

export function userDaysOf(days: readonly ActiveDay[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { users } of days) {
    for (const user of users) counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  return counts;
}

export function usersOf(days: readonly ActiveDay[]): Set<number> {
  return new Set(days.flatMap(({ users }) => users));
}

export interface KeyUser {
  user: number;
  /** Active days in 56. */
  days: number;
  /** The share of the account's user-days in 56 days, 0 to 1. */
  share: number;
  silence: Silence;
}

/** Finds the key users who are silent by their own habit. */
export function keyUsersOf({ calendar, counted, datesOf }: ActivityView, day: Day): readonly KeyUser[] {
  const window = calendar.window(day, KEY_USER_DAYS);
  const { from } = calendar.window(day, USER_REACH_DAYS);
  const total = counted.userDays(window);
  const found: KeyUser[] = [];
  for (const [user, days] of userDaysOf(counted.during(window))) {
    if (days < MIN_KEY_USER_ACTIVE_DAYS || days / total < KEY_USER_SHARE) continue;
    const reached = datesOf(user).filter((date) => date >= from);
    const silence = silenceOf(reached, day, Math.min(...reached), calendar, USER_THRESHOLD_BOUNDS);
    if (silence?.silent === true) found.push({ user, days, share: days / total, silence });
  }
  return found.toSorted((a, b) => a.user - b.user);
}

/** Tests whether another user has become a key user since `user` was last active on `since`. */
export function hasSuccessorIn({ calendar, counted }: ActivityView, day: Day, user: number, since: Day): boolean {
  const passed = calendar.countedDays(since + 1, day);
  if (passed < MIN_SUCCESSION_DAYS || passed > MAX_SUCCESSION_DAYS) return false;
  const before = sharesIn(calendar.window(since, KEY_USER_DAYS));
  const after = sharesIn({ from: since + 1, to: day });
  return [...after].some(
    ([other, share]) => other !== user && share >= KEY_USER_SHARE && (before.get(other) ?? 0) < KEY_USER_SHARE,
  );

  function sharesIn(window: Window): Map<number, number> {
    const total = counted.userDays(window);
    const shares = userDaysOf(counted.during(window));
    for (const [other, days] of shares) shares.set(other, days / total);
    return shares;
  }
}
