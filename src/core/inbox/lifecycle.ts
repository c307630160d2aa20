/**
 * The life of an item (docs/health.md §12.1): one is open for each kind and subject, it is kept up to date while its
 * trigger holds, its own rule closes it, and it may open again a while after. Nothing is remembered but the items.
 */
import type { Day } from "../health/model.ts";
import type { InboxItem, ItemKind, Resolution } from "./model.ts";

/** So long after it was closed, an item of the same kind and subject may open again. */
export const REOPEN_DAYS = 14;

/** What there is to tell of one subject as of a day. */
export interface Told {
  subject: string;
  /** Whether it is news enough to open an item. */
  isNews: boolean;
  content: Pick<InboxItem, "severity" | "confidence" | "rank" | "dueAt" | "evidence">;
}

/**
 * Takes the items of one kind a day further, and leaves all others as they are. What doesn't change is returned as
 * the same object.
 *
 * @param told what holds as of the day, one at most for each subject
 * @param resolutionOf why an open item is to be closed; what would be closed at once isn't opened
 */
export function advance(
  items: readonly InboxItem[],
  kind: ItemKind,
  day: Day,
  told: readonly Told[],
  resolutionOf: (item: InboxItem) => Resolution | null,
): readonly InboxItem[] {
  const isOfKind = (item: InboxItem) => item.kind === kind;
  if (told.length === 0 && !items.some((item) => isOfKind(item) && item.resolvedDay === null)) return items;
  const contents = new Map(told.map(({ subject, content }) => [subject, content]));
  const next = items.map((item) => {
    if (!isOfKind(item) || item.resolvedDay !== null) return item;
    const resolution = resolutionOf(item);
    if (resolution !== null) return { ...item, resolvedDay: day, resolution };
    const content = contents.get(item.subject);
    return content === undefined ? item : { ...item, ...content, confirmedDay: day };
  });
  for (const { subject, isNews, content } of told) {
    if (!isNews) continue;
    const earlier = next.filter((item) => isOfKind(item) && item.subject === subject);
    if (earlier.some(({ resolvedDay }) => resolvedDay === null || day - resolvedDay < REOPEN_DAYS)) continue;
    const item: InboxItem = {
      kind,
      subject,
      occurrence: 1 + Math.max(0, ...earlier.map(({ occurrence }) => occurrence)),
      openedDay: day,
      confirmedDay: day,
      resolvedDay: null,
      resolution: null,
      ...content,
    };
    if (resolutionOf(item) === null) next.push(item);
  }
  return next;
}
