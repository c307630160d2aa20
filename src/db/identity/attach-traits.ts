/** Attaches identity traits. Nothing else stores the names of people and companies. */
import { IDENTITY_KEYS, IDENTITY_TRAITS, type IdentityRequest } from "../../core/identity/identity-request.ts";
import { nameRows } from "../ask/name-rows.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { DatabaseUnavailable } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import type { EntityRef } from "../ingest/known-users.ts";
import {
  FIND_SUBJECTS,
  INSERT_NAMES,
  REMOVE_CHANGED,
  SELECT_CONDITIONS,
  SET_TRAITS,
  type SubjectsRow,
  type WriteConditions,
} from "./attach-traits-sql.ts";

export type AttachOutcome =
  | { outcome: "attached"; account: EntityRef | null; user: EntityRef | null }
  /** Nothing was attached. `workspace_gone`: it was erased after its key was looked up. */
  | { outcome: "no_such_account" | "no_such_user" | "dpa_required" | "workspace_gone" };

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
  const finding = statement<SubjectsRow>(FIND_SUBJECTS, workspace.number, accountId, userId);
  const [{ results: found }] = await runBatch(db, [finding]).catch(notApplied);
  const account = subjectOf(found[0]?.accountNumber, found[0]?.accountId, found[0]?.accountExternalId);
  const user = subjectOf(found[0]?.userNumber, found[0]?.userId, found[0]?.userExternalId);
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
  const numbers = [account?.number ?? null, user?.number ?? null] as const;
  const changed = JSON.stringify(rows.map(({ kind, subject, key, value }) => [kind, subject, key, value]));
  const writing = (sql: string, text: string): Statement => statement(sql, workspace.number, text, ...numbers);
  const writes = [
    ...REMOVE_CHANGED.map((sql) => writing(sql, changed)),
    statement(SET_TRAITS, workspace.number, changed, ...numbers, now),
    ...INSERT_NAMES.map((sql) => writing(sql, JSON.stringify(names))),
  ];
  const results = await runBatch(db, [
    ...writes,
    statement<WriteConditions>(SELECT_CONDITIONS, workspace.number, ...numbers),
  ]);
  const conditions = results.at(-1)?.results[0];
  if (conditions?.live !== 1) return { outcome: "workspace_gone" };
  if (conditions.agreed !== 1) return { outcome: "dpa_required" };
  if (conditions.accountExists !== 1) return { outcome: "no_such_account" };
  if (conditions.userExists !== 1) return { outcome: "no_such_user" };
  return { outcome: "attached", account: account && refOf(account), user: user && refOf(user) };
}

/** Marks a failed lookup as not applied: it stores nothing. */
function notApplied(error: unknown): never {
  throw error instanceof DatabaseUnavailable ? new DatabaseUnavailable(error.cause, true, error.timedOut) : error;
}

interface Subject extends EntityRef {
  number: number;
}

function subjectOf(number: number | null = null, id: string | null = null, externalId: string | null = null) {
  return number === null || id === null ? null : { number, id, externalId };
}

const refOf = ({ id, externalId }: Subject): EntityRef => ({ id, externalId });
