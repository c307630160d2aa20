/** Searches the console's list of accounts. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/names.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { accounts, names } from "../schema/schema.ts";

const n = alias(names, "n");

/**
 * Matches accounts whose external id contains the text, or whose id or company name has a word that starts with it,
 * whatever its case, accents and punctuation. Reads only the names of each account itself.
 * @param withIdentity whether company names match
 */
export function matchesSearch({ number }: WorkspaceRef, text: string, withIdentity: boolean): SQL {
  // Ids of erased accounts begin with a control character.
  const byId = sql`${accounts.externalId} >= ' ' AND instr(lower(${accounts.externalId}), lower(${text})) > 0`;
  const words = foldName(text);
  if (words === "") return sql`(${byId})`;
  const sources = withIdentity
    ? sql`${n.source} = 'external_id' OR ${n.source} = 'company' AND ${sql.raw(isAgreed(String(number)))}`
    : sql`${n.source} = 'external_id'`;
  return sql`(${byId} OR EXISTS (SELECT 1 FROM ${names} n WHERE ${n.workspace} = ${number} AND ${n.kind} = 'account'
    AND ${n.subject} = ${accounts.number} AND (${sources}) AND instr(' ' || ${n.key}, ${` ${words}`}) > 0))`;
}
