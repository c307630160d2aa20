/** Finds accounts while somebody types: those whose names begin so, or a word of them, and those of users with such a name. */
import { and, asc, sql } from "drizzle-orm";

import { foldName } from "../../core/ask/normalize-names.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { type Identity, identityColumn } from "../identity/read-identity.ts";
import { accounts, names, users } from "../schema/schema.ts";
import { shownIdOf } from "../users/erased-ids.ts";
import { isShownName, name } from "./account-conditions.ts";
import { accountsQuery, isNotSuperseded } from "./list-accounts.ts";

const MAX_HITS = 10;
/** A read looks at so many names. One letter may begin all names of a workspace. */
const MAX_NAMES = 1_000;
const LAST = "\u{10ffff}";

type FoundUser = { externalId: string | null; identity: Identity | null };
const readUser = (json: string): FoundUser | null => JSON.parse(json);

/**
 * @param withIdentity whether names of companies and people match
 * @returns the accounts, each with the user by whose name alone it was found
 */
export async function findAccounts(env: Env, workspace: WorkspaceRef, text: string, withIdentity: boolean) {
  const { number } = workspace;
  const words = foldName(text);
  // A new account has its names in the index only after the fold.
  const byId = sql`SELECT ${accounts.number} AS account, NULL AS user, '' AS key FROM ${accounts}
    WHERE ${accounts.workspace} = ${number} AND ${accounts.externalId} >= ${text} AND ${accounts.externalId} < ${text + LAST}
    LIMIT ${MAX_HITS}`;
  const byName = sql`SELECT kind, subject, key FROM ${names} name
    WHERE ${name.workspace} = ${number} AND ${name.key} >= ${words} AND ${name.key} < ${words + LAST} AND ${words} <> ''
      AND ${isShownName(workspace, withIdentity)} LIMIT ${MAX_NAMES}`;
  // SQLite takes the user from the row with the least key: an account's own names come before those of its users.
  const hits = sql`(SELECT account, user, min(key) AS key FROM (
    SELECT * FROM (${byId}) UNION ALL
    SELECT iif(kind = 'account', subject, (SELECT ${users.account} FROM ${users} WHERE ${users.number} = subject)),
      iif(kind = 'user', subject, NULL), kind || key
    FROM (${byName})
  ) GROUP BY account ORDER BY key LIMIT ${MAX_HITS}) AS hit`;
  const user = sql`(SELECT json_object('externalId', ${shownIdOf(users.externalId)},
      'identity', json(${identityColumn(workspace, "user", users.number, withIdentity).sql}))
    FROM ${users} WHERE ${users.number} = hit.user)`;
  const [found] = await readQueries(env, workspace, (db) => [
    accountsQuery(db, workspace, { withIdentity }, { user: user.mapWith(readUser).as("hit_user") })
      .innerJoin(hits, sql`hit.account = ${accounts.number}`)
      .where(and(isNotSuperseded, sql`${accounts.externalId} >= ' '`))
      .orderBy(asc(accounts.externalId)),
  ]);
  return found;
}

export type FoundAccount = Awaited<ReturnType<typeof findAccounts>>[number];
