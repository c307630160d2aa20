/** SQL of the data processing agreement, for statements that may only run while it is accepted. */
import { columnsOf } from "../client/columns-of.ts";
import { identityTraits, workspaceStates } from "../schema/schema.ts";
import { deleteNamesSql } from "../ask/name-rows.ts";
import { recordChanged } from "../moves/changed-subjects-sql.ts";

const w = columnsOf(workspaceStates);
const t = columnsOf(identityTraits);

/**
 * Whether the workspace has accepted the agreement. SQLite evaluates it once per statement. It would join an EXISTS, and
 * read the row again for each row of a list.
 * @param workspace its number
 */
export const isAgreed = (workspace: string): string =>
  `(coalesce((SELECT ${w.agreement} FROM ${w.table} WHERE ${w.number} = ${workspace}), 0) > 0)`;

/** Record what became of an acceptance, in any order: a withdrawal is final. ?1 the workspace's number, ?2 its id. */
export const ALLOW = `UPDATE ${w.table} SET ${w.agreement} = ?2 WHERE ${w.number} = ?1 AND ?2 > abs(${w.agreement})`;
export const DISALLOW = `UPDATE ${w.table} SET ${w.agreement} = -?2 WHERE ${w.number} = ?1 AND ?2 >= abs(${w.agreement})`;

/** A trait has up to 9 names, so a step takes well below a second of SQL. */
export const TRAITS_PER_STEP = 1_000;

const STEP = `
  SELECT ${t.subjectKind} AS kind, ${t.subject} AS subject, ${t.key} AS source FROM ${t.table}
  WHERE ${t.workspace} = ?1 ORDER BY ${t.subjectKind}, ${t.subject}, ${t.key} LIMIT ${TRAITS_PER_STEP}`;

/** Erases a step of identity traits. The traits come last, because the other statements find names by them. */
export const ERASE_STEP = [
  recordChanged(STEP),
  deleteNamesSql(STEP, `NOT ${isAgreed("?1")}`),
  `
DELETE FROM ${t.table} WHERE (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}) IN (
  SELECT ?1, kind, subject, source FROM (${STEP})
) AND NOT ${isAgreed("?1")}`,
];
