/** Inbox items on their way to D1. */
import type { InboxItem } from "../../core/inbox/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { inParts, mayWrite, type Session, type Statement } from "./session.ts";

export interface AccountItems {
  account: number;
  items: readonly InboxItem[];
}

/** Opens, updates and closes: an item keeps its id for as long as account, kind, subject and occurrence are the same. */
export function writingItems(
  session: Session,
  workspace: WorkspaceRef,
  accounts: readonly AccountItems[],
): Statement[] {
  const rows = accounts.flatMap(({ account, items }) =>
    items.map((item) => [
      account,
      item.kind,
      item.subject,
      item.occurrence,
      item.openedDay,
      item.confirmedDay,
      item.resolvedDay,
      item.resolution,
      item.severity,
      item.confidence,
      item.rank,
      item.dueAt,
      JSON.stringify(item.evidence),
    ]),
  );
  return inParts(rows).map((part) => [UPSERT_ITEMS, workspace.number, part, session.holder]);
}

const COLUMNS = [
  "opened_day",
  "confirmed_day",
  "resolved_day",
  "resolution",
  "severity",
  "confidence",
  "rank",
  "due_at",
  "evidence",
];

const UPSERT_ITEMS = `
INSERT INTO inbox_items (id, workspace, account, kind, subject, occurrence, ${COLUMNS.join(", ")})
SELECT 'itm_' || lower(hex(randomblob(12))), ?1, ${Array.from({ length: 4 + COLUMNS.length }, (_, place) => `value ->> ${place}`).join(", ")}
FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (workspace, account, kind, subject, occurrence) DO UPDATE
SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${COLUMNS.join(", ")}) IS NOT (${COLUMNS.map((column) => `excluded.${column}`).join(", ")})`;
