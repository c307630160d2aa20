/** How responses name the account and the user of a message. */
import type { ColumnNames } from "../client/columns-of.ts";
import type { accounts, users } from "../schema/schema.ts";
import { shownId } from "../users/erased-ids.ts";

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
