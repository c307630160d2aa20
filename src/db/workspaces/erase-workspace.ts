/**
 * Erases workspaces. Two small writes mark the workspace first: in the directory, so that no key opens it anymore, and
 * in its database, so that no running transaction can write to it. Its data is deleted in steps that stay within D1's
 * time limit per statement, and its row in the directory last, so that the next call finishes an interrupted erasure.
 */
import { and, eq, gt, isNotNull, lt, type SQL, sql } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { type Database, databaseNames, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { runBatch } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";
import { agreements, apiKeys, leases, moves, workspaces, workspaceStates } from "../schema/schema.ts";
import { isBetween, type OwnRange, ownRanges } from "./own-ranges.ts";
import { listWhere } from "./find-workspace.ts";

const ROWS_PER_STEP = 20_000;
/** Two million rows. Every range takes at least one step. */
const MAX_STEPS = 100;

/**
 * Marks a workspace as being erased.
 * @param only a condition: `isMarked` marks a marked one again, so that a creation that is still running can't open it
 * @returns false when no such workspace exists
 */
export async function markErased(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
  { only, audit = null }: { only?: SQL; audit?: AuditEntry | null } = {},
): Promise<boolean> {
  const own = and(ownEntry(workspace), only);
  const { meta } = await changeAudited(env, directory(env).update(workspaces).set({ erasedAt: now }).where(own), audit);
  return meta.changes > 0;
}

export const isMarked = isNotNull(workspaces.erasedAt);

/** Lists workspaces that were marked before a time. */
export const listMarkedErased = (env: Env, before: number): Promise<WorkspaceRef[]> =>
  listWhere(env, lt(workspaces.erasedAt, before));

/** Stops reads and writes of a workspace in all databases: during a move, two have it. @returns those that have it */
export async function markSides(env: Env, workspace: WorkspaceRef): Promise<WorkspaceRef[]> {
  const sides = databaseNames(env).map((database) => ({ ...workspace, database }));
  const marked = await Promise.all(sides.map((side) => markSide(env, side)));
  return sides.filter((_, index) => marked[index]);
}

/**
 * Deletes a marked workspace's rows from databases, but not its files. May be repeated at any time. The row of another
 * workspace with this number stays: a restored directory gives numbers a second time until the journal refuses them.
 * @param sides from `markSides`
 * @returns whether no row is left; false also while a run of the archive may still write a file
 */
export async function eraseSides(
  env: Env,
  sides: readonly WorkspaceRef[],
  now: number,
  maxSteps = MAX_STEPS,
): Promise<boolean> {
  let steps = 0;
  const isOver = () => ++steps > maxSteps;
  for (const side of sides) {
    const db = databaseOf(env, side);
    const archiveRun = and(
      eq(leases.workspace, side.number),
      sql`${leases.holder} GLOB 'archive_*'`,
      gt(leases.expiresAt, now),
    );
    const archiving = await withRetry(() => db.select().from(leases).where(archiveRun));
    if (archiving.length > 0 || !(await eraseRanges(db, ownRanges(side), isOver))) return false;
    await withRetry(() => db.delete(workspaceStates).where(ownState(side)));
  }
  return true;
}

/** Stops reads and writes of a workspace in a database. @returns whether the database has the workspace */
export async function markSide(env: Env, workspace: WorkspaceRef): Promise<boolean> {
  const states = databaseOf(env, workspace).update(workspaceStates).set({ state: "erased" });
  return (await withRetry(() => states.where(ownState(workspace)))).meta.changes > 0;
}

const ownState = ({ id, number }: WorkspaceRef) => and(eq(workspaceStates.number, number), eq(workspaceStates.id, id));

/** A queued erasure may name a number that another workspace has by now. */
const ownEntry = ({ id, number }: WorkspaceRef) => and(eq(workspaces.number, number), eq(workspaces.id, id));

/** Removes an erased workspace from the directory, once nothing else is left of it. */
export async function forgetWorkspace(env: Env, workspace: WorkspaceRef): Promise<void> {
  const { number } = workspace;
  const entries = directory(env);
  await withRetry(() =>
    entries.batch([
      entries.delete(moves).where(eq(moves.workspace, number)),
      entries.delete(agreements).where(eq(agreements.workspace, number)),
      entries.delete(apiKeys).where(eq(apiKeys.workspace, number)),
      entries.delete(workspaces).where(ownEntry(workspace)),
    ]),
  );
}

/**
 * Deletes the rows of ranges, step by step. The statement is SQL text, because the table and its key are data.
 * @param isOver asked before each step
 * @param only a condition of every step
 * @returns whether all steps have run
 */
export async function eraseRanges(
  db: Database,
  ranges: readonly OwnRange[],
  isOver: () => boolean,
  only: Statement = { sql: "TRUE", values: [] },
): Promise<boolean> {
  for (const range of ranges) {
    const key = range.key.join(", ");
    const own = isBetween(range);
    const step = `SELECT ${key} FROM ${range.tableName} WHERE ${own.sql} AND ${only.sql} LIMIT ${ROWS_PER_STEP}`;
    const deletion = `DELETE FROM ${range.tableName} WHERE (${key}) IN (${step})`;
    let changes: number;
    do {
      if (isOver()) return false;
      const [{ meta }] = await runBatch(db, [{ sql: deletion, values: [...own.values, ...only.values] }]);
      ({ changes } = meta);
    } while (changes >= ROWS_PER_STEP);
  }
  return true;
}
