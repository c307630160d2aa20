/**
 * Statements about the data processing agreement. They are SQL text, because each belongs to a transaction with statements
 * that may only run while the agreement is accepted.
 */
import { deleteNamesSql } from "../ask/name-rows.ts";
import { columnsOf } from "../client/columns-of.ts";
import { prepare } from "../client/prepare.ts";
import { recordChanged } from "../moves/changed-subjects-sql.ts";
import { identityTraits, workspaceStates } from "../schema/schema.ts";

const state = columnsOf(workspaceStates);
const trait = columnsOf(identityTraits);

/**
 * Whether the workspace has accepted the agreement. SQLite evaluates it once per statement. It would join an EXISTS, and
 * read the row again for each row of a list.
 * @param workspace its number
 */
export const isAgreed = (workspace: string): string =>
  `(coalesce((SELECT ${state.agreement} FROM ${state.table} WHERE ${state.number} = ${workspace}), 0) > 0)`;

// Record the state of an acceptance, in any order: a withdrawal is final.
export const ALLOW = prepare(`
UPDATE ${state.table} SET ${state.agreement} = :acceptance
WHERE ${state.number} = :workspace AND :acceptance > abs(${state.agreement})`);
export const DISALLOW = prepare(`
UPDATE ${state.table} SET ${state.agreement} = -:acceptance
WHERE ${state.number} = :workspace AND :acceptance >= abs(${state.agreement})`);

/** A trait has up to 9 names, so a step takes well below a second of SQL. */
export const TRAITS_PER_STEP = 1_000;

const KEY = [trait.subjectKind, trait.subject, trait.key].join(", ");

const STEP = `
  SELECT ${trait.subjectKind} AS kind, ${trait.subject} AS subject, ${trait.key} AS source FROM ${trait.table}
  WHERE ${trait.workspace} = :workspace ORDER BY ${KEY} LIMIT ${TRAITS_PER_STEP}`;

/** Erases a step of identity traits. The traits come last, because the other statements find names by them. */
export const ERASE_STEP = [
  recordChanged(STEP),
  deleteNamesSql(STEP, `NOT ${isAgreed(":workspace")}`),
  `
DELETE FROM ${trait.table} WHERE (${trait.workspace}, ${KEY}) IN (
  SELECT :workspace, kind, subject, source FROM (${STEP})
) AND NOT ${isAgreed(":workspace")}`,
].map((sql) => prepare(sql));
