/**
 * What changes a workspace, for the administration and the console alike: the order in which the database and the
 * workspace's object are told, so that a call that is cut short leaves nothing that a repeat does not put right.
 */
import { recomputeSettings } from "../../config.ts";
import type { Scope } from "../../core/api-key.ts";
import { insertKey, type NewKey, revokeKey } from "../../db/workspaces/api-keys.ts";
import { insertWorkspace, updateWorkspace, type Workspace } from "../../db/workspaces/workspaces.ts";
import { callLimiter } from "../../limiter/call-limiter.ts";
import type { RecomputeOutcome } from "../recompute/model.ts";
import { recompute } from "../recompute/recompute.ts";
import { type AppContext, timed } from "../../edge/context.ts";
import { forgetKey } from "../../http/middleware/credentials.ts";
import { makeKey, randomId } from "./make-key.ts";

/** A key as it is shown once, and the record that stays of it. */
interface MadeKey {
  key: string;
  record: NewKey;
}

/**
 * Makes a workspace with its first key, which has all scopes.
 * @param fields with an `id` that no workspace has, or without one
 */
export async function makeWorkspace(
  c: AppContext,
  { id = randomId("ws"), name, writeLimit }: { id?: string; name: string; writeLimit: number },
  now: number,
): Promise<MadeKey & { workspace: Omit<Workspace, "number"> }> {
  const workspace = { id, name, writeLimit, createdAt: now };
  const made = await makeKey(null, null, now);
  // The object first: a workspace must not come to be with another limit than it was made with.
  await inObject(c, workspace.id, (limiter) => limiter.setLimit(writeLimit));
  await inDatabase(c, () => insertWorkspace(c.env, workspace, made.record));
  return { workspace, ...made };
}

/** What is absent stays as it is. May be repeated. */
export async function changeWorkspace(
  c: AppContext,
  workspace: Workspace,
  change: { name?: string | undefined; writeLimit?: number | undefined },
): Promise<void> {
  await inDatabase(c, () => updateWorkspace(c.env, workspace, change));
  const { writeLimit: limit } = change;
  if (limit !== undefined) await inObject(c, workspace.id, (limiter) => limiter.setLimit(limit));
}

/**
 * Makes another key.
 * @param fields with an `id` to create it at most once; `scopes` of `null`: all of them, later ones too
 * @returns `null` when the workspace is gone, or a key has this id
 */
export async function makeWorkspaceKey(
  c: AppContext,
  workspace: Workspace,
  { id, name, scopes }: { id?: string; name: string | null; scopes: Scope[] | null },
  now: number,
): Promise<MadeKey | null> {
  const made = await makeKey(name, scopes, now, id);
  return (await inDatabase(c, () => insertKey(c.env, workspace.id, made.record))) ? made : null;
}

/** Revokes a key, from the very next write on. Returns false when the workspace has no such key. */
export async function revokeWorkspaceKey(
  c: AppContext,
  workspace: Workspace,
  keyId: string,
  now: number,
): Promise<boolean> {
  if (!(await inDatabase(c, () => revokeKey(c.env, workspace, keyId, now)))) return false;
  forgetKey(keyId);
  await inObject(c, workspace.id, (limiter) => limiter.revokeKey(keyId));
  return true;
}

/** Runs the recompute of all workspaces now. */
export const recomputeNow = (c: AppContext): Promise<RecomputeOutcome> =>
  recompute(c.env, { now: Date.now(), trigger: "admin", clock: Date.now, ...recomputeSettings(c.env) });

/** Asks the database, on the request's time. */
export const inDatabase = <T>(c: AppContext, work: () => Promise<T>): Promise<T> => timed(c, "databaseMs", work);

/** Asks the workspace's object, on the request's time. */
export const inObject = <T>(c: AppContext, id: string, call: Parameters<typeof callLimiter<T>>[2]): Promise<T> =>
  timed(c, "limiterMs", () => callLimiter(c.env, id, call));
