/** What is open in the inbox, as far as nobody has put it aside. */
import type { Entity, NamedItem } from "../../core/ask/model.ts";
import type { Batch } from "../client/batch.ts";
import { readItem } from "../inbox/item-row.ts";
import { entityIn, identityOf, quotableId } from "./entity-rows.ts";

/** ?2 now. The highest rank first. */
const openItems = (where: string): string => `
SELECT i.*, a.id AS account_id, a.external_id, ${identityOf("account", "i.account", "company")} AS company,
  coalesce(u.external_id, e.name) AS subject_name
FROM inbox_items i
LEFT JOIN accounts a ON a.number = i.account
LEFT JOIN users u ON i.kind = 'key_user_quiet' AND u.number = CAST(i.subject AS INTEGER)
LEFT JOIN event_names e ON i.kind = 'feature_dropped' AND e.number = CAST(i.subject AS INTEGER)
LEFT JOIN inbox_marks m ON m.item = i.number
WHERE i.workspace = ?1 AND i.resolved_day IS NULL AND m.dismissed_at IS NULL AND coalesce(m.snoozed_until, 0) <= ?2 AND ${where}
ORDER BY i.rank DESC, i.number DESC`;

const OF_WORKSPACE = openItems("TRUE");
const OF_ACCOUNT = openItems("i.account = ?3");

/** @param account `null` for all of the workspace */
export function selectItems(batch: Batch, account: Entity | null, now: number): () => NamedItem[] {
  const rows = account === null ? batch.add(OF_WORKSPACE, now) : batch.add(OF_ACCOUNT, now, account.number);
  return () =>
    rows().map((row) => ({
      id: String(row["id"]),
      item: readItem(row),
      account:
        row["account_id"] == null
          ? null
          : entityIn({
              kind: "account",
              number: row["account"] ?? 0,
              id: row["account_id"],
              external_id: row["external_id"] ?? "",
              name: row["company"] ?? null,
            }),
      subjectName: row["subject_name"] == null ? null : quotableId(String(row["subject_name"])),
    }));
}
