/**
 * Indexes the active days of one account. Two binary searches count the active days or user-days of any range.
 */
import { type Calendar, calendarOf, type Outages } from "./business-days.ts";
import type { ActiveDay, Day, Window, WorkspaceContext } from "./model.ts";

export interface Activity {
  readonly days: readonly ActiveDay[];
  readonly dates: readonly Day[];
  activeDays(window: Window): number;
  userDays(window: Window): number;
  /** Returns the active days of a window, ascending. */
  during(window: Window): readonly ActiveDay[];
}

/** An account's activity as one context sees it, with that context's outages and holidays. */
export interface ActivityView {
  readonly calendar: Calendar;
  /** The activity without days in an outage. Late events may fall on such days, but windows leave them out. */
  readonly counted: Activity;
  /** Returns the active days of a user, ascending, those in an outage included. */
  readonly datesOf: (user: number) => readonly Day[];
}

/** Counts the `days`, ascending, up to and including `day`. */
export function countUntil(days: readonly Day[], day: Day): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? Infinity) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function activityOf(days: readonly ActiveDay[]): Activity {
  const dates = days.map(({ day }) => day);
  const userDaysBefore = [0];
  let sum = 0;
  for (const { userDays } of days) userDaysBefore.push((sum += userDays));
  return {
    days,
    dates,
    activeDays: ({ from, to }) => countUntil(dates, to) - countUntil(dates, from - 1),
    userDays: ({ from, to }) =>
      (userDaysBefore[countUntil(dates, to)] ?? 0) - (userDaysBefore[countUntil(dates, from - 1)] ?? 0),
    during: ({ from, to }) => days.slice(countUntil(dates, from - 1), countUntil(dates, to)),
  };
}

type DaysOff = Pick<WorkspaceContext, "outages" | "holidays">;

/** Caches views by days off. The contexts of many days share the same days off, so there are few views. */
export function activityViews(all: Activity): (off: DaysOff) => ActivityView {
  const views = new Map<string, ActivityView>();
  let byUser: ReadonlyMap<number, readonly Day[]> | undefined;
  const datesOf = (user: number) => (byUser ??= datesByUser(all.days)).get(user) ?? [];
  return ({ outages, holidays }) => {
    const key = JSON.stringify([outages, holidays]);
    const known = views.get(key);
    if (known !== undefined) return known;
    const view = { calendar: calendarOf(outages, holidays), counted: withoutOutages(outages, all), datesOf };
    views.set(key, view);
    return view;
  };
}

function datesByUser(days: readonly ActiveDay[]): Map<number, Day[]> {
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

function withoutOutages(outages: Outages, all: Activity): Activity {
  const inOutage = (day: Day) => outages.some(([first, last]) => first <= day && day <= last);
  return all.dates.some(inOutage) ? activityOf(all.days.filter(({ day }) => !inOutage(day))) : all;
}
