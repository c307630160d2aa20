/** Attaches identity traits. Nothing else stores the names of people and companies. */
import { IDENTITY_KEYS, IDENTITY_TRAITS, type IdentityRequest } from "../../core/identity/identity-request.ts";
import { nameRows } from "../ask/name-rows.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { DatabaseUnavailable } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { entitiesOf, type EntityRef, type EntityRow } from "../ingest/entity-ref.ts";
import { requireLive } from "../workspaces/require-live.ts";
import {
  FIND_SUBJECTS,
  INSERT_NAMES,
  REMOVE_CHANGED,
  SELECT_CONDITIONS,
  SET_TRAITS,
  type WriteConditions,
} from "./attach-traits-sql.ts";

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
  const live = requireLive(workspace.number);
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
