/**
 * Detects shared holidays (docs/health.md §11.11): business days on which the whole workspace has at most half of its usual
 * activity for that weekday. It takes many accounts: among a few, a single silent one would look like a holiday.
 */
import { calendarOf, type Outages } from "./business-days.ts";
import type { Day } from "./model.ts";
import { OUTAGE_MEMORY_DAYS } from "./outages.ts";
import { medianOf } from "./trend.ts";

/** The activity of a workspace on a complete day. */
export interface Level {
  /** Accounts with an event. */
  accounts: number;
  userDays: number;
}

const MAX_WEEKS = 8;
const MIN_WEEKS = 4;
const MIN_ACCOUNTS = 10;
const QUIET_SHARE = 0.5;
/** The number of accounts must fall too: one large account that leaves halves the user-days, but is only one account. */
const QUIET_ACCOUNTS_SHARE = 0.9;
/** Holidays are kept as long as outages. */
const MEMORY_DAYS = OUTAGE_MEMORY_DAYS;
/** Levels are needed from this many days before the first scored day. */
export const LEVEL_DAYS = 7 * MAX_WEEKS;

/**
 * Returns the holidays up to `day`: the known ones and those since.
 *
 * @param levels days without an entry had no event
 * @param previous `null` to look at every day with a level
 */
export function holidaysOf(
  levels: ReadonlyMap<Day, Level>,
  day: Day,
  outages: Outages,
  previous: { day: Day; holidays: readonly Day[] } | null,
): readonly Day[] {
  const first = previous === null ? Math.min(day, ...levels.keys()) : previous.day + 1;
  const holidays = new Set(previous?.holidays);
  const calendar = calendarOf(outages);
  for (let each = first; each <= day; each += 1) {
    if (calendar.businessDays(each, each) === 1 && isQuiet(levels, each, holidays)) holidays.add(each);
  }
  return [...holidays].filter((each) => each > day - MEMORY_DAYS && calendar.countedDays(each, each) === 1);
}

function isQuiet(levels: ReadonlyMap<Day, Level>, day: Day, holidays: ReadonlySet<Day>): boolean {
  const before: Level[] = [];
  for (let week = 1; week <= MAX_WEEKS; week += 1) {
    const level = levels.get(day - 7 * week);
    if (level !== undefined && !holidays.has(day - 7 * week)) before.push(level);
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
