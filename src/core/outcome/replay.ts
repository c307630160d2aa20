/**
 * Computes an account's outcomes day by day: its health and its inbox items. A run replays the days that are not scored yet
 * or that received late messages. It starts from the stored outcomes of the day before, so one run over 90 days gives the
 * same as 90 daily runs.
 */
import { scoreDay } from "../health/score-day.ts";
import { explain } from "../health/reasons.ts";
import { measuresOf } from "../health/measures.ts";
import {
  type AccountHistory,
  type Day,
  type Health,
  type HealthDay,
  noContext,
  type WorkspaceContext,
} from "../health/model.ts";
import type { InboxItem } from "../inbox/model.ts";
import { advanceAccountItems } from "../inbox/advance-day.ts";

export interface ReplayStart {
  history: AccountHistory;
  /** The first day to score. */
  from: Day;
  /** The stored rows, ascending: those that scoring looks back at, and those of `from` and later, which are replaced. */
  days: readonly HealthDay[];
  items: readonly InboxItem[];
}

export interface ReplayedOutcome {
  /** The rows from `from` on. There are none before the account's first day. */
  days: HealthDay[];
  /** All items, open and resolved, except withdrawn ones. */
  items: InboxItem[];
  health: Health;
}

/** @param lastDay the last complete day */
export function replay(
  { history, from, days, items }: ReplayStart,
  lastDay: Day,
  contexts: ReadonlyMap<Day, WorkspaceContext>,
): ReplayedOutcome {
  const measures = measuresOf(history, (day) => contexts.get(day) ?? noContext(day));
  const rows = new Map(days.flatMap((row) => (row.day < from ? [[row.day, row] as const] : [])));
  const rowOf = (day: Day) => rows.get(day);

  let current = itemsBefore(items, from);
  const scored: HealthDay[] = [];
  for (let day = Math.max(from, history.firstDay); day <= lastDay; day++) {
    const row = scoreDay(measures, day, rowOf);
    current = advanceAccountItems(current, measures, day, row, rowOf);
    rows.set(day, row);
    scored.push(row);
  }
  // An account that is newer than the last complete day has no row yet. Its health is `insufficient_data`.
  const newest = scored.at(-1) ?? scoreDay(measures, lastDay, rowOf);
  return { days: scored, items: current, health: explain(measures, newest, rowOf) };
}

/** Returns the items as they were before a day, without withdrawn ones; unchanged ones as the same objects. */
export function itemsBefore(items: readonly InboxItem[], day: Day): InboxItem[] {
  return items.flatMap((item) => {
    if (item.resolution === "withdrawn" || item.openedDay >= day) return [];
    const wasOpen = item.resolvedDay !== null && item.resolvedDay >= day;
    if (!wasOpen && item.confirmedDay < day) return [item];
    return {
      ...item,
      confirmedDay: Math.min(item.confirmedDay, day - 1),
      ...(wasOpen ? { resolvedDay: null, resolution: null } : {}),
    };
  });
}

/**
 * Returns the items to write, so that the stored items become those of an outcome: all but the stored objects themselves. A
 * stored item that is not in the outcome is withdrawn: late messages showed that it should not have opened.
 */
export function itemChanges(stored: readonly InboxItem[], items: readonly InboxItem[], day: Day): InboxItem[] {
  const before = new Set(stored);
  const after = new Set(items.map(itemKey));
  const changed = items.filter((item) => !before.has(item));
  const withdrawn = stored.flatMap((item): InboxItem[] =>
    after.has(itemKey(item)) || item.resolution === "withdrawn"
      ? []
      : [{ ...item, resolvedDay: item.resolvedDay ?? day, resolution: "withdrawn" }],
  );
  return [...changed, ...withdrawn];
}

export const itemKey = ({ kind, subject, occurrence }: InboxItem): string => `${kind} ${subject} ${occurrence}`;
