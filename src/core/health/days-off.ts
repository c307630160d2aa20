/**
 * Detects the days on which a workspace's activity means nothing (docs/health.md §11.11).
 *
 * An **outage**: the whole workspace has stopped sending, which is not churn. It is detected by the workspace's own habit.
 * Once events arrive again, all days of the outage are left out of counting, including those before it was detected.
 *
 * A **shared holiday**: a business day on which the whole workspace has at most half of its usual activity for that weekday.
 * It takes many accounts: among a few, a single silent one would look like a holiday.
 */
import { countUntil } from "./activity.ts";
import { calendarOf, type Outages } from "./business-days.ts";
import type { Day, SenderSilence, Silence, WorkspaceContext } from "./model.ts";
import { SENDER_THRESHOLD_BOUNDS, silenceOf } from "./silence.ts";
import { medianOf } from "./trend.ts";

/** After this many days an outage or a holiday is out of reach of every window. */
const MEMORY_DAYS = 400;

/**
 * Returns the sender's silence if it is out at the end of `day`; else `null`.
 *
 * @param activeDays days on which any account was active, ascending; later ones than `day` are ignored
 * @param outages the outages that ended by `day`
 */
export function senderSilence(activeDays: readonly Day[], day: Day, outages: Outages): SenderSilence | null {
  const silence = silenceOfSender(activeDays, day, outages);
  if (silence?.silent !== true) return null;
  const { lastDay, gap, threshold } = silence;
  return { lastDay, gap, threshold };
}

function silenceOfSender(activeDays: readonly Day[], day: Day, outages: Outages): Silence | null {
  const first = activeDays[0];
  return first === undefined ? null : silenceOf(activeDays, day, first, calendarOf(outages), SENDER_THRESHOLD_BOUNDS);
}

/** A workspace with events on every business day has at most this threshold. */
const BUSY_THRESHOLD = 2;

/**
 * Tests whether an outage may have begun that is not detected yet: a busy workspace sent nothing on a business day. In a
 * small workspace such days are usual.
 */
export function isSenderDoubtful(activeDays: readonly Day[], day: Day, outages: Outages): boolean {
  const silence = silenceOfSender(activeDays, day, outages);
  return silence !== null && silence.gap > 0 && silence.threshold <= BUSY_THRESHOLD;
}

/**
 * Returns the outages that ended by `day`: those in an earlier day's context, and those since.
 *
 * @param previous `null` to find all of them in `activeDays`
 */
export function outagesOf(
  activeDays: readonly Day[],
  day: Day,
  previous: Pick<WorkspaceContext, "day" | "outages" | "silence"> | null,
): Outages {
  const outages = [...(previous?.outages ?? [])];
  const since = previous === null ? -Infinity : (previous.silence?.lastDay ?? previous.day);
  let lastDay: Day | null = null;
  for (const resumed of activeDays.slice(Math.max(0, countUntil(activeDays, since) - 1), countUntil(activeDays, day))) {
    if (lastDay !== null && resumed - lastDay > 1 && senderSilence(activeDays, resumed - 1, outages) !== null) {
      outages.push([Math.max(lastDay, outages.at(-1)?.[1] ?? lastDay) + 1, resumed - 1]);
    }
    lastDay = resumed;
  }
  return outages.filter(([, last]) => last > day - MEMORY_DAYS);
}

/**
 * Returns how many days further back windows may reach because of outages. A week that an outage leaves too few business
 * days is skipped, so each outage may cost one more week.
 */
export function extraReachDays(outages: Outages): number {
  return outages.reduce((sum, [first, last]) => sum + last - first + 1 + 7, 0);
}

/** The activity of a workspace on a complete day. */
export interface ActivityLevel {
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
/** Levels are needed from this many days before the first scored day. */
export const LEVEL_DAYS = 7 * MAX_WEEKS;

/**
 * Returns the holidays up to `day`: the known ones and those since.
 *
 * @param levels days without an entry had no event
 * @param previous `null` to look at every day with a level
 */
export function holidaysOf(
  levels: ReadonlyMap<Day, ActivityLevel>,
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

function isQuiet(levels: ReadonlyMap<Day, ActivityLevel>, day: Day, holidays: ReadonlySet<Day>): boolean {
  const before: ActivityLevel[] = [];
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
