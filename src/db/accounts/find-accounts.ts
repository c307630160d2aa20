/** Finds accounts while somebody types: those whose names begin so, or a word of them, and those of users with such a name. */
import { and, asc, inArray, sql } from "drizzle-orm";

import { foldName } from "../../core/ask/normalize-names.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { accounts, names, users } from "../schema/schema.ts";
import { isShownName, name } from "./account-conditions.ts";
import { accountsQuery, isNotSuperseded } from "./list-accounts.ts";

const MAX_HITS = 10;
/** A read looks at so many names. One letter may begin all names of a workspace. */
const MAX_NAMES = 1_000;
const LAST = "\u{10ffff}";

/** @param withIdentity whether names of companies and people match */
export async function findAccounts(env: Env, workspace: WorkspaceRef, text: string, withIdentity: boolean) {
  const { number } = workspace;
  const words = foldName(text);
  // A new account has its names in the index only after the fold.
  const byId = sql`SELECT ${accounts.number} AS account, '' AS key FROM ${accounts}
    WHERE ${accounts.workspace} = ${number} AND ${accounts.externalId} >= ${text} AND ${accounts.externalId} < ${text + LAST}
    LIMIT ${MAX_HITS}`;
  const byName = sql`SELECT kind, subject, key FROM ${names} name
    WHERE ${name.workspace} = ${number} AND ${name.key} >= ${words} AND ${name.key} < ${words + LAST} AND ${words} <> ''
      AND ${isShownName(workspace, withIdentity)} LIMIT ${MAX_NAMES}`;
  const hits = sql`(SELECT account FROM (
    SELECT * FROM (${byId}) UNION ALL
    SELECT iif(kind = 'account', subject, (SELECT ${users.account} FROM ${users} WHERE ${users.number} = subject)), kind || key
    FROM (${byName})
  ) GROUP BY account ORDER BY min(key) LIMIT ${MAX_HITS})`;
  const [found] = await readQueries(env, workspace, (db) => [
    accountsQuery(db, workspace, { withIdentity }, {})
      .where(and(inArray(accounts.number, hits), isNotSuperseded, sql`${accounts.externalId} >= ' '`))
      .orderBy(asc(accounts.externalId)),
  ]);
  return found;
}

export type FoundAccount = Awaited<ReturnType<typeof findAccounts>>[number];
