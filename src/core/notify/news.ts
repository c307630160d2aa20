/**
 * Decides what is news: changes of outcomes that people want to hear of soon. Only the recompute changes outcomes, and one run at a
 * time, so comparing the stored outcomes with the new ones finds each change exactly once (docs/recompute.md §10).
 */
import type { Day, HealthDay, HealthState } from "../health/model.ts";
import type { InboxItem, Resolution } from "../inbox/model.ts";
import { itemKey } from "../outcome/replay.ts";

/** Changes of earlier days come from late messages. Nobody needs to hear of them now. */
const NEWS_DAYS = 3;

/** Type, subject, day and change identify news: a change that happens twice on a day is told once. */
export type News = ItemNews | HealthNews;

export interface ItemNews extends Pick<InboxItem, "kind" | "subject" | "occurrence"> {
  type: "inbox.opened" | "inbox.resolved";
  day: Day;
  change: Resolution | "";
}

interface HealthNews {
  type: "health.changed";
  day: Day;
  change: HealthState;
  before: HealthState;
}

/**
 * Returns the news about items.
 * @param stored all stored items of the account; `changed` those to write
 * @param lastDay the last complete day
 */
export function itemNews(stored: readonly InboxItem[], changed: readonly InboxItem[], lastDay: Day): ItemNews[] {
  const before = new Map(stored.map((item) => [itemKey(item), item]));
  return recent(
    changed.flatMap((item) => changesOf(item, before.get(itemKey(item)), lastDay)),
    lastDay,
  );
}

function changesOf(item: InboxItem, old: InboxItem | undefined, lastDay: Day): ItemNews[] {
  const { kind, subject, occurrence, openedDay, resolvedDay, resolution } = item;
  const identity = { kind, subject, occurrence };
  const opened = (day: Day): ItemNews => ({ type: "inbox.opened", ...identity, day, change: "" });
  if (resolvedDay === null) {
    if (old === undefined) return [opened(openedDay)];
    // Late messages may open an item again long after its first day.
    return old.resolvedDay === null ? [] : [opened(lastDay)];
  }
  const resolved: ItemNews = { type: "inbox.resolved", ...identity, day: resolvedDay, change: resolution ?? "" };
  // An item that opened and closed between two runs tells both.
  if (old === undefined || old.resolution === "withdrawn") return [opened(openedDay), resolved];
  return old.resolvedDay === null ? [resolved] : [];
}

/**
 * Returns the news about an account's health.
 * @param stored the stored rows; `scored` consecutive rows that replace those of their days
 */
export function healthNews(stored: readonly HealthDay[], scored: readonly HealthDay[], lastDay: Day): HealthNews[] {
  const before = new Map(stored.map(({ day, state }) => [day, state]));
  const states = new Map([...before, ...scored.map(({ day, state }) => [day, state] as const)]);
  const news = scored.flatMap(({ day, state }): HealthNews[] => {
    const earlier = states.get(day - 1);
    if (earlier === undefined || earlier === state || before.get(day) === state) return [];
    return [{ type: "health.changed", day, change: state, before: earlier }];
  });
  return recent(news, lastDay);
}

const recent = <N extends News>(news: readonly N[], lastDay: Day): N[] =>
  news.filter(({ day }) => day > lastDay - NEWS_DAYS);
