/** Decodes inbox items that SQL text has selected. */
import type { InboxItem } from "../../core/inbox/model.ts";
import { allColumns, decodeRow, type RawRow } from "../client/columns-of.ts";
import { inboxItems } from "../schema/schema.ts";

export type RawItem = RawRow<typeof inboxItems>;

export const ITEM_COLUMNS = allColumns(inboxItems, "i");

export function decodeItem(row: RawItem): InboxItem {
  const { number: _number, id: _id, workspace: _workspace, account: _account, ...item } = decodeRow(inboxItems, row);
  return item;
}
