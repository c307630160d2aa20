/**
 * Selects the account and the user of a message as responses name them. The statement is SQL text because it belongs to
 * the ingest transaction.
 */
import { type ColumnNames, columnsOf } from "../client/columns-of.ts";
import { nullable } from "../client/expression.ts";
import { prepareQuery, type RowOf } from "../client/prepare.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { shownId } from "../users/erased-ids.ts";
import { oneLine } from "./ingest-fragments-sql.ts";

export interface EntityRef {
  id: string;
  /** `null` for a user who was erased, and for their personal account: duplicates still name them. */
  externalId: string | null;
}

/** The columns of an account and a user, with the numbers of their rows; all `null` if the row doesn't exist. */
export const entityColumns = (account: ColumnNames<typeof accounts>, user: ColumnNames<typeof users>) => ({
  account: nullable(account.number),
  accountId: nullable(account.id),
  accountExternalId: nullable(account.externalId),
  user: nullable(user.number),
  userId: nullable(user.id),
  userExternalId: nullable(user.externalId),
});

export type EntityRow = RowOf<ReturnType<typeof entityColumns>>;

export const entitiesOf = (row: Partial<EntityRow> = {}) => ({
  account: entityRef(row.accountId, row.accountExternalId),
  user: entityRef(row.userId, row.userExternalId),
});

function entityRef(id: string | null = null, externalId: string | null = null): EntityRef | null {
  return id === null || externalId === null ? null : { id, externalId: shownId(externalId) };
}

const account = columnsOf(accounts, "account");
const message = columnsOf(messages, "message");
const user = columnsOf(users, "user");

/** Selects the account and the user of a message, at the end of the transaction that stores it. */
export const SELECT_ANSWER = prepareQuery(
  entityColumns(account, user),
  (columns) => oneLine`
SELECT ${columns} FROM ${message.table}
LEFT JOIN ${account.table} ON ${account.number} = ${message.account}
LEFT JOIN ${user.table} ON ${user.number} = ${message.user}
WHERE ${message.workspace} = :workspace AND ${message.source} = :source AND ${message.messageId} = :messageId`,
);
