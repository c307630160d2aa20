/** Days of the week: the last such day before today, as in "on Monday", "last Friday", "since Tuesday". */
import type { Day } from "../../health/model.ts";
import { WEEKDAYS } from "../lexicon/calendar-words.ts";
import { DAYS_A_WEEK, weekdayOf } from "./calendar.ts";
import { type TimeContext, wordAt } from "./time-context.ts";

/** A name of a weekday alone may be that of an account, and "Mondays" are many. */
const BEFORE: ReadonlySet<string> = new Set("on since from".split(" "));

/** `null` where none stands there, and on that day itself, when it may mean today or a week ago. */
export function weekdayAt(context: TimeContext, at: number): { day: Day; length: number } | null {
  const isLast = wordAt(context, at) === "last";
  const weekday = WEEKDAYS.indexOf(wordAt(context, at + (isLast ? 1 : 0)));
  if (weekday < 0 || (!isLast && !BEFORE.has(wordAt(context, at - 1)))) return null;
  const since = (weekdayOf(context.today) - weekday + DAYS_A_WEEK) % DAYS_A_WEEK;
  return since === 0 ? null : { day: context.today - since, length: isLast ? 2 : 1 };
}
