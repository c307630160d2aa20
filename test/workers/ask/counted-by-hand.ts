/** What facts have to say, counted over the bare list of events: no days condensed, nothing folded. */
import type { Told } from "./told-workspace.ts";

export interface Days {
  from: number;
  to: number;
}

const isIn = (window: Days, { day }: Told): boolean => day >= window.from && day <= window.to;

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

const distinct = <Key>(keys: readonly Key[]): Key[] => [...new Set(keys)];

/** An account by the name that events give it: their own, or the account of one of their user. */
const accountOf = ({ account, user }: Told): string => account ?? `${user} alone`;
const usersIn = (all: readonly Told[]): string[] => all.flatMap(({ user }) => (user === null ? [] : [user]));
const boundsOf = (all: readonly Told[]) => ({
  first: Math.min(...all.map(({ day }) => day)),
  last: Math.max(...all.map(({ day }) => day)),
});

const use = (all: readonly Told[]) => ({
  events: all.length,
  activeDays: distinct(all.map(({ day }) => day)).length,
  features: tally(all.map(({ event }) => event)),
});

const accountUse = (all: readonly Told[]) => ({
  ...use(all),
  users: byKey(distinct(usersIn(all)), (name) => {
    const days = all.filter(({ user }) => user === name).map(({ day }) => day);
    return { days: distinct(days).length, lastDay: Math.max(...days) };
  }),
});

const byKey = <Value>(keys: readonly string[], valueOf: (key: string) => Value): Record<string, Value> =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)]));

/** In the form of `lookUpEverything`. */
export function countEverything(
  all: readonly Told[],
  window: Days,
  before: Days,
  only: string,
  events: readonly string[],
) {
  const windows = [window, before];
  const during = (days: Days, some: readonly Told[]) => some.filter((told) => isIn(days, told));
  const narrow = (some: readonly Told[]) => some.filter(({ event }) => event === only);
  const now = during(window, all);
  const accounts = distinct(all.map(accountOf));
  const ofAccount = (key: string) => all.filter((told) => accountOf(told) === key);
  return {
    ofAccounts: byKey(accounts, (key) => ({
      uses: windows.map((days) => accountUse(during(days, ofAccount(key)))),
      narrowed: windows.map((days) => accountUse(narrow(during(days, ofAccount(key))))),
      ...boundsOf(ofAccount(key)),
    })),
    ofUsers: byKey(distinct(usersIn(all)), (key) => {
      const own = all.filter(({ user }) => user === key);
      return {
        uses: windows.map((days) => use(during(days, own))),
        narrowed: [use(narrow(during(window, own)))],
        ...boundsOf(own),
      };
    }),
    ofFeatures: byKey(events, (name) => {
      const own = all.filter(({ event }) => event === name);
      return {
        uses: windows.map((days) => ({
          events: during(days, own).length,
          accounts: tally(during(days, own).map(accountOf)),
        })),
        users: tally(usersIn(during(window, own))),
      };
    }),
    portfolio: byKey(accounts, (key) => {
      const sums = windows.map((days) => during(days, ofAccount(key)));
      return {
        events: sums.map(({ length }) => length),
        userDays: sums.map(
          (some) => distinct(some.flatMap(({ user, day }) => (user === null ? [] : [`${day} ${user}`]))).length,
        ),
        ...boundsOf(ofAccount(key)),
      };
    }),
    features: byKey(distinct(now.map(({ event }) => event)), (name) => {
      const own = now.filter(({ event }) => event === name);
      return [own.length, distinct(own.map(accountOf)).length];
    }),
    activeUsers: distinct(usersIn(now)).length,
    activeAccounts: distinct(now.map(accountOf)).length,
  };
}
