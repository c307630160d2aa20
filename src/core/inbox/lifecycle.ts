/**
 * Opens, updates and closes items (docs/inbox.md §12.1). One item is open for each kind and subject. It is updated
 * while its rule finds the problem, its rule closes it, and it may open again later. The items are the only state.
 */
import type { Day } from "../health/model.ts";
import type { InboxItem, ItemKind, Resolution } from "./model.ts";

export const REOPEN_DAYS = 14;

export interface ItemReport {
  subject: string;
  /** `atOnce` doesn't wait for the end of the pause after the last item. */
  opens: "never" | "afterPause" | "atOnce";
  content: Pick<InboxItem, "severity" | "confidence" | "rank" | "dueAt" | "evidence">;
}

/**
 * Advances the items of one kind by a day. Unchanged items are returned as the same objects.
 *
 * @param reports at most one for each subject
 * @param resolutionOf returns why an open item closes; an item that would close at once does not open
 */
export function advanceItems(
  items: readonly InboxItem[],
  kind: ItemKind,
  day: Day,
  reports: readonly ItemReport[],
  resolutionOf: (item: InboxItem) => Resolution | null,
): readonly InboxItem[] {
  const isOfKind = (item: InboxItem) => item.kind === kind;
  if (reports.length === 0 && !items.some((item) => isOfKind(item) && item.resolvedDay === null)) return items;
  const contents = new Map(reports.map(({ subject, content }) => [subject, content]));
  const next = items.map((item) => {
    if (!isOfKind(item) || item.resolvedDay !== null) return item;
    const resolution = resolutionOf(item);
    if (resolution !== null) return { ...item, resolvedDay: day, resolution };
    const content = contents.get(item.subject);
    return content === undefined ? item : { ...item, ...content, confirmedDay: day };
  });
  for (const { subject, opens, content } of reports) {
    if (opens === "never") continue;
    const pause = opens === "atOnce" ? 0 : REOPEN_DAYS;
    const earlier = next.filter((item) => isOfKind(item) && item.subject === subject);
    if (earlier.some(({ resolvedDay }) => resolvedDay === null || day - resolvedDay < pause)) continue;
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
