/**
 * Detects that a whole workspace has stopped sending (docs/health.md §11.11). An outage is not churn. It is detected by the
 * workspace's own habit. Once events arrive again, all days of the outage are left out of counting, including those before
 * it was detected.
 */
import { countUntil } from "./activity.ts";
import { calendarOf, type Outages } from "./business-days.ts";
import type { Day, SenderSilence, Silence, WorkspaceContext } from "./model.ts";
import { SENDER_THRESHOLD_BOUNDS, silenceOf } from "./silence.ts";

/** After this many days an outage is out of reach of every window. */
export const OUTAGE_MEMORY_DAYS = 400;

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
  return outages.filter(([, last]) => last > day - OUTAGE_MEMORY_DAYS);
}
