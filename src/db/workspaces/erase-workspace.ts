/**
 * Erases workspaces. One small write marks the workspace first: from then on no key opens it and no running transaction
 * can write to it. Its data is deleted in steps that stay within D1's time limit per statement, and its own row last, so
 * that the next call finds and finishes an interrupted erasure.
 */
import { and, between, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import { primaryKeyOf } from "../client/columns-of.ts";
import { type Database, databaseOf, directory, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import * as schema from "../schema/schema.ts";

const { traits, workspaces } = schema;

const ROWS_PER_STEP = 20_000;

export async function markErased(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRetry(() =>
    directory(env).update(workspaces).set({ erasedAt: now }).where(eq(workspaces.number, workspace.number)),
  );
}

export async function listMarkedErased(env: Env): Promise<WorkspaceRef[]> {
  return withRetry(() =>
    directory(env)
      .select({ id: workspaces.id, number: workspaces.number })
      .from(workspaces)
      .where(isNotNull(workspaces.erasedAt)),
  );
}

/** Deletes everything that a marked workspace holds, and then the workspace. May be repeated at any time. */
export async function eraseMarked(env: Env, workspace: WorkspaceRef): Promise<void> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const { first, last } = ownRange(workspace);
  for (const column of NUMBERED) await deleteAll(db, column.table, between(column, first, last));
  for (const kind of ["account", "user"] as const)
    await deleteAll(db, traits, and(eq(traits.subjectKind, kind), between(traits.subject, first, last)));
  for (const table of OF_WORKSPACE) await deleteAll(db, table, eq(table.workspace, number));
  for (const table of OF_DIRECTORY) await deleteAll(directory(env), table, eq(table.workspace, number));
  await deleteAll(directory(env), workspaces, eq(workspaces.number, number));
}

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
  schema.workspaceDays,
  schema.identityTraits,
  schema.userErasures,
  schema.names,
  schema.dimensionValues,
  schema.eventNames,
  schema.accountProgress,
  schema.folds,
  schema.users,
  schema.accounts,
];
const OF_DIRECTORY = [schema.agreements, schema.apiKeys];

async function deleteAll(db: Database, table: SQLiteTable, own: SQL | undefined): Promise<void> {
  const key = sql.raw(primaryKeyOf(table));
  const step = sql`(${key}) IN (SELECT ${key} FROM ${table} WHERE ${own} LIMIT ${ROWS_PER_STEP})`;
  let changes: number;
  do {
    const { meta } = await withRetry(() => db.delete(table).where(step));
    changes = meta.changes;
  } while (changes >= ROWS_PER_STEP);
}
