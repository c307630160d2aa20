/** The account and the user of a joined row. The columns have aliases, because a batch returns rows by column name. */
import { sql } from "drizzle-orm";

import { entitiesOf, type EntityRef } from "../ingest/entity-ref.ts";
import { accounts, users } from "../schema/schema.ts";

export interface AccountSummary extends EntityRef {
  kind: "company" | "solo";
}

export const subjectColumns = {
  accountId: sql<string | null>`${accounts.id}`.as("account_id"),
  accountExternalId: sql<string | null>`${accounts.externalId}`.as("account_external_id"),
  accountKind: sql<AccountSummary["kind"] | null>`${accounts.kind}`.as("account_kind"),
  userId: sql<string | null>`${users.id}`.as("user_id"),
  userExternalId: sql<string | null>`${users.externalId}`.as("user_external_id"),
};

type SubjectColumns = typeof subjectColumns;

/** Replaces the columns of a row by its account and user, which are `null` where the join found none. */
export function withSubjects<Row extends { [Name in keyof SubjectColumns]: SubjectColumns[Name]["_"]["type"] }>({
  accountId,
  accountExternalId,
  accountKind,
  userId,
  userExternalId,
  ...row
}: Row): Omit<Row, keyof SubjectColumns> & { account: AccountSummary | null; user: EntityRef | null } {
  const { account, user } = entitiesOf({ accountId, accountExternalId, userId, userExternalId });
  return {
    ...row,
    account: account && accountKind ? { ...account, kind: accountKind } : null,
    user,
  };
}
