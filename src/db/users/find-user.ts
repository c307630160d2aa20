import { and, desc, eq, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";

import { accountColumn, traitsQuery } from "../accounts/subjects.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { accounts, memberships, users } from "../schema/schema.ts";
import { shownIdOf } from "./erased-ids.ts";

const MAX_MEMBERSHIPS = 200;

/**
 * Finds a user by internal id, else by external id: a sender's id that looks like an internal one must not hide the user
 * with that internal id.
 * @returns `identity` is `null` when nothing is attached or the reader may not see it. `account` is the account of
 *   messages that name no account, and its `via` says how the user got it
 */
export async function findUser(env: Env, workspace: WorkspaceRef, id: string, withIdentity: boolean) {
  const numberBy = (column: typeof users.id | typeof users.externalId) =>
    new QueryBuilder()
      .select({ number: users.number })
      .from(users)
      .where(and(eq(users.workspace, workspace.number), eq(column, id)));
  const number = sql`coalesce(${numberBy(users.id)}, ${numberBy(users.externalId)})`;
  const [[row], grouped, traits] = await readQueries(env, workspace, (db) => [
    db
      .select({
        id: users.id,
        externalId: shownIdOf(users.externalId).as("external_id"),
        account: accountColumn,
        via: users.accountVia,
        createdAt: users.createdAt,
        identity: identityColumn(workspace, "user", users.number, withIdentity),
      })
      .from(users)
      .leftJoin(accounts, eq(accounts.number, users.account))
      .where(sql`${users.number} = ${number}`),
    db
      .select({
        account: {
          id: accounts.id,
          externalId: shownIdOf(accounts.externalId).as("external_id"),
          kind: accounts.kind,
        },
        groupedAt: memberships.groupedAt,
      })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.number, memberships.account))
      .where(sql`${memberships.user} = ${number}`)
      .orderBy(desc(memberships.groupedAt), desc(memberships.groupedSeq))
      .limit(MAX_MEMBERSHIPS),
    traitsQuery(db, "user", number),
  ]);
  if (row === undefined) return null;
  const { account, via, ...user } = row;
  return {
    ...user,
    account: account && via && { ...account, via },
    memberships: grouped,
    // Avoids assignment, because a trait may be called __proto__.
    traits: Object.fromEntries(traits.map(({ key, value }) => [key, value])),
  };
}
