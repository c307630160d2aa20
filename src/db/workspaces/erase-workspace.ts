/**
 * Erases workspaces. Two small writes mark the workspace first: in the directory, from where on no key opens it, and in its
 * database, from where on no running transaction can write to it. Its data is deleted in steps that stay within D1's time
 * limit per statement, and its row in the directory last, so that the next call finds and finishes an interrupted erasure.
 */
import { and, between, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import { primaryKeyOf } from "../client/columns-of.ts";
import { type Database, databaseOf, directory, seqRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import * as schema from "../schema/schema.ts";
import { workspaceRefColumns } from "./workspaces.ts";

const { accounts, inboxItems, traits, users, workspaces, workspaceStates } = schema;

const ROWS_PER_STEP = 20_000;

export async function markErased(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRetry(() =>
    directory(env).update(workspaces).set({ erasedAt: now }).where(eq(workspaces.number, workspace.number)),
  );
}

/** Lists workspaces that were marked before a time. */
export async function listMarkedErased(env: Env, before: number): Promise<WorkspaceRef[]> {
  return withRetry(() =>
    directory(env).select(workspaceRefColumns).from(workspaces).where(lt(workspaces.erasedAt, before)),
  );
}

/** Deletes everything that a marked workspace holds, and then the workspace. May be repeated at any time. */
export async function eraseMarked(env: Env, workspace: WorkspaceRef): Promise<void> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  await withRetry(() =>
    db.update(workspaceStates).set({ state: "erased" }).where(eq(workspaceStates.number, number)),
  );
  const { first, last } = seqRange(workspace);
  const ownAccounts = db.select({ number: accounts.number }).from(accounts).where(eq(accounts.workspace, number));
  const ownUsers = db.select({ number: users.number }).from(users).where(eq(users.workspace, number));
  const ownItems = db.select({ number: inboxItems.number }).from(inboxItems).where(eq(inboxItems.workspace, number));

  const eraseTraits = (kind: "account" | "user", subjects: typeof ownAccounts | typeof ownUsers) =>
    deleteAll(db, traits, and(eq(traits.subjectKind, kind), inArray(traits.subject, subjects)));
  for (const table of [schema.messages, schema.rejections]) await deleteAll(db, table, between(table.seq, first, last));
  await eraseTraits("account", ownAccounts);
  await eraseTraits("user", ownUsers);
  await deleteAll(db, schema.inboxMarks, inArray(schema.inboxMarks.item, ownItems));
  for (const table of OF_ACCOUNTS) await deleteAll(db, table, inArray(table.account, ownAccounts));
  for (const table of OF_USERS) await deleteAll(db, table, inArray(table.user, ownUsers));
  // Accounts and users come last, because the other tables are found by them.
  for (const table of OF_WORKSPACE) await deleteAll(db, table, eq(table.workspace, number));
  await deleteAll(db, workspaceStates, eq(workspaceStates.number, number));
  for (const table of OF_DIRECTORY) await deleteAll(directory(env), table, eq(table.workspace, number));
  await deleteAll(directory(env), workspaces, eq(workspaces.number, number));
}

const OF_ACCOUNTS = [schema.healthDays, schema.accountDays, schema.attributeDays, schema.rollups];
const OF_USERS = [schema.memberships, schema.pendingAttributeDays, schema.userAccounts];
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
