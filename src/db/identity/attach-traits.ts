/**
 * Identity traits: the one place that stores what people and companies are called. Every write asks in its own
 * transaction whether the agreement still stands, since it may be withdrawn while a request is under way.
 */
import { IDENTITY_KEYS, IDENTITY_TRAITS, type IdentityRequest } from "../../core/identity/identity-request.ts";
import { agreementStands } from "./agreement.ts";
import { insertNamesSql, nameRows } from "../ask/name-rows.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { isNameable } from "../users/erased-ids.ts";
import { DatabaseUnavailable, withRetry } from "../client/faults.ts";
import { deleteNamesSql } from "./identity-names.ts";
import type { EntityRef } from "../ingest/known-users.ts";

export type AttachOutcome =
  | { outcome: "attached"; account: EntityRef | null; user: EntityRef | null }
  /** Nothing was attached. `workspace_gone`: it was erased since its key was looked up. */
  | { outcome: "no_such_account" | "no_such_user" | "dpa_required" | "workspace_gone" };

type Row = Record<string, string | number | null>;

/**
 * Attaches traits to an account and a user, or removes them: all of it or, where one of both is unknown, nothing.
 * May be repeated.
 * @throws DatabaseUnavailable when D1 did not answer; unless it says `notApplied`, the traits may be stored
 */
export async function attachTraits(
  env: Env,
  workspace: WorkspaceRef,
  { accountId, userId, traits }: IdentityRequest,
  now: number,
): Promise<AttachOutcome> {
  const client = databaseOf(env, workspace).$client;
  const finding = client.prepare(FIND).bind(workspace.number, accountId, userId);
  const { results } = await withRetry(() => finding.all<Row>()).catch(notApplied);
  const account = subjectIn(results[0], "account");
  const user = subjectIn(results[0], "user");
  if (accountId !== null && account === null) return { outcome: "no_such_account" };
  if (userId !== null && user === null) return { outcome: "no_such_user" };

  const subjects = { account, user };
  const rows = IDENTITY_KEYS.flatMap((key) => {
    const [kind, value] = [IDENTITY_TRAITS[key], traits[key]];
    const subject = subjects[kind]?.number;
    return value === undefined || subject === undefined ? [] : [{ kind, subject, key, value }];
  });
  const names = rows.flatMap(({ kind, subject, key, value }) =>
    value === null ? [] : nameRows({ kind, subject, source: key, text: value }),
  );
  const fence = [account?.number ?? null, user?.number ?? null] as const;
  const traitRows = JSON.stringify(rows.map(({ kind, subject, key, value }) => [kind, subject, key, value]));
  const write = (sql: string, text: string) => client.prepare(sql).bind(workspace.number, text, ...fence);
  const written = await withRetry(() =>
    client.batch<Row>([
      ...REMOVE_NAMES.map((sql) => write(sql, traitRows)),
      write(REMOVE_TRAITS, traitRows),
      client.prepare(SET_TRAITS).bind(workspace.number, traitRows, ...fence, now),
      ...INSERT_NAMES.map((sql) => write(sql, JSON.stringify(names))),
      client.prepare(SELECT_FENCE).bind(workspace.number, ...fence),
    ]),
  );
  const state = written.at(-1)?.results[0];
  if (state?.["live"] !== 1) return { outcome: "workspace_gone" };
  if (state["agreed"] !== 1) return { outcome: "dpa_required" };
  if (state["account_stays"] !== 1) return { outcome: "no_such_account" };
  if (state["user_stays"] !== 1) return { outcome: "no_such_user" };
  return { outcome: "attached", account: account && refOf(account), user: user && refOf(user) };
}

/** A look-up that failed stored nothing, whatever became of it. */
function notApplied(error: unknown): never {
  throw error instanceof DatabaseUnavailable ? new DatabaseUnavailable(error.cause, true, error.timedOut) : error;
}

interface Subject extends EntityRef {
  number: number;
}

function subjectIn(row: Row | undefined, kind: "account" | "user"): Subject | null {
  const number = row?.[`${kind}_number`];
  return number == null || row === undefined
    ? null
    : { number: Number(number), id: String(row[`${kind}_id`]), externalId: String(row[`${kind}_external_id`]) };
}

const refOf = ({ id, externalId }: Subject): EntityRef => ({ id, externalId });

/** ?2 and ?3: an account and a user by internal or external id, or NULL. Nobody who was erased is found. */
const FIND = `
SELECT a.number AS account_number, a.id AS account_id, a.external_id AS account_external_id,
  u.number AS user_number, u.id AS user_id, u.external_id AS user_external_id
FROM (SELECT 1)
LEFT JOIN accounts a ON a.number = coalesce(
  (SELECT number FROM accounts WHERE workspace = ?1 AND id = ?2 AND ${isNameable("external_id")}),
  (SELECT number FROM accounts WHERE workspace = ?1 AND kind = 'company' AND external_id = ?2),
  (SELECT number FROM accounts WHERE workspace = ?1 AND kind = 'solo' AND external_id = ?2)
)
LEFT JOIN users u ON u.number = coalesce(
  (SELECT number FROM users WHERE workspace = ?1 AND id = ?3 AND ${isNameable("external_id")}),
  (SELECT number FROM users WHERE workspace = ?1 AND external_id = ?3)
)`;

const LIVE = "EXISTS (SELECT 1 FROM workspaces WHERE number = ?1 AND erased_at IS NULL)";
const AGREED = agreementStands("?1");
/** Whether one of these is still there, and was not erased meanwhile. */
const stays = (table: string, number: string) => `(${number} IS NULL OR EXISTS (
  SELECT 1 FROM ${table} WHERE number = ${number} AND workspace = ?1 AND ${isNameable("external_id")}))`;
/** ?1 the workspace's number   ?2 rows   ?3 the account's   ?4 the user's */
const FENCE = `${LIVE} AND ${AGREED} AND ${stays("accounts", "?3")} AND ${stays("users", "?4")}`;

const REMOVED = `
  SELECT value ->> 0 AS kind, value ->> 1 AS subject, value ->> 2 AS source FROM json_each(?2)`;
const REMOVE_NAMES = deleteNamesSql(REMOVED, FENCE);
const INSERT_NAMES = insertNamesSql(FENCE);

const REMOVE_TRAITS = `
DELETE FROM identity_traits WHERE (workspace, subject_kind, subject, key) IN (
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE value ->> 3 IS NULL
) AND ${FENCE}`;

const SET_TRAITS = `
INSERT INTO identity_traits (workspace, subject_kind, subject, key, value, attached_at)
SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?5 FROM json_each(?2)
WHERE value ->> 3 IS NOT NULL AND ${FENCE}
ON CONFLICT DO UPDATE SET value = excluded.value, attached_at = excluded.attached_at`;

const SELECT_FENCE = `
SELECT ${LIVE} AS live, ${AGREED} AS agreed, ${stays("accounts", "?2")} AS account_stays,
  ${stays("users", "?3")} AS user_stays`;
