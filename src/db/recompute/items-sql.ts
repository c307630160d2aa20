/** Writes inbox items. */
import type { InboxItem } from "../../core/inbox/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, type Statement, statement } from "../client/statements.ts";
import { inboxItems } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface AccountItems {
  account: number;
  items: readonly InboxItem[];
}

/** Builds statements that open, update and resolve items. An item keeps its id while its identity stays the same. */
export function upsertItems(session: Session, workspace: WorkspaceRef, accounts: readonly AccountItems[]): Statement[] {
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
  return jsonParts(rows).map((part) => statement(UPSERT_ITEMS, workspace.number, part, session.holder));
}

const i = columnsOf(inboxItems);
const IDENTITY = [i.account, i.kind, i.subject, i.occurrence];
const CONTENT = [
  i.openedDay,
  i.confirmedDay,
  i.resolvedDay,
  i.resolution,
  i.severity,
  i.confidence,
  i.rank,
  i.dueAt,
  i.evidence,
];
const COLUMNS = [...IDENTITY, ...CONTENT];

const UPSERT_ITEMS = `
INSERT INTO ${i.table} (${i.id}, ${i.workspace}, ${COLUMNS.join(", ")})
SELECT 'itm_' || lower(hex(randomblob(12))), ?1, ${COLUMNS.map((_, place) => `value ->> ${place}`).join(", ")}
FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${i.workspace}, ${IDENTITY.join(", ")}) DO UPDATE
SET ${CONTENT.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${CONTENT.join(", ")}) IS NOT (${CONTENT.map((column) => `excluded.${column}`).join(", ")})`;
