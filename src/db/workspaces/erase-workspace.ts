/**
 * Erases workspaces. The mark comes first, in one small write: from then on no key opens the workspace and no
 * transaction that is under way can write to it. What it holds goes in steps that D1's limit on a statement's time
 * can bear, and its own row last, so that an erasure that was cut short is found and finished by the next call.
 */
import { eq, isNotNull, type SQL, sql } from "drizzle-orm";

import { type Database, databaseOf, directory, seqRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { workspaces } from "../schema/schema.ts";

const ROWS_PER_STEP = 20_000;

export async function markErased(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRetry(() =>
    directory(env).update(workspaces).set({ erasedAt: now }).where(eq(workspaces.number, workspace.number)),
  );
}

/** The workspaces whose erasure was begun. */
export async function listMarkedErased(env: Env): Promise<WorkspaceRef[]> {
  return withRetry(() =>
    directory(env)
      .select({ id: workspaces.id, number: workspaces.number })
      .from(workspaces)
      .where(isNotNull(workspaces.erasedAt)),
  );
}

/** Deletes all that a marked workspace holds, and then the workspace. May be called again at any time. */
export async function eraseMarked(env: Env, workspace: WorkspaceRef): Promise<void> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  const inLog = sql`seq BETWEEN ${first} AND ${last}`;
  const own = sql`workspace = ${workspace.number}`;
  const accountsOf = sql`SELECT number FROM accounts WHERE ${own}`;
  const usersOf = sql`SELECT number FROM users WHERE ${own}`;
  const inDatabase = [
    step("messages", "seq", inLog),
    step("rejections", "seq", inLog),
    step("rejection_counts", "workspace, day, code", own),
    step("traits", "subject_kind, subject, key", sql`subject_kind = 'account' AND subject IN (${accountsOf})`),
    step("traits", "subject_kind, subject, key", sql`subject_kind = 'user' AND subject IN (${usersOf})`),
    step("memberships", "user, account", sql`user IN (${usersOf})`),
    step("inbox_marks", "item", sql`item IN (SELECT number FROM inbox_items WHERE ${own})`),
    step("inbox_items", "number", own),
    step("health", "workspace, account", own),
    step("health_days", "account, day", sql`account IN (${accountsOf})`),
    step("workspace_contexts", "workspace, day", own),
    step("account_days", "account, day", sql`account IN (${accountsOf})`),
    step("attribute_days", "account, day", sql`account IN (${accountsOf})`),
    step("pending_attribute_days", "user, day", sql`user IN (${usersOf})`),
    step("rollups", "account, day, user, event", sql`account IN (${accountsOf})`),
    step("workspace_days", "workspace, day", own),
    step("user_accounts", "user, account", sql`user IN (${usersOf})`),
    step("identity_traits", "workspace, subject_kind, subject, key", own),
    step("user_erasures", "workspace, user", own),
    step("names", "workspace, key, kind, subject, source, text", own),
    step("name_grams", "workspace, gram, kind, subject, key", own),
    step("event_names", "number", own),
    step("activity", "workspace, account", own),
    step("folds", "workspace", own),
    step("users", "number", own),
    step("accounts", "number", own),
  ];
  const inDirectory = [
    step("agreements", "id", own),
    step("api_keys", "id", own),
    step("workspaces", "number", sql`number = ${workspace.number}`),
  ];
  for (const rows of inDatabase) await deleteAll(db, rows);
  for (const rows of inDirectory) await deleteAll(directory(env), rows);
}

async function deleteAll(db: Database, rows: SQL): Promise<void> {
  let changes: number;
  do {
    const result = await withRetry(() => db.run(sql`DELETE FROM ${rows}`));
    changes = result.meta.changes;
  } while (changes >= ROWS_PER_STEP);
}

function step(table: string, key: string, where: SQL): SQL {
  const [from, columns] = [sql.raw(table), sql.raw(key)];
  return sql`${from} WHERE (${columns}) IN (SELECT ${columns} FROM ${from} WHERE ${where} LIMIT ${ROWS_PER_STEP})`;
}
