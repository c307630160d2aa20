/**
 * Attaches identity traits. Nothing else stores the names of people and companies. The statements are
 * SQL text, because each write checks in its own transaction that the agreement is still in force and that the account and
 * user still exist.
 */
import { IDENTITY_KEYS, IDENTITY_TRAITS, type IdentityRequest } from "../../core/identity/identity-request.ts";
import { deleteNamesSql, insertNamesSql, nameRows } from "../ask/name-rows.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { DatabaseUnavailable } from "../client/faults.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { runBatch } from "../client/run-statements.ts";
import { entitiesOf, entityColumns, type EntityRef } from "../ingest/entity-ref.ts";
import { recordChanged } from "../moves/changed-subjects-sql.ts";
import { accounts, identityTraits, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { isAgreed } from "./agreement-sql.ts";

const account = columnsOf(accounts, "account");
const user = columnsOf(users, "user");
const foundAccount = columnsOf(accounts, "foundAccount");
const foundUser = columnsOf(users, "foundUser");
const trait = columnsOf(identityTraits);

const OWN_ACCOUNT = `SELECT ${account.number} FROM ${account.table} WHERE ${account.workspace} = :workspace`;
const OWN_USER = `SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = :workspace`;

/** :accountId and :userId are internal or external ids, or NULL. Erased people are not found. */
const FIND_SUBJECTS = prepareQuery(
  entityColumns(foundAccount, foundUser),
  (columns) => `
SELECT ${columns} FROM (SELECT 1)
LEFT JOIN ${foundAccount.table} ON ${foundAccount.number} = coalesce(
  (${OWN_ACCOUNT} AND ${account.id} = :accountId AND ${isNotErased(account.externalId)}),
  (${OWN_ACCOUNT} AND ${account.kind} = 'company' AND ${account.externalId} = :accountId),
  (${OWN_ACCOUNT} AND ${account.kind} = 'solo' AND ${account.externalId} = :accountId)
)
LEFT JOIN ${foundUser.table} ON ${foundUser.number} = coalesce(
  (${OWN_USER} AND ${user.id} = :userId AND ${isNotErased(user.externalId)}),
  (${OWN_USER} AND ${user.externalId} = :userId)
)`,
);

/** Whether the account or user still exists and has not been erased since. */
const exists = (own: string, { number, externalId }: typeof account | typeof user, parameter: string) =>
  `(${parameter} IS NULL OR EXISTS (${own} AND ${number} = ${parameter} AND ${isNotErased(externalId)}))`;

const CONDITIONS = {
  agreed: expression<0 | 1>(isAgreed(":workspace")),
  accountExists: expression<0 | 1>(exists(OWN_ACCOUNT, account, ":account")),
  userExists: expression<0 | 1>(exists(OWN_USER, user, ":user")),
};

const MAY_WRITE = Object.values(CONDITIONS).join(" AND ");

const SELECT_CONDITIONS = prepareQuery(CONDITIONS, (columns) => `SELECT ${columns}`);

const CHANGED = `SELECT value ->> 0 AS kind, value ->> 1 AS subject, value ->> 2 AS source FROM json_each(:changed)`;

/** Removes the names of all changed traits and the traits without a value, and sets the others. */
const WRITES = [
  recordChanged(`${CHANGED} WHERE ${MAY_WRITE}`),
  deleteNamesSql(CHANGED, MAY_WRITE),
  `
DELETE FROM ${trait.table} WHERE (${trait.workspace}, ${trait.subjectKind}, ${trait.subject}, ${trait.key}) IN (
  SELECT :workspace, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:changed) WHERE value ->> 3 IS NULL
) AND ${MAY_WRITE}`,
  `
INSERT INTO ${trait.table} (${trait.workspace}, ${trait.subjectKind}, ${trait.subject}, ${trait.key}, ${trait.value}, ${trait.attachedAt})
SELECT :workspace, value ->> 0, value ->> 1, value ->> 2, value ->> 3, :now FROM json_each(:changed)
WHERE value ->> 3 IS NOT NULL AND ${MAY_WRITE}
ON CONFLICT DO UPDATE SET ${trait.value} = excluded.${trait.value}, ${trait.attachedAt} = excluded.${trait.attachedAt}`,
  insertNamesSql(MAY_WRITE),
].map((sql) => prepare(sql));

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
  const live = requireLive(workspace);
  const finding = FIND_SUBJECTS.bind({ workspace: workspace.number, accountId, userId });
  const [, { results: found }] = await runBatch(db, [live, finding]).catch(notApplied);
  const entities = entitiesOf(found[0]);
  if (accountId !== null && entities.account === null) return { outcome: "no_such_account" };
  if (userId !== null && entities.user === null) return { outcome: "no_such_user" };

  const numbers = { account: found[0]?.account ?? null, user: found[0]?.user ?? null };
  const rows = IDENTITY_KEYS.flatMap((key) => {
    const [kind, value] = [IDENTITY_TRAITS[key], traits[key]];
    const subject = numbers[kind];
    return value === undefined || subject === null ? [] : [{ kind, subject, key, value }];
  });
  const names = rows.flatMap(({ kind, subject, key, value }) =>
    value === null ? [] : nameRows({ kind, subject, source: key, text: value }),
  );
  const values = {
    ...numbers,
    workspace: workspace.number,
    changed: JSON.stringify(rows.map(({ kind, subject, key, value }) => [kind, subject, key, value])),
    rows: JSON.stringify(names),
    now,
  };
  const writes = WRITES.map((query) => query.bind(values));
  const [, read] = await runBatch(db, [live, SELECT_CONDITIONS.bind(values), ...writes]);
  const [conditions] = read.results;
  if (conditions?.agreed !== 1) return { outcome: "dpa_required" };
  if (conditions.accountExists !== 1) return { outcome: "no_such_account" };
  if (conditions.userExists !== 1) return { outcome: "no_such_user" };
  return { outcome: "attached", ...entities };
}

/** Marks a failed lookup as not applied: it stores nothing. */
function notApplied(error: unknown): never {
  throw error instanceof DatabaseUnavailable ? new DatabaseUnavailable(error.cause, true, error.kind) : error;
}
