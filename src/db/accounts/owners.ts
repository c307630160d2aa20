/** Says who looks after an account. Owners have their own table, because the recompute never writes or scores by them. */
import { eq, type SQL, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { accountOwners, accounts, inboxItems } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";
import { numberOf } from "./account-details.ts";
import { type Act, forgetOldActivities, logActivity } from "./activities.ts";
import { type AccountSummary, accountColumn } from "./subjects.ts";

/**
 * Sets an account's owner, logs a change, and reads the account, in one transaction.
 * @param id internal or external; `owner` of `null` removes the owner
 * @returns `null` for an unknown account
 */
export async function markOwner(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  owner: string | null,
  act: Act,
): Promise<(AccountSummary & { owner: string | null }) | null> {
  const [found] = await markOwners(env, workspace, sql`SELECT ${numberOf(workspace, id)} AS account`, owner, act);
  return found ?? null;
}

/** Sets the owner of the accounts of items. @returns the accounts; unknown items have none */
export const markOwnersOfItems = (
  env: Env,
  workspace: WorkspaceRef,
  ids: readonly string[],
  owner: string | null,
  act: Act,
) =>
  markOwners(
    env,
    workspace,
    sql`SELECT ${inboxItems.account} AS account FROM ${inboxItems}
      WHERE ${inboxItems.workspace} = ${workspace.number}
        AND ${inboxItems.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    owner,
    act,
  );

/** @param numbers a query of the accounts' numbers */
async function markOwners(env: Env, workspace: WorkspaceRef, numbers: SQL, owner: string | null, act: Act) {
  const db = databaseOf(env, workspace);
  const areNamed = sql`${accounts.number} IN (${numbers})`;
  const account = sql`${accounts.number}`;
  const changed = sql`FROM ${accounts} LEFT JOIN ${accountOwners} ON ${accountOwners.account} = ${account}
    WHERE ${areNamed} AND ${accountOwners.owner} IS NOT ${owner}`;
  const change =
    owner === null
      ? db.delete(accountOwners).where(sql`${accountOwners.account} IN (${numbers})`)
      : db
          .insert(accountOwners)
          .select(sql`SELECT ${account}, ${owner} ${changed}`)
          .onConflictDoUpdate({ target: accountOwners.account, set: { owner } });
  const [, , , found] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      logActivity(db, { ...act, action: "owner", detail: owner }, { account, item: sql`0`, found: changed }),
      change,
      db
        .select({ account: accountColumn, owner: accountOwners.owner })
        .from(accounts)
        .leftJoin(accountOwners, eq(accountOwners.account, accounts.number))
        .where(areNamed),
      forgetOldActivities(db, numbers),
    ]),
  );
  return found.flatMap((one) => (one.account === null ? [] : [{ ...one.account, owner: one.owner }]));
}
