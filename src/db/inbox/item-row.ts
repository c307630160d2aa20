/** Inbox items on their way back from D1. */
import { CONFIDENCES } from "../../core/health/model.ts";
import { type InboxItem, ITEM_KINDS, RESOLUTIONS, SEVERITIES } from "../../core/inbox/model.ts";
import { oneOf } from "../client/stored-codes.ts";

type Row = Record<string, string | number | null>;

/** @param row with the columns of `inbox_items` */
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
