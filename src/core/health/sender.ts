/**
 * When a whole workspace stops sending: docs/health.md §11.11. An outage is nobody's churn. It shows by the habit of
 * the workspace's own days, and once events come again, all of its days are left out of what is counted, those before
 * it was recognised included.
 */
import { countUntil } from "./activity.ts";
import { calendarOf, type Outages } from "./days.ts";
import type { Day, SenderSilence, Silence, WorkspaceContext } from "./model.ts";
import { SENDER_THRESHOLD_BOUNDS, silenceOf } from "./silence.ts";

/** Days after which an outage is out of reach of every window. */
export const OUTAGE_MEMORY_DAYS = 400;

/**
 * Whether the sender is out at the end of `day`; `null` when not, or before its first event.
 *
 * @param activeDays days on which any account was active, ascending; later ones than `day` don't count
 * @param outages those that ended by `day`
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

/** The threshold of a workspace that has events on every working day. */
const BUSY_THRESHOLD = 2;

/**
 * Whether the sender may be out without it being recognised yet: a busy one has not been heard of on a working day. In a
 * small workspace such days are nothing unusual.
 */
export function isSenderDoubtful(activeDays: readonly Day[], day: Day, outages: Outages): boolean {
  const silence = silenceOfSender(activeDays, day, outages);
  return silence !== null && silence.gap > 0 && silence.threshold <= BUSY_THRESHOLD;
}

/**
 * The outages that ended by `day`: those known to an earlier day's context, which is final, and those since.
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
