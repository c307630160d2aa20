/** What is open in the inbox, as far as nobody has put it aside. */
import type { Entity, NamedItem } from "../../core/ask/model.ts";
import type { Batch } from "../client/batch.ts";
import { statement } from "../client/statements.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../inbox/stored-items.ts";
import { entityIn, identityOf, quotableId } from "./entity-rows.ts";

/** ?2 now. The highest rank first. */
const openItems = (where: string): string => `
SELECT ${ITEM_COLUMNS}, a.id AS accountId, a.external_id AS externalId,
  ${identityOf("account", "i.account", "company")} AS company, coalesce(u.external_id, e.name) AS subjectName
FROM inbox_items i
LEFT JOIN accounts a ON a.number = i.account
LEFT JOIN users u ON i.kind = 'key_user_quiet' AND u.number = CAST(i.subject AS INTEGER)
LEFT JOIN event_names e ON i.kind = 'feature_dropped' AND e.number = CAST(i.subject AS INTEGER)
LEFT JOIN inbox_marks m ON m.item = i.number
WHERE i.workspace = ?1 AND i.resolved_day IS NULL AND m.dismissed_at IS NULL AND coalesce(m.snoozed_until, 0) <= ?2 AND ${where}
ORDER BY i.rank DESC, i.number DESC`;

const OF_WORKSPACE = openItems("TRUE");
const OF_ACCOUNT = openItems("i.account = ?3");

interface ItemRow extends RawItem {
  accountId: string | null;
  externalId: string | null;
  company: string | null;
  subjectName: string | null;
}

/** @param account `null` for all of the workspace */
export function selectItems(batch: Batch, account: Entity | null, now: number): () => NamedItem[] {
  const rows =
    account === null
      ? batch.addStatement(statement<ItemRow>(OF_WORKSPACE, now))
      : batch.addStatement(statement<ItemRow>(OF_ACCOUNT, now, account.number));
  return () =>
    rows().map((row) => ({
      id: String(row.id),
      item: decodeItem(row),
      account:
        row.accountId === null
          ? null
          : entityIn({
              kind: "account",
              number: row.account ?? 0,
              id: row.accountId,
              external_id: row.externalId ?? "",
              name: row.company,
            }),
      subjectName: row.subjectName === null ? null : quotableId(row.subjectName),
    }));
}
