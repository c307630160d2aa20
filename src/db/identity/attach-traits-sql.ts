/**
 * The statements that attach identity traits. Each write checks in its own transaction that the agreement is still in
 * force and that the account and user still exist.
 *
 * ?1 the workspace's number   ?2 rows   ?3 the account's number   ?4 the user's number
 */
import { deleteNamesSql, insertNamesSql } from "../ask/name-rows.ts";
import { columnsOf } from "../client/columns-of.ts";
import { entityColumns } from "../ingest/entity-ref.ts";
import { accounts, identityTraits, users } from "../schema/schema.ts";
import { recordChanged } from "../recompute/lease-sql.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { isAgreed } from "./agreement-sql.ts";

const account = columnsOf(accounts);
const user = columnsOf(users);
const a = columnsOf(accounts, "a");
const u = columnsOf(users, "u");
const t = columnsOf(identityTraits);

const OWN_ACCOUNT = `SELECT ${account.number} FROM ${account.table} WHERE ${account.workspace} = ?1`;
const OWN_USER = `SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = ?1`;

/**
 * Selects an `EntityRow`. ?2 and ?3: an account and a user by internal or
 * external id, or NULL. Erased people are not found.
 */
export const FIND_SUBJECTS = `
SELECT ${entityColumns(a, u)} FROM (SELECT 1)
LEFT JOIN ${a.table} ON ${a.number} = coalesce(
  (${OWN_ACCOUNT} AND ${account.id} = ?2 AND ${isNotErased(account.externalId)}),
  (${OWN_ACCOUNT} AND ${account.kind} = 'company' AND ${account.externalId} = ?2),
  (${OWN_ACCOUNT} AND ${account.kind} = 'solo' AND ${account.externalId} = ?2)
)
LEFT JOIN ${u.table} ON ${u.number} = coalesce(
  (${OWN_USER} AND ${user.id} = ?3 AND ${isNotErased(user.externalId)}),
  (${OWN_USER} AND ${user.externalId} = ?3)
)`;

/** Whether the account or user still exists and has not been erased since. */
const exists = (own: string, { number, externalId }: typeof account | typeof user, parameter: string) =>
  `(${parameter} IS NULL OR EXISTS (${own} AND ${number} = ${parameter} AND ${isNotErased(externalId)}))`;

const MAY_WRITE = `${isAgreed("?1")}
  AND ${exists(OWN_ACCOUNT, account, "?3")} AND ${exists(OWN_USER, user, "?4")}`;

const CHANGED = `SELECT value ->> 0 AS kind, value ->> 1 AS subject, value ->> 2 AS source FROM json_each(?2)`;

/** Remove the names of all changed traits, and the traits whose value is NULL. ?2: `[kind, subject, key, value]`. */
export const REMOVE_CHANGED = [
  recordChanged(`${CHANGED} WHERE ${MAY_WRITE}`),
  deleteNamesSql(CHANGED, MAY_WRITE),
  `
DELETE FROM ${t.table} WHERE (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}) IN (
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE value ->> 3 IS NULL
) AND ${MAY_WRITE}`,
];

/** ?2 as before, ?5 now. */
export const SET_TRAITS = `
INSERT INTO ${t.table} (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}, ${t.value}, ${t.attachedAt})
SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?5 FROM json_each(?2)
WHERE value ->> 3 IS NOT NULL AND ${MAY_WRITE}
ON CONFLICT DO UPDATE SET ${t.value} = excluded.${t.value}, ${t.attachedAt} = excluded.${t.attachedAt}`;

export const INSERT_NAMES = insertNamesSql(MAY_WRITE);

export interface WriteConditions {
  agreed: number;
  accountExists: number;
  userExists: number;
}

/** Selects {@link WriteConditions}. ?2 the account's number, ?3 the user's. */
export const SELECT_CONDITIONS = `
SELECT ${isAgreed("?1")} AS agreed, ${exists(OWN_ACCOUNT, account, "?2")} AS accountExists,
  ${exists(OWN_USER, user, "?3")} AS userExists`;
