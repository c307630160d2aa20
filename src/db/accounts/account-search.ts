/** Finds accounts whose name starts with a text. Reads ranges of indexes, never a list of all names. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/names.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { accounts, names } from "../schema/schema.ts";

/** The most matching names that are read. Names of users and events lie between those of accounts. */
const MAX_NAMES = 5_000;

/** Sorts after every continuation of a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

const a = alias(accounts, "a");

/**
 * Selects the numbers of accounts whose external id starts with the text, or whose external id or company name does when
 * case, accents and punctuation are ignored.
 * @param withIdentity whether company names match
 */
export function accountNumbersQuery({ number }: WorkspaceRef, start: string, withIdentity: boolean): SQL {
  const byName = withIdentity
    ? sql`n.source = 'external_id' OR n.source = 'company' AND ${sql.raw(isAgreed(String(number)))}`
    : sql`n.source = 'external_id'`;
  return sql`SELECT ${a.number} FROM ${accounts} a WHERE ${a.workspace} = ${number} AND ${a.kind} IN ('company', 'solo')
    AND ${a.externalId} >= ${start} AND ${a.externalId} < ${start + LAST_CHARACTER}
    UNION SELECT n.subject FROM (${namesQuery(number, start, MAX_NAMES)}) n WHERE n.kind = 'account' AND (${byName})`;
}

/** Selects 1 when more names match than are read. */
export const unreadNamesQuery = ({ number }: WorkspaceRef, start: string): SQL =>
  sql`SELECT 1 FROM (${namesQuery(number, start, MAX_NAMES + 1)}) LIMIT 1 OFFSET ${sql.raw(String(MAX_NAMES))}`;

function namesQuery(workspace: number, start: string, limit: number): SQL {
  const key = foldName(start);
  // A text of punctuation only folds to nothing, which every name starts with.
  const range = key === "" ? sql`false` : sql`${names.key} >= ${key} AND ${names.key} < ${key + LAST_CHARACTER}`;
  return sql`SELECT ${names.kind}, ${names.subject}, ${names.source} FROM ${names}
    WHERE ${names.workspace} = ${workspace} AND ${range} LIMIT ${sql.raw(String(limit))}`;
}
