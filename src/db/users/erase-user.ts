/**
 * Erases a person. The first transaction replaces the external id by an opaque one, so that no message or question
 * finds the user any more, and deletes everything that an index finds. The properties of the user's events are in the log,
 * which on purpose has no index on users. It is cleared in steps that record their progress. An interrupted erasure is
 * continued by the next one in the workspace, or by the queue.
 *
 * Every caller continues the erasures that are furthest along. So callers share the work, and a later erasure never
 * delays an earlier one.
 *
 * Rollups and outcomes stay: they know users only by number.
 */
import { eq } from "drizzle-orm";

import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { userErasures, workspaceStates } from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import {
  CLEAR_STEP,
  FINISH,
  MARK,
  SELECT_ARCHIVED,
  SELECT_COPIED,
  SELECT_PENDING,
  SELECT_PERSON,
  SELECT_UNCLEARED,
} from "./erase-user-sql.ts";

type UserErasure =
  /** Whether or not the user existed. */
  | "erased"
  /** The id matches no user any more, but the log is too long for one call, or is being copied. The queue does the rest. */
  | "in_progress";

type MarkRow = { user?: number };

/** One call reads at most two million messages, which takes some ten seconds. */
const MAX_STEPS = 100;

/**
 * Erases the user with this external or internal id, and finishes earlier erasures of the workspace. May be repeated.
 * @returns `isArchived`: whether the workspace has an archive, which is searched later
 * @throws DatabaseUnavailable when D1 did not answer; the rest is then done later
 */
export async function eraseUser(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  maxSteps = MAX_STEPS,
): Promise<{ outcome: UserErasure; isArchived: boolean }> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const results = await runBatch(db, [
    requireLive(workspace),
    ...MARK.requested.map((sql) => statement<MarkRow>(sql, number, id)),
    ...MARK.pending.map((sql) => statement<MarkRow>(sql, number)),
    statement<MarkRow>(SELECT_ARCHIVED, number),
    statement<MarkRow>(SELECT_PENDING, number),
  ]);
  const isArchived = results.at(-2)?.results.length === 1;
  const users = (results.at(-1)?.results ?? []).flatMap(({ user }) => user ?? []);
  const outcome = (await finish(db, workspace, users, maxSteps)) === "erased" ? "erased" : "in_progress";
  return { outcome, isArchived };
}

/** Finds the person whom an erasure with this id means. @returns `user` is 0 for somebody who was only ever rejected; `null` for an unknown id */
export async function findPerson(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
): Promise<{ externalId: string; user: number } | null> {
  const query = statement<{ externalId: string; user: number }>(SELECT_PERSON, workspace.number, id);
  const [, { results }] = await runBatch(databaseOf(env, workspace), [requireLive(workspace), query]);
  return results[0] ?? null;
}

/** Lists the workspaces of a database with running erasures. */
export async function listUserErasures(env: Env, database: string): Promise<WorkspaceRef[]> {
  const running = databaseOf(env, { database })
    .selectDistinct({ id: workspaceStates.id, number: workspaceStates.number })
    .from(userErasures)
    .innerJoin(workspaceStates, eq(workspaceStates.number, userErasures.workspace))
    .where(eq(workspaceStates.state, "live"));
  return (await withRetry(() => running)).map((workspace) => ({ ...workspace, database }));
}

/** Continues the erasures of a workspace. @returns whether nothing is left to do here */
export async function continueUserErasures(env: Env, workspace: WorkspaceRef, maxSteps = MAX_STEPS): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const { number, id } = workspace;
  const pending = statement<{ user: number }>(`${SELECT_PENDING} AND ${isLive("?1", "?2")}`, number, id);
  const [{ results }] = await runBatch(db, [pending]);
  const users = results.map(({ user }) => user);
  return (await finish(db, workspace, users, maxSteps)) !== "in_progress";
}

/**
 * Clears the log for these users, then deletes what a fold or a retried ingest transaction has stored again since.
 * @returns `copied` when only a copy of the workspace is left to clear, once it has moved
 */
async function finish(
  db: Database,
  workspace: WorkspaceRef,
  users: readonly number[],
  maxSteps: number,
): Promise<UserErasure | "copied"> {
  if (users.length === 0) return "erased";
  const { number } = workspace;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const cleared = await runBatch(db, [
      requireLive(workspace),
      ...CLEAR_STEP.map((sql) => statement(sql, number)),
      statement<{ uncleared: number }>(SELECT_UNCLEARED, number, JSON.stringify(users)),
    ]);
    if (cleared.at(-1)?.results.length === 0) {
      const finished = await runBatch(db, [
        requireLive(workspace),
        ...FINISH.map((sql) => statement(sql, number)),
        statement(SELECT_COPIED, number),
      ]);
      return finished.at(-1)?.results.length === 0 ? "erased" : "copied";
    }
  }
  return "in_progress";
}
