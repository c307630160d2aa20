/**
 * When a whole workspace stops sending: docs/health.md §11.11. An outage is nobody's churn. It shows by the habit of
 * the workspace's own days, and once events come again, all of its days are left out of what is counted, those before
 * it was recognised included.
 */
import { countUntil } from "./activity.ts";
import { calendarOf, type Outages } from "./days.ts";
import type { Day, SenderSilence, WorkspaceContext } from "./model.ts";
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
  const first = activeDays[0];
  if (first === undefined) return null;
  const silence = silenceOf(activeDays, day, first, calendarOf(outages), SENDER_THRESHOLD_BOUNDS);
  if (silence?.silent !== true) return null;
  const { lastDay, gap, threshold } = silence;
  return { lastDay, gap, threshold };
}

/** Business days since the last day with an event of any account; 0 before the first. */
export function senderGapOf(activeDays: readonly Day[], day: Day, outages: Outages): number {
  const lastDay = activeDays[countUntil(activeDays, day) - 1];
  return lastDay === undefined ? 0 : calendarOf(outages).businessDays(lastDay + 1, day);
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
