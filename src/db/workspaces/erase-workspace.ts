/**
 * Erases workspaces. Two small writes mark the workspace first: in the directory, from where on no key opens it, and in its
 * database, from where on no running transaction can write to it. Its data is deleted in steps that stay within D1's time
 * limit per statement, and its row in the directory last, so that the next call finds and finishes an interrupted erasure.
 */
import { and, eq, isNotNull, lt, type SQL } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { type Database, databaseNames, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { agreements, apiKeys, leases, moves, workspaces, workspaceStates } from "../schema/schema.ts";
import { isBetween, type OwnRange, ownRanges } from "./own-ranges.ts";
import { listWhere } from "./workspaces.ts";

const ROWS_PER_STEP = 20_000;
/** Two million rows. Every range takes at least one step. */
const MAX_STEPS = 100;

/**
 * Marks a workspace as being erased.
 * @param only a condition: `isMarked` marks a marked one again, so that a creation that is still running can't open it
 * @returns false when there is no such workspace
 */
export async function markErased(env: Env, workspace: WorkspaceRef, now: number, only?: SQL): Promise<boolean> {
  const own = and(eq(workspaces.number, workspace.number), only);
  const { meta } = await withRetry(() => directory(env).update(workspaces).set({ erasedAt: now }).where(own));
  return meta.changes > 0;
}

export const isMarked = isNotNull(workspaces.erasedAt);

/** Lists workspaces that were marked before a time. */
export const listMarkedErased = (env: Env, before: number): Promise<WorkspaceRef[]> =>
  listWhere(env, lt(workspaces.erasedAt, before));

const l = columnsOf(leases);
const SELECT_ARCHIVING = `SELECT 1 AS archiving FROM ${l.table}
WHERE ${l.workspace} = ?1 AND ${l.holder} GLOB 'archive_*' AND ${l.expiresAt} > ?2`;

/**
 * Deletes what a marked workspace holds, except its files. May be repeated at any time.
 * @returns whether no row is left; false also while a run of the archive may still write a file
 */
export async function eraseRows(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
  maxSteps = MAX_STEPS,
): Promise<boolean> {
  let steps = 0;
  const isOver = () => ++steps > maxSteps;
  const others = databaseNames(env).filter((name) => name !== workspace.database);
  // A workspace that moves has rows in two databases.
  for (const database of [workspace.database, ...others]) {
    if (!(await eraseSide(env, { ...workspace, database }, now, isOver))) return false;
  }
  return true;
}

/**
 * Deletes what a database holds of a workspace. One without a state row has nothing of it. The row of another workspace with
 * this number stays: a restored directory gives numbers a second time until the journal refuses them.
 * @returns as `eraseRows`
 */
export async function eraseSide(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
  isOver: () => boolean,
): Promise<boolean> {
  const { id, number } = workspace;
  const db = databaseOf(env, workspace);
  const own = and(eq(workspaceStates.number, number), eq(workspaceStates.id, id));
  const { meta } = await withRetry(() => db.update(workspaceStates).set({ state: "erased" }).where(own));
  if (meta.changes === 0) return true;
  const [{ results: archiving }] = await runBatch(db, [statement(SELECT_ARCHIVING, number, now)]);
  if (archiving.length > 0 || !(await eraseRanges(db, ownRanges(workspace), isOver))) return false;
  await withRetry(() => db.delete(workspaceStates).where(own));
  return true;
}

/** Removes an erased workspace from the directory, once nothing else is left of it. */
export async function forgetWorkspace(env: Env, { number }: WorkspaceRef): Promise<void> {
  const entries = directory(env);
  await withRetry(() =>
    entries.batch([
      entries.delete(moves).where(eq(moves.workspace, number)),
      entries.delete(agreements).where(eq(agreements.workspace, number)),
      entries.delete(apiKeys).where(eq(apiKeys.workspace, number)),
      entries.delete(workspaces).where(eq(workspaces.number, number)),
    ]),
  );
}

/**
 * Deletes the rows of ranges, step by step.
 * @param isOver asked before each step
 * @param only a condition of every step
 * @returns whether all steps have run
 */
export async function eraseRanges(
  db: Database,
  ranges: readonly OwnRange[],
  isOver: () => boolean,
  only: Statement = statement("TRUE"),
): Promise<boolean> {
  for (const range of ranges) {
    const key = range.key.join(", ");
    const own = isBetween(range);
    const step = `SELECT ${key} FROM ${range.tableName} WHERE ${own.sql} AND ${only.sql} LIMIT ${ROWS_PER_STEP}`;
    const deletion = `DELETE FROM ${range.tableName} WHERE (${key}) IN (${step})`;
    let changes: number;
    do {
      if (isOver()) return false;
      const [{ meta }] = await runBatch(db, [statement(deletion, ...own.values, ...only.values)]);
      ({ changes } = meta);
    } while (changes >= ROWS_PER_STEP);
  }
  return true;
}
