/**
 * An account's outcomes, day after day: the health of each day, and what becomes of its inbox items. A run replays the
 * days that it has not scored yet, or that something arrived late for, on what stands stored of the day before, so that
 * one run over ninety days comes to what ninety daily runs come to.
 */
import { evaluateDay, explain } from "../health/evaluate-day.ts";
import { measuresOf } from "../health/account-measures.ts";
import {
  type AccountHistory,
  type Day,
  type Health,
  type HealthDay,
  noContext,
  type WorkspaceContext,
} from "../health/model.ts";
import type { InboxItem } from "../inbox/model.ts";
import { stepInbox } from "../inbox/step.ts";

export interface Replay {
  history: AccountHistory;
  /** The first day to judge, and the last complete one. */
  from: Day;
  lastDay: Day;
  /** As stored; those of `from` and later are judged anew. */
  days: readonly HealthDay[];
  items: readonly InboxItem[];
}

export interface Outcome {
  /** From `from` on; none before the account's first day. */
  days: HealthDay[];
  /** All there ever were and are not withdrawn. */
  items: InboxItem[];
  /** As of the last day. */
  health: Health;
}

export function replay(
  { history, from, lastDay, days, items }: Replay,
  contexts: ReadonlyMap<Day, WorkspaceContext>,
): Outcome {
  const measures = measuresOf(history, (day) => contexts.get(day) ?? noContext(day));
  const rows = new Map(days.flatMap((row) => (row.day < from ? [[row.day, row] as const] : [])));
  const rowOf = (day: Day) => rows.get(day);

  let current = itemsBefore(items, from);
  const judged: HealthDay[] = [];
  for (let day = Math.max(from, history.firstDay); day <= lastDay; day++) {
    const row = evaluateDay(measures, day, rowOf);
    current = stepInbox(current, measures, day, row, rowOf);
    rows.set(day, row);
    judged.push(row);
  }
  // An account that is newer than the last complete day has no day yet, and is told as one of which too little is known.
  const newest = judged.at(-1) ?? evaluateDay(measures, lastDay, rowOf);
  return { days: judged, items: current, health: explain(measures, newest, rowOf) };
}

/** The items as they stood before a day, those left out that later turned out never to have been so. */
export function itemsBefore(items: readonly InboxItem[], day: Day): InboxItem[] {
  return items.flatMap((item) => {
    if (item.resolution === "withdrawn" || item.openedDay >= day) return [];
    const stillOpen = item.resolvedDay !== null && item.resolvedDay >= day;
    return {
      ...item,
      confirmedDay: Math.min(item.confirmedDay, day - 1),
      ...(stillOpen ? { resolvedDay: null, resolution: null } : {}),
    };
  });
}

/**
 * What has to be written so that the stored items become those of an outcome. An item that is stored and should never
 * have been is withdrawn: what arrived late shows that it was not so.
 */
export function itemChanges(stored: readonly InboxItem[], items: readonly InboxItem[], day: Day): InboxItem[] {
  const before = new Map(stored.map((item) => [identityOf(item), item]));
  const after = new Map(items.map((item) => [identityOf(item), item]));
  const changed = items.filter((item) => !isSame(before.get(identityOf(item)), item));
  const withdrawn = stored.flatMap((item): InboxItem[] =>
    after.has(identityOf(item)) || item.resolution === "withdrawn"
      ? []
      : [{ ...item, resolvedDay: item.resolvedDay ?? day, resolution: "withdrawn" }],
  );
  return [...changed, ...withdrawn];
}

export const identityOf = ({ kind, subject, occurrence }: InboxItem): string => `${kind} ${subject} ${occurrence}`;

function isSame(a: InboxItem | undefined, b: InboxItem): boolean {
  return a !== undefined && contentOf(a) === contentOf(b);
}

function contentOf({
  kind: _kind,
  subject: _subject,
  occurrence: _occurrence,
  evidence,
  ...content
}: InboxItem): string {
  const values = Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([values, evidence.map(({ code, value, expected, window }) => [code, value, expected, window])]);
}
