/** Reads identity traits of accounts and users. They are shown only while the agreement is in force. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { IDENTITY_KEYS, type IdentityKey } from "../../core/identity/identity-request.ts";
import { isAgreed } from "./agreement-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { identityTraits } from "../schema/schema.ts";

export type Identity = { [Key in IdentityKey]?: string };

const trait = alias(identityTraits, "trait");

/**
 * Builds a column of the attached traits: `null` when nothing is attached.
 * @param subject the number of the account or user, in SQL
 * @param withIdentity whether the reader may see the traits; if not, the column is `null`
 */
export const identityColumn = (
  workspace: WorkspaceRef,
  kind: "account" | "user",
  subject: SQL | { getSQL(): SQL },
  withIdentity: boolean,
) =>
  (withIdentity
    ? sql`(SELECT json_group_object(${trait.key}, ${trait.value}) FROM ${identityTraits} trait
        WHERE ${trait.workspace} = ${workspace.number} AND ${trait.subjectKind} = ${kind} AND ${trait.subject} = ${subject}
          AND ${sql.raw(isAgreed(String(workspace.number)))})`
    : sql`NULL`
  )
    .mapWith(toIdentity)
    .as("identity");

function toIdentity(column: string): Identity | null {
  const attached: Record<string, string> = JSON.parse(column);
  const entries = IDENTITY_KEYS.flatMap((key) => (attached[key] === undefined ? [] : [[key, attached[key]] as const]));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
