/**
 * Creates, changes and erases workspaces. Each change keeps the database and the workspace's Durable Object
 * consistent: they are updated in an order that lets a repeated call complete one that was interrupted. An erasure is marked
 * first and then done in steps. The queue does what one call can't finish.
 */
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { archivePrefix, backupPrefix } from "../../core/archive/file-names.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { claimNumber, forgetPeople, listClaims, recordErased, wasErased } from "../../archive/journal.ts";
import { ArchiveUnavailable, deletePrefix } from "../../archive/store.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { rescheduleDigests } from "../../db/destinations/digest-schedule.ts";
import { eraseSides, forgetWorkspace, isMarked, markErased, markSides } from "../../db/workspaces/erase-workspace.ts";
import { readFigures, readRecords, REJECTED } from "../../db/workspaces/list-workspaces.ts";
import { insertWorkspace, openWorkspace, renumber } from "../../db/workspaces/create-workspace.ts";
import { findInAnyState, findWorkspace, type Workspace } from "../../db/workspaces/find-workspace.ts";
import { updateWorkspace, type WorkspaceChange } from "../../db/workspaces/update-workspace.ts";
import { callLimiter, configureLimiter, locationOf } from "../../limiter/call-limiter.ts";
import { eraseLimiter, readWriteLimitUsage } from "../../limiter/call-limiter.ts";
import { findOpenDatabase } from "../database-placement.ts";
import { enqueueRest } from "../tasks/enqueue.ts";
import { randomId } from "../random-id.ts";
import { evictGrants } from "./api-keys.ts";
import { type GeneratedKey, generateKey } from "./key-changes.ts";
import { copyLimits } from "./storage-limits.ts";

type Creation =
  | (GeneratedKey & { outcome: "created"; workspace: Workspace })
  /** The named database isn't open or doesn't exist; without a name, no database is open. */
  | { outcome: "no_open_database" }
  /** A workspace with this `id` is open. */
  | { outcome: "exists" }
  /** A workspace with this `id` was erased or is being erased, or the cron has removed a creation that took over a minute. */
  | { outcome: "erased" };

/**
 * Creates a workspace and its first key, which has all scopes. An interrupted creation with this `id` is continued with the
 * fields that it began with.
 * @param fields with an unused `id`, or without one; without a `database`, the open one with the most room
 */
export async function createWorkspace(
  env: Env,
  {
    id: chosenId,
    name,
    writeLimit,
    database: wanted,
  }: { id?: string; name: string; writeLimit: number; database?: string | undefined },
  now: number,
  actor: Actor,
): Promise<Creation> {
  const database = await findOpenDatabase(env, wanted);
  if (database === null) return { outcome: "no_open_database" };
  const id = chosenId ?? randomId("ws");
  const entry = { id, name, writeLimit, database, createdAt: now };
  // The directory comes first: if two creations have one id, only the first may choose the limiter's settings.
  const inserted = (await insertWorkspace(env, entry)) ?? (await findInAnyState(env, id));
  if (inserted?.erasedAt === null) return { outcome: "exists" };
  // An erasure marks a workspace later than its creation does.
  if (inserted === null || inserted.erasedAt !== inserted.createdAt) return { outcome: "erased" };
  // A reconciliation would erase the workspace again.
  if (chosenId !== undefined && (await wasErased(env, id))) {
    await eraseMarked(env, inserted, now);
    return { outcome: "erased" };
  }
  const workspace = await withOwnNumber(env, inserted);
  const created = await generateKey(env, {}, now);
  // The object comes next: a workspace must never be open with another limit or database than it was created with. The
  // first call decides where the object is.
  const settings = { limit: workspace.writeLimit, database: workspace.database };
  const location = locationOf(env, workspace.database);
  const isNew = await configureLimiter(env, id, settings, location);
  const details = { writeLimit: workspace.writeLimit, database: workspace.database, keyId: created.record.id };
  const audit: AuditEntry = { workspace: id, actor, action: "workspace_created", details };
  if (isNew && (await openWorkspace(env, workspace, created.record, audit)))
    return { outcome: "created", workspace, ...created };
  if ((await findWorkspace(env, id)) !== null) return { outcome: "exists" };
  await eraseMarked(env, workspace, now);
  return { outcome: "erased" };
}

const MAX_NUMBERS = 5;

