/** Decodes inbox items that SQL text has selected. */
import type { InboxItem } from "../../core/inbox/model.ts";
import { allColumns, decodeRow, type RawRow } from "../client/columns-of.ts";
import { inboxItems } from "../schema/schema.ts";

export type RawItem = RawRow<typeof inboxItems>;

/** Selects a {@link RawItem} from `inbox_items i`. */
export const ITEM_COLUMNS = allColumns(inboxItems, "i");

export function decodeItem(row: RawItem): InboxItem {
  const { kind, subject, occurrence, openedDay, confirmedDay, resolvedDay, resolution, ...rest } = decodeRow(
    inboxItems,
    row,
  );
  const { severity, confidence, rank, dueAt, evidence } = rest;
  const days = { openedDay, confirmedDay, resolvedDay };
  return { kind, subject, occurrence, ...days, resolution, severity, confidence, rank, dueAt, evidence };
}
