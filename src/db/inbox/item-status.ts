/** The status of an item, as a condition on `inbox_items` joined with `inbox_marks`. */
import { and, gt, isNotNull, isNull, lte, or, type SQL } from "drizzle-orm";

import { inboxItems, inboxMarks } from "../schema/schema.ts";

export const ITEM_STATUSES = ["open", "resolved", "snoozed", "dismissed"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/**
 * Whether an item has a status. Every item has exactly one: a resolved item stays resolved, whatever its marks.
 * @param now decides which snoozes are over, in milliseconds since the epoch
 */
export function inStatus(status: ItemStatus, now: number): SQL | undefined {
  if (status === "resolved") return isNotNull(inboxItems.resolvedDay);
  const unresolved = isNull(inboxItems.resolvedDay);
  if (status === "dismissed") return and(unresolved, isNotNull(inboxMarks.dismissedAt));
  const kept = and(unresolved, isNull(inboxMarks.dismissedAt));
  return status === "snoozed"
    ? and(kept, gt(inboxMarks.snoozedUntil, now))
    : and(kept, or(isNull(inboxMarks.snoozedUntil), lte(inboxMarks.snoozedUntil, now)));
}
