/** Says who looks after an account. Owners have their own table, because the recompute never writes or scores by them. */
import { eq, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { accountOwners, accounts } from "../schema/schema.ts";
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
  const db = databaseOf(env, workspace);
  const isNamed = sql`${accounts.number} = ${numberOf(workspace, id)}`;
  const account = sql`${accounts.number}`;
  const changed = sql`FROM ${accounts} LEFT JOIN ${accountOwners} ON ${accountOwners.account} = ${account}
    WHERE ${isNamed} AND ${accountOwners.owner} IS NOT ${owner}`;
  const change =
    owner === null
      ? db.delete(accountOwners).where(sql`${accountOwners.account} = ${numberOf(workspace, id)}`)
      : db
          .insert(accountOwners)
          .select(sql`SELECT ${account}, ${owner} ${changed}`)
          .onConflictDoUpdate({ target: accountOwners.account, set: { owner } });
  const [, , , [found]] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      logActivity(db, { ...act, action: "owner", detail: owner }, { account, item: sql`0`, found: changed }),
      change,
      db
        .select({ account: accountColumn, owner: accountOwners.owner })
        .from(accounts)
        .leftJoin(accountOwners, eq(accountOwners.account, accounts.number))
        .where(isNamed),
      forgetOldActivities(db, sql`SELECT ${numberOf(workspace, id)} AS account`),
    ]),
  );
  return found?.account ? { ...found.account, owner: found.owner } : null;
}
