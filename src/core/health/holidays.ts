/**
 * Holidays of all: docs/health.md, Outages and holidays. A working day on which the whole workspace does no more than half
 * of what it does on such a day of the week is nobody's absence. It takes many accounts to say so: of a few, one that falls
 * silent would make a holiday.
 */
import { calendarOf, type Outages } from "./days.ts";
import type { Day } from "./model.ts";
import { medianOf } from "./trend.ts";

/** What a workspace did on a day that is over. */
export interface Level {
  /** With an event. */
  accounts: number;
  userDays: number;
}

const MAX_WEEKS = 8;
const MIN_WEEKS = 4;
const MIN_ACCOUNTS = 10;
const QUIET_SHARE = 0.5;
/** One large account that is gone takes much of the use with it, but of the accounts only itself. */
const QUIET_ACCOUNTS_SHARE = 0.9;
/** So long a holiday is remembered: as long as an outage. */
const MEMORY_DAYS = 400;
/** Days before the first that is judged whose levels are asked for. */
export const LEVEL_DAYS = 7 * MAX_WEEKS;

/**
 * The holidays up to `day`: those known before, and of the days since.
 *
 * @param levels a day without one had no event
 * @param previous `null` to look at all days that have levels
 */
export function holidaysOf(
  levels: ReadonlyMap<Day, Level>,
  day: Day,
  outages: Outages,
  previous: { day: Day; holidays: readonly Day[] } | null,
): readonly Day[] {
  const first = previous === null ? Math.min(day, ...levels.keys()) : previous.day + 1;
  const holidays = [...(previous?.holidays ?? [])];
  const calendar = calendarOf(outages);
  const known = new Set(holidays);
  for (let each = first; each <= day; each += 1) {
    if (calendar.businessDays(each, each) === 0 || !isQuiet(levels, each, (other) => known.has(other))) continue;
    holidays.push(each);
    known.add(each);
  }
  return holidays.filter((each) => each > day - MEMORY_DAYS && calendar.countedDays(each, each) === 1);
}

function isQuiet(levels: ReadonlyMap<Day, Level>, day: Day, isHoliday: (day: Day) => boolean): boolean {
  const before: Level[] = [];
  for (let week = 1; week <= MAX_WEEKS; week += 1) {
    const level = levels.get(day - 7 * week);
    if (level !== undefined && !isHoliday(day - 7 * week)) before.push(level);
  }
  if (before.length < MIN_WEEKS) return false;
  const accounts = medianOf(before.map((level) => level.accounts));
  const userDays = medianOf(before.map((level) => level.userDays));
  const level = levels.get(day) ?? { accounts: 0, userDays: 0 };
  return (
    accounts >= MIN_ACCOUNTS &&
    level.userDays <= QUIET_SHARE * userDays &&
    level.accounts <= QUIET_ACCOUNTS_SHARE * accounts
  );
}
