/** Inbox items on their way to D1 and back. */
import { CONFIDENCES } from "../../core/health/model.ts";
import { type InboxItem, ITEM_KINDS, RESOLUTIONS, SEVERITIES } from "../../core/inbox/model.ts";
import type { WorkspaceRef } from "../database.ts";
import { inParts, mayWrite, type Row, type Session, type Statement } from "./session.ts";

export interface AccountItems {
  account: number;
  items: readonly InboxItem[];
}

export function readItem(row: Row): InboxItem {
  return {
    kind: oneOf(ITEM_KINDS, row["kind"]),
    subject: String(row["subject"]),
    occurrence: Number(row["occurrence"]),
    openedDay: Number(row["opened_day"]),
    confirmedDay: Number(row["confirmed_day"]),
    resolvedDay: row["resolved_day"] == null ? null : Number(row["resolved_day"]),
    resolution: row["resolution"] == null ? null : oneOf(RESOLUTIONS, row["resolution"]),
    severity: oneOf(SEVERITIES, row["severity"]),
    confidence: oneOf(CONFIDENCES, row["confidence"]),
    rank: Number(row["rank"]),
    dueAt: row["due_at"] == null ? null : Number(row["due_at"]),
    evidence: JSON.parse(String(row["evidence"])),
  };
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

export function oneOf<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`a row holds a code that is none of ${known.join(", ")}`);
  return found;
}
