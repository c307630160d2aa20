/** Accounts by the beginning of what they are called. Ranges of indexes are read, never a list of names. */
import { type SQL, sql } from "drizzle-orm";

import { foldName } from "../../core/ask/names.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { accounts, names } from "../schema/schema.ts";

/** So many names that begin as asked are looked through: those of users and events lie among those of accounts. */
const MAX_NAMES = 5_000;

/** Sorts behind everything that begins with what stands before it. */
const LAST_CHARACTER = "\u{10ffff}";

/**
 * Selects the numbers of accounts whose external id begins as asked, letter by letter, or whose external id or company
 * name does when case, accents and punctuation don't matter.
 * @param withIdentity whether company names count
 */
export function selectingCalled({ number }: WorkspaceRef, start: string, withIdentity: boolean): SQL {
  const byName = withIdentity
    ? sql`n.source = 'external_id' OR n.source = 'company' AND ${sql.raw(isAgreed(String(number)))}`
    : sql`n.source = 'external_id'`;
  return sql`SELECT a.number FROM ${accounts} a WHERE a.workspace = ${number} AND a.kind IN ('company', 'solo')
    AND a.external_id >= ${start} AND a.external_id < ${start + LAST_CHARACTER}
    UNION SELECT n.subject FROM (${selectingNames(number, start, MAX_NAMES)}) n WHERE n.kind = 'account' AND (${byName})`;
}

/** Selects 1 where more names begin so than are looked through. */
export const selectingUnread = ({ number }: WorkspaceRef, start: string): SQL =>
  sql`SELECT 1 FROM (${selectingNames(number, start, MAX_NAMES + 1)}) LIMIT 1 OFFSET ${sql.raw(String(MAX_NAMES))}`;

function selectingNames(workspace: number, start: string, most: number): SQL {
  const key = foldName(start);
  // Of nothing but punctuation nothing is left, and everything begins with that.
  const range = key === "" ? sql`false` : sql`key >= ${key} AND key < ${key + LAST_CHARACTER}`;
  return sql`SELECT kind, subject, source FROM ${names} WHERE workspace = ${workspace} AND ${range} LIMIT ${sql.raw(String(most))}`;
}
