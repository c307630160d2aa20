/** Reads identity traits of accounts and users. They are shown only while the agreement is in force. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { IDENTITY_KEYS, type IdentityKey } from "../../core/identity/identity-request.ts";
import { isAgreed } from "./agreement-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { identityTraits } from "../schema/schema.ts";

export type Identity = { [Key in IdentityKey]?: string };

const i = alias(identityTraits, "i");

/**
 * Builds a column that selects the attached traits as JSON, or NULL.
 * @param subject the number of the account or user, in SQL
 * @param withIdentity whether the reader may see the traits; if not, the column is NULL
 */
export const identityColumn = (
  workspace: WorkspaceRef,
  kind: "account" | "user",
  subject: SQL | { getSQL(): SQL },
  withIdentity: boolean,
) =>
  withIdentity
    ? sql<string | null>`(SELECT json_group_object(${i.key}, ${i.value}) FROM ${identityTraits} i
        WHERE ${i.workspace} = ${workspace.number} AND ${i.subjectKind} = ${kind} AND ${i.subject} = ${subject}
          AND ${sql.raw(isAgreed(String(workspace.number)))})`.as("identity")
    : sql<string | null>`NULL`.as("identity");

/** Parses such a column. @returns `null` when nothing is attached */
export function toIdentity(column: string | null): Identity | null {
  const attached: Record<string, string> = JSON.parse(column ?? "{}");
  const entries = IDENTITY_KEYS.flatMap((key) => (attached[key] === undefined ? [] : [[key, attached[key]] as const]));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
