/** SQL of the data processing agreement, for statements that may only run while it is accepted. */
import { columnsOf } from "../client/columns-of.ts";
import { agreements, identityTraits } from "../schema/schema.ts";
import { deleteNamesSql } from "../ask/name-rows.ts";

const a = columnsOf(agreements);
const t = columnsOf(identityTraits);

/**
 * Whether the workspace has accepted the agreement. A database of workspace data needs a copy of the workspace's
 * agreements.
 * @param workspace its number
 */
export const isAgreed = (workspace: string): string =>
  `EXISTS (SELECT 1 FROM ${a.table} WHERE ${a.workspace} = ${workspace} AND ${a.withdrawnAt} IS NULL)`;

/** Closes the acceptance. ?1 the workspace's number, ?2 now. */
export const WITHDRAW = `
UPDATE ${a.table} SET ${a.withdrawnAt} = ?2 WHERE ${a.workspace} = ?1 AND ${a.withdrawnAt} IS NULL`;

/** A trait has up to 9 names, so a step takes well below a second of SQL. */
export const TRAITS_PER_STEP = 1_000;

const STEP = `
  SELECT ${t.subjectKind} AS kind, ${t.subject} AS subject, ${t.key} AS source FROM ${t.table}
  WHERE ${t.workspace} = ?1 ORDER BY ${t.subjectKind}, ${t.subject}, ${t.key} LIMIT ${TRAITS_PER_STEP}`;

/** Erases a step of identity traits. The traits come last, because the other statements find names by them. */
export const ERASE_STEP = [
  deleteNamesSql(STEP, `NOT ${isAgreed("?1")}`),
  `
DELETE FROM ${t.table} WHERE (${t.workspace}, ${t.subjectKind}, ${t.subject}, ${t.key}) IN (
  SELECT ?1, kind, subject, source FROM (${STEP})
) AND NOT ${isAgreed("?1")}`,
];