/**
 * Records the workspace's number in the journal. After a restore, the directory counts from an earlier number; then the
 * workspace gets one above all that are known.
 * @throws ArchiveUnavailable
 */
async function withOwnNumber(env: Env, workspace: Workspace): Promise<Workspace> {
  let own: Workspace | null = workspace;
  for (let tries = 0; own !== null && tries < MAX_NUMBERS; tries += 1) {
    if (await claimNumber(env, own)) return own;
    const [newest] = await listClaims(env, 1);
    own = await renumber(env, own, newest?.number ?? 0);
  }
  throw new ArchiveUnavailable("Other workspaces took the numbers.");
}

/** Updates the fields that are given. May be repeated. @returns the changed workspace */
export async function changeWorkspace(
  env: Env,
  workspace: Workspace,
  change: WorkspaceChange,
  now: number,
  actor: Actor,
): Promise<Workspace> {
  const changesLimits = change.writeLimit !== undefined || change.storageLimitBytes !== undefined;
  // This comes first: the limiter then knows that the directory is ahead, and a reconciliation keeps the change.
  if (changesLimits) await callLimiter(env, workspace.id, (limiter) => limiter.nextVersion());
  const changed = await updateWorkspace(env, workspace, change, auditOf(workspace, change, actor));
  if (changesLimits) await copyLimits(env, workspace);
  if (change.rates !== undefined || change.currency !== undefined) evictGrants(workspace);
  if (change.timezone !== undefined) await rescheduleDigests(env, workspace, change.timezone, now);
  return changed;
}

/** Names the fields that change, with the values of limits. A name may be a person's. */
function auditOf(workspace: Workspace, change: WorkspaceChange, actor: Actor): AuditEntry | null {
  const changed = typedKeys(change).filter((field) => {
    return change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(workspace[field]);
  });
  const limits = changed.flatMap((field) =>
    field === "writeLimit" || field === "storageLimitBytes"
      ? [[field, { from: workspace[field], to: change[field] }] as const]
      : [],
  );
  const details = { changed, ...Object.fromEntries(limits) };
  return changed.length === 0 ? null : { workspace: workspace.id, actor, action: "workspace_changed", details };
}

/**
 * Erases a workspace with everything in it, including the storage of its Durable Object.
 * @returns whether everything is erased. The rest is invisible, and the queue erases it.
 */
export async function eraseWorkspace(env: Env, workspace: WorkspaceRef, now: number, actor: Actor): Promise<boolean> {
  await markErased(env, workspace, now, { audit: { workspace: workspace.id, actor, action: "workspace_erased" } });
  await eraseLimiter(env, workspace.id);
  const isErased = await eraseMarked(env, workspace, now);
  if (!isErased) await enqueueRest(env, { task: "erase_workspace", workspace });
  return isErased;
}

/** Continues an interrupted erasure or removes an interrupted creation. @returns whether nothing is left to do */
export async function continueWorkspaceErasure(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  if (!(await markErased(env, workspace, now, { only: isMarked }))) return true;
  await eraseLimiter(env, workspace.id);
  return eraseMarked(env, workspace, now);
}

/**
 * Deletes a marked workspace: its rows, its files, and last the workspace itself. Its databases stop reads and writes
 * first, even while the journal can't be written. The journal comes before the deletion, because a restore could bring
 * data back.
 * @returns whether nothing is left
 */
export async function eraseMarked(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  const sides = await markSides(env, workspace);
  await recordErased(env, workspace.id, now);
  if (!(await eraseSides(env, sides, now))) return false;
  if (!(await deletePrefix(env, archivePrefix(workspace.id)))) return false;
  if (!(await deletePrefix(env, backupPrefix(workspace.id)))) return false;
  if (!(await forgetPeople(env, workspace.id))) return false;
  await forgetWorkspace(env, workspace);
  return true;
}

export type WorkspaceDetails = Awaited<ReturnType<typeof readWorkspaceDetails>>[number];

/** Reads everything that the administration shows about workspaces, with the limiters' counters. Keeps their order. */
export async function readWorkspaceDetails(env: Env, listed: readonly Workspace[]) {
  const read = await readRecords(env, await readFigures(env, listed, REJECTED));
  return Promise.all(read.map(async (each) => ({ ...each, usage: await readWriteLimitUsage(env, each.id) })));
}
