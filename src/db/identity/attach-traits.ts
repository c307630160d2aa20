/**
 * Attaches identity traits. Nothing else stores the names of people and companies. Each write checks in its own transaction
 * that the agreement is still in force and that the account and user still exist.
 */
import { IDENTITY_KEYS, IDENTITY_TRAITS, type IdentityRequest } from "../../core/identity/identity-request.ts";
import { deleteNamesSql, insertNamesSql, nameRows } from "../ask/name-rows.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { DatabaseUnavailable } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { entitiesOf, entityColumns, type EntityRef, type EntityRow } from "../ingest/entity-ref.ts";
import { recordChanged } from "../moves/changed-subjects-sql.ts";
import { accounts, identityTraits, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { isAgreed } from "./agreement-sql.ts";

// The statements take: ?1 the workspace's number   ?2 rows   ?3 the account's number   ?4 the user's number

const accountColumns = columnsOf(accounts);
const userColumns = columnsOf(users);
const a = columnsOf(accounts, "a");
const u = columnsOf(users, "u");
const t = columnsOf(identityTraits);

const OWN_ACCOUNT = `SELECT ${accountColumns.number} FROM ${accountColumns.table} WHERE ${accountColumns.workspace} = ?1`;
const OWN_USER = `SELECT ${userColumns.number} FROM ${userColumns.table} WHERE ${userColumns.workspace} = ?1`;

/**
 * Selects an `EntityRow`. ?2 and ?3: an account and a user by internal or external id, or NULL. Erased people are not found.
 */
const FIND_SUBJECTS = `
SELECT ${entityColumns(a, u)} FROM (SELECT 1)
LEFT JOIN ${a.table} ON ${a.number} = coalesce(
  (${OWN_ACCOUNT} AND ${accountColumns.id} = ?2 AND ${isNotErased(accountColumns.externalId)}),
  (${OWN_ACCOUNT} AND ${accountColumns.kind} = 'company' AND ${accountColumns.externalId} = ?2),
  (${OWN_ACCOUNT} AND ${accountColumns.kind} = 'solo' AND ${accountColumns.externalId} = ?2)
)
LEFT JOIN ${u.table} ON ${u.number} = coalesce(
  (${OWN_USER} AND ${userColumns.id} = ?3 AND ${isNotErased(userColumns.externalId)}),
  (${OWN_USER} AND ${userColumns.externalId} = ?3)
)`;

/** Whether the account or user still exists and has not been erased since. */
const exists = (own: string, { number, externalId }: typeof accountColumns | typeof userColumns, parameter: string) =>
  `(${parameter} IS NULL OR EXISTS (${own} AND ${number} = ${parameter} AND ${isNotErased(externalId)}))`;

const MAY_WRITE = `${isAgreed("?1")}
  AND ${exists(OWN_ACCOUNT, accountColumns, "?3")} AND ${exists(OWN_USER, userColumns, "?4")}`;

const CHANGED = `SELECT value ->> 0 AS kind, value ->> 1 AS subject, value ->> 2 AS source FROM json_each(?2)`;

/** Remove the names of all changed traits, and the traits whose value is NULL. ?2: `[kind, subject, key, value]`. */
const REMOVE_CHANGED = [
  recordChanged(`${CHANGED} WHERE ${MAY_WRITE}`),
  deleteNamesSql(CHANGED, MAY_WRITE),
  `
DELETE FROM ${t.table} WHERE (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}) IN (
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE value ->> 3 IS NULL
) AND ${MAY_WRITE}`,
];

/** ?2 as before, ?5 now. */
const SET_TRAITS = `
INSERT INTO ${t.table} (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}, ${t.value}, ${t.attachedAt})
SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?5 FROM json_each(?2)
WHERE value ->> 3 IS NOT NULL AND ${MAY_WRITE}
ON CONFLICT DO UPDATE SET ${t.value} = excluded.${t.value}, ${t.attachedAt} = excluded.${t.attachedAt}`;

const INSERT_NAMES = insertNamesSql(MAY_WRITE);

interface WriteConditions {
  agreed: number;
  accountExists: number;
  userExists: number;
}

/** Selects {@link WriteConditions}. ?2 the account's number, ?3 the user's. */
const SELECT_CONDITIONS = `
SELECT ${isAgreed("?1")} AS agreed, ${exists(OWN_ACCOUNT, accountColumns, "?2")} AS accountExists,
  ${exists(OWN_USER, userColumns, "?3")} AS userExists`;

export type AttachOutcome =
  | { outcome: "attached"; account: EntityRef | null; user: EntityRef | null }
  /** Nothing was attached. */
  | { outcome: "no_such_account" | "no_such_user" | "dpa_required" };

/**
 * Attaches traits to an account and a user, or removes them. If either is unknown, nothing is attached. May be repeated.
 * @throws DatabaseUnavailable when D1 did not answer; unless `notApplied` is set, the traits may be stored
 */
export async function attachTraits(
  env: Env,
  workspace: WorkspaceRef,
  { accountId, userId, traits }: IdentityRequest,
  now: number,
): Promise<AttachOutcome> {
  const db = databaseOf(env, workspace);
  const finding = statement<EntityRow>(FIND_SUBJECTS, workspace.number, accountId, userId);
  const live = requireLive(workspace);
  const [, { results: found }] = await runBatch(db, [live, finding]).catch(notApplied);
  const { account, user } = entitiesOf(found[0]);
  if (accountId !== null && account === null) return { outcome: "no_such_account" };
  if (userId !== null && user === null) return { outcome: "no_such_user" };

  const numbers = { account: found[0]?.account ?? null, user: found[0]?.user ?? null };
  const rows = IDENTITY_KEYS.flatMap((key) => {
    const [kind, value] = [IDENTITY_TRAITS[key], traits[key]];
    const subject = numbers[kind];
    return value === undefined || subject === null ? [] : [{ kind, subject, key, value }];
  });
  const names = rows.flatMap(({ kind, subject, key, value }) =>
    value === null ? [] : nameRows({ kind, subject, source: key, text: value }),
  );
  const subjectNumbers = [numbers.account, numbers.user] as const;
  const changed = JSON.stringify(rows.map(({ kind, subject, key, value }) => [kind, subject, key, value]));
  const writing = (sql: string, text: string): Statement => statement(sql, workspace.number, text, ...subjectNumbers);
  const writes = [
    ...REMOVE_CHANGED.map((sql) => writing(sql, changed)),
    statement(SET_TRAITS, workspace.number, changed, ...subjectNumbers, now),
    writing(INSERT_NAMES, JSON.stringify(names)),
  ];
  const results = await runBatch(db, [
    live,
    ...writes,
    statement<WriteConditions>(SELECT_CONDITIONS, workspace.number, ...subjectNumbers),
  ]);
  const conditions = results.at(-1)?.results[0];
  if (conditions?.agreed !== 1) return { outcome: "dpa_required" };
  if (conditions.accountExists !== 1) return { outcome: "no_such_account" };
  if (conditions.userExists !== 1) return { outcome: "no_such_user" };
  return { outcome: "attached", account, user };
}

/** Marks a failed lookup as not applied: it stores nothing. */
function notApplied(error: unknown): never {
  throw error instanceof DatabaseUnavailable ? new DatabaseUnavailable(error.cause, true, error.kind) : error;
}
