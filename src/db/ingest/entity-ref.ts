/** How responses name the account and the user of a message. */
import { type ColumnNames, columnsOf } from "../client/columns-of.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { shownId } from "../users/erased-ids.ts";
import { oneLine } from "./ingest-fragments-sql.ts";

export interface EntityRef {
  id: string;
  /** `null` for a user who was erased, and for their personal account: duplicates still name them. */
  externalId: string | null;
}

/** An account and a user, with the numbers of their rows; all `null` where there is none. */
export interface EntityRow {
  account: number | null;
  accountId: string | null;
  accountExternalId: string | null;
  user: number | null;
  userId: string | null;
  userExternalId: string | null;
}

export const entityColumns = (
  a: ColumnNames<typeof accounts>,
  u: ColumnNames<typeof users>,
): string => `${a.number} AS account, ${a.id} AS accountId, ${a.externalId} AS accountExternalId,
  ${u.number} AS user, ${u.id} AS userId, ${u.externalId} AS userExternalId`;

export const entitiesOf = (row: Partial<EntityRow> = {}) => ({
  account: entityRef(row.accountId, row.accountExternalId),
  user: entityRef(row.userId, row.userExternalId),
});

function entityRef(id: string | null = null, externalId: string | null = null): EntityRef | null {
  return id === null || externalId === null ? null : { id, externalId: shownId(externalId) };
}

const a = columnsOf(accounts, "a");
const l = columnsOf(messages, "l");
const u = columnsOf(users, "u");

/** Selects the account and the user of a message, as an `EntityRow`. ?1 the workspace's number, ?2 the source, ?3 the message id. */
export const SELECT_ANSWER = oneLine`
SELECT ${entityColumns(a, u)} FROM ${l.table}
LEFT JOIN ${a.table} ON ${a.number} = ${l.account}
LEFT JOIN ${u.table} ON ${u.number} = ${l.user}
WHERE ${l.workspace} = ?1 AND ${l.source} = ?2 AND ${l.messageId} = ?3`;
