/**
 * Erases a person. The first transaction replaces the external id by an opaque one, so that no message or question
 * finds the user anymore, and deletes everything that an index finds. The properties of the user's events are in the
 * log, which on purpose has no index on users. Steps clear it there and record their progress. An interrupted erasure
 * is continued by the next one in the workspace, or by the queue.
 *
 * Every caller continues the erasures that are furthest along. So callers share the work, and a later erasure never
 * delays an earlier one.
 *
 * Rollups and outcomes stay: they know users only by number.
 */
import { and, eq } from "drizzle-orm";

import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { runBatch } from "../client/run-statements.ts";
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
  /** The id matches no user, but the log is too long for one call, or is being copied. The queue does the rest. */
  | "in_progress";

/** One call reads at most two million messages, which takes some ten seconds. */
const MAX_STEPS = 100;

/**
 * Erases the user with this external or internal id, and finishes earlier erasures of the workspace. May be repeated.
 * @returns `isArchived`: whether the workspace has an archive, which is searched later
 * @throws DatabaseUnavailable when D1 did not answer; the rest is then done later
 */
export async function eraseUserRows(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  maxSteps = MAX_STEPS,
): Promise<{ outcome: UserErasure; isArchived: boolean }> {
  const db = databaseOf(env, workspace);
  const values = { workspace: workspace.number, userId: id };
  const [, archived, ...marked] = await runBatch(db, [
    requireLive(workspace),
    SELECT_ARCHIVED.bind(values),
    ...MARK.map((query) => query.bind(values)),
    SELECT_PENDING.bind(values),
  ]);
  const isArchived = archived.results.length === 1;
  const users = marked.at(-1)?.results.map(({ user }) => user) ?? [];
  const outcome = (await finish(db, workspace, users, maxSteps)) === "erased" ? "erased" : "in_progress";
  return { outcome, isArchived };
}

/** Finds the person with this id. @returns `user` is 0 for a person known only from rejections; `null` if unknown */
export async function findPerson(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
): Promise<{ externalId: string; user: number } | null> {
  const query = SELECT_PERSON.bind({ workspace: workspace.number, userId: id });
  const [, { results }] = await runBatch(databaseOf(env, workspace), [requireLive(workspace), query]);
  return results[0] ?? null;
}

const workspaceOfErasure = eq(workspaceStates.number, userErasures.workspace);
const isLive = eq(workspaceStates.state, "live");

/** Lists the workspaces of a database with running erasures. */
export async function listUserErasures(env: Env, database: string): Promise<WorkspaceRef[]> {
  const running = databaseOf(env, { database })
    .selectDistinct({ id: workspaceStates.id, number: workspaceStates.number })
    .from(userErasures)
    .innerJoin(workspaceStates, workspaceOfErasure)
    .where(isLive);
  return (await withRetry(() => running)).map((workspace) => ({ ...workspace, database }));
}

/** Continues the erasures of a workspace. @returns whether nothing is left to do here */
export async function continueUserErasures(env: Env, workspace: WorkspaceRef, maxSteps = MAX_STEPS): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const { number, id } = workspace;
  const pending = db
    .select({ user: userErasures.user })
    .from(userErasures)
    .innerJoin(workspaceStates, workspaceOfErasure)
    .where(and(eq(userErasures.workspace, number), eq(workspaceStates.id, id), isLive));
  const users = (await withRetry(() => pending)).map(({ user }) => user);
  return (await finish(db, workspace, users, maxSteps)) !== "in_progress";
}

/**
 * Clears the log for these users, then deletes the rows that a fold or a retried ingest has stored again since.
 * @returns `copied` when only a copy of the workspace is left to clear, once it has moved
 */
async function finish(
  db: Database,
  workspace: WorkspaceRef,
  users: readonly number[],
  maxSteps: number,
): Promise<UserErasure | "copied"> {
  if (users.length === 0) return "erased";
  const values = { workspace: workspace.number, users: JSON.stringify(users) };
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const cleared = await runBatch(db, [
      requireLive(workspace),
      ...CLEAR_STEP.map((query) => query.bind(values)),
      SELECT_UNCLEARED.bind(values),
    ]);
    if (cleared.at(-1)?.results.length === 0) {
      const finished = await runBatch(db, [
        requireLive(workspace),
        ...FINISH.map((query) => query.bind(values)),
        SELECT_COPIED.bind(values),
      ]);
      return finished.at(-1)?.results.length === 0 ? "erased" : "copied";
    }
  }
  return "in_progress";
}
