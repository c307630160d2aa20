/** Identity traits for reads of accounts and users. Shown only while the agreement stands that they were attached under. */
import { type SQL, sql } from "drizzle-orm";

import { IDENTITY_KEYS, type IdentityKey } from "../../core/identity/identity-request.ts";
import { agreementStands } from "./agreement.ts";
import type { WorkspaceRef } from "../client/database.ts";

/** What is attached; a trait that is not is absent. */
export type Identity = { [Key in IdentityKey]?: string };

/**
 * A column for a select: what is attached, as JSON, or NULL.
 * @param subject the number of the account or user, in SQL
 * @param asked false where the reader may not know: then nothing is looked up
 */
export const identityColumn = (
  workspace: WorkspaceRef,
  kind: "account" | "user",
  subject: SQL | { getSQL(): SQL },
  asked: boolean,
) =>
  asked
    ? sql<string | null>`(SELECT json_group_object(i.key, i.value) FROM identity_traits i
        WHERE i.workspace = ${workspace.number} AND i.subject_kind = ${kind} AND i.subject = ${subject}
          AND ${sql.raw(agreementStands(String(workspace.number)))})`.as("identity")
    : sql<string | null>`NULL`.as("identity");

/** What such a column holds; `null` where nothing is attached. */
export function toIdentity(column: string | null): Identity | null {
  const attached: Record<string, string> = JSON.parse(column ?? "{}");
  const entries = IDENTITY_KEYS.flatMap((key) => (attached[key] === undefined ? [] : [[key, attached[key]] as const]));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
