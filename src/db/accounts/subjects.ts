/**
 * Columns and queries for reads of accounts and users. An account or a user is one JSON column, because a batch returns
 * rows by column name.
 */
import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";

import type { Json } from "../../core/json.ts";
import type { Database } from "../client/database.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { accounts, traits, users } from "../schema/schema.ts";
import { shownIdOf } from "../users/erased-ids.ts";

export interface AccountSummary extends EntityRef {
  kind: "company" | "solo";
}

/** `null` where a join found no account. */
export const accountColumn =
  sql`iif(${accounts.id} IS NULL, NULL, json_object('id', ${accounts.id}, 'externalId', ${shownIdOf(accounts.externalId)}, 'kind', ${accounts.kind}))`
    .mapWith((json: string): AccountSummary | null => JSON.parse(json))
    .as("account_ref");

/** `null` where a join found no user. */
export const userColumn =
  sql`iif(${users.id} IS NULL, NULL, json_object('id', ${users.id}, 'externalId', ${shownIdOf(users.externalId)}))`
    .mapWith((json: string): EntityRef | null => JSON.parse(json))
    .as("user_ref");

export const traitValue = sql`${traits.value}`.mapWith((json: string): Json => JSON.parse(json)).as("trait_value");

/** One message may carry this many traits. A trait has up to 16 KB. */
const MAX_TRAITS = 256;

/** Queries the first traits of an account or a user, by key. */
export const traitsQuery = (db: Database, kind: "account" | "user", subject: SQL) =>
  db
    .select({ key: traits.key, value: traitValue })
    .from(traits)
    .where(and(eq(traits.subjectKind, kind), sql`${traits.subject} = ${subject}`, isNotNull(traits.value)))
    .orderBy(asc(traits.key))
    .limit(MAX_TRAITS);
