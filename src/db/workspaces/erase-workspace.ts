/**
 * Erases workspaces. Two small writes mark the workspace first: in the directory, from where on no key opens it, and in its
 * database, from where on no running transaction can write to it. Its data is deleted in steps that stay within D1's time
 * limit per statement, and its row in the directory last, so that the next call finds and finishes an interrupted erasure.
 */
import { and, between, eq, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import { primaryKeyOf } from "../client/columns-of.ts";
import { type Database, databaseOf, directory, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import * as schema from "../schema/schema.ts";
import { workspaceRefColumns } from "./workspace-ref.ts";

const { traits, workspaces, workspaceStates } = schema;

const ROWS_PER_STEP = 20_000;
/** Two million rows. Every table takes at least one step. */
const MAX_STEPS = 100;

export async function markErased(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRetry(() =>
    directory(env).update(workspaces).set({ erasedAt: now }).where(eq(workspaces.number, workspace.number)),
  );
}

/**
 * Marks a marked workspace again, so that a creation that is still running can't open it.
 * @returns false when it was opened meanwhile, or is already erased
 */
export async function claimErasure(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  const marked = and(eq(workspaces.number, workspace.number), isNotNull(workspaces.erasedAt));
  const { meta } = await withRetry(() => directory(env).update(workspaces).set({ erasedAt: now }).where(marked));
  return meta.changes > 0;
}

/** Lists workspaces that were marked before a time. */
export async function listMarkedErased(env: Env, before: number): Promise<WorkspaceRef[]> {
  return withRetry(() =>
    directory(env).select(workspaceRefColumns).from(workspaces).where(lt(workspaces.erasedAt, before)),
  );
}

/**
 * Deletes what a marked workspace holds, and then the workspace. May be repeated at any time.
 * @returns whether nothing is left
 */
export async function eraseMarked(env: Env, workspace: WorkspaceRef, maxSteps = MAX_STEPS): Promise<boolean> {
  const [db, entries] = [databaseOf(env, workspace), directory(env)];
  const { number } = workspace;
  const { first, last } = ownRange(workspace);
  const deletions = [
    ...NUMBERED.map((column) => own(db, column.table, between(column, first, last))),
    ...(["account", "user"] as const).map((kind) =>
      own(db, traits, and(eq(traits.subjectKind, kind), between(traits.subject, first, last))),
    ),
    ...OF_WORKSPACE.map((table) => own(db, table, eq(table.workspace, number))),
    own(db, workspaceStates, eq(workspaceStates.number, number)),
    ...OF_DIRECTORY.map((table) => own(entries, table, eq(table.workspace, number))),
    own(entries, workspaces, eq(workspaces.number, number)),
  ];
  await withRetry(() => db.update(workspaceStates).set({ state: "erased" }).where(eq(workspaceStates.number, number)));
  let left = maxSteps;
  for (const [database, table, condition] of deletions) {
    const key = sql.raw(primaryKeyOf(table));
    const step = sql`(${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${ROWS_PER_STEP})`;
    let changes: number;
    do {
      if (left === 0) return false;
      left -= 1;
      ({
        meta: { changes },
      } = await withRetry(() => database.delete(table).where(step)));
    } while (changes >= ROWS_PER_STEP);
  }
  return true;
}

const own = (db: Database, table: SQLiteTable, condition: SQL | undefined) => [db, table, condition] as const;

/** The first column of the primary key in tables that have no column for the workspace. */
const NUMBERED = [
  schema.messages.seq,
  schema.rejections.seq,
  schema.inboxMarks.item,
  schema.healthDays.account,
  schema.accountDays.account,
  schema.attributeDays.account,
  schema.rollups.account,
  schema.memberships.user,
  schema.pendingAttributeDays.user,
  schema.userAccounts.user,
];
const OF_WORKSPACE = [
  schema.rejectionCounts,
  schema.inboxItems,
  schema.health,
  schema.workspaceContexts,
  schema.comparisons,
  schema.workspaceDays,
  schema.identityTraits,
  schema.userErasures,
  schema.names,
  schema.dimensionValues,
  schema.eventNames,
  schema.accountProgress,
  schema.folds,
  schema.leases,
  schema.recomputeRuns,
  schema.users,
  schema.accounts,
];
const OF_DIRECTORY = [schema.agreements, schema.apiKeys];
