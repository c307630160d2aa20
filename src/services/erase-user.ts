/**
 * Erases users (docs/wire/erasure.md §6.2), in this order:
 *
 * 1. The key is checked again, because erasures don't ask the limiter.
 * 2. The journal in R2 records the erasure, so that a restore doesn't undo it (archive/journal.ts).
 * 3. One transaction replaces the external id and deletes all that an index finds (db/users/erase-user-rows.ts).
 * 4. Steps clear the user's messages in the log.
 * 5. A last transaction deletes what was stored again meanwhile, and ends the erasure.
 * 6. The queue continues with step 4 if the log is too large for one call.
 * 7. The cron has the archive's files with the user rewritten (services/archive/rewrite-erased.ts).
 */
import { recordErasedPerson, recordErasedUnknown } from "../archive/journal.ts";
import { eraseUserRows, findPerson } from "../db/users/erase-user-rows.ts";
import { enqueueRest } from "./tasks/enqueue.ts";
import { findWritable } from "./workspaces/api-keys.ts";
import type { WorkspaceRef } from "../db/client/database.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";

interface Erasing {
  outcome: "erased" | "in_progress";
  archive?: "pending";
}

/**
 * Erases a user. An unknown id counts as erased.
 * @param id external or internal
 * @throws ArchiveUnavailable while the journal can't be written
 * @returns `in_progress` when the user's log is too large for one call: the queue does the rest. `archive` is pending when
 *   the workspace has one: the cron has it searched.
 */
export async function eraseUser(env: Env, grant: KeyGrant, id: string): Promise<Erasing | "unauthorized"> {
  const workspace = await findWritable(env, grant);
  return workspace === null ? "unauthorized" : eraseUserIn(env, workspace, id);
}

/** Does the same for a caller that has just checked who may erase. @throws ArchiveUnavailable, as `eraseUser` does */
export async function eraseUserIn(env: Env, workspace: WorkspaceRef, id: string): Promise<Erasing> {
  // The journal comes first, so that a restore can't bring an erased user back for good.
  const person = await findPerson(env, workspace, id);
  if (person === null) await recordErasedUnknown(env, workspace.id, id, Date.now());
  else await recordErasedPerson(env, workspace.id, person, Date.now());
  const { outcome, isArchived } = await eraseUserRows(env, workspace, id);
  if (outcome === "in_progress") await enqueueRest(env, { task: "erase_users", workspace });
  return { outcome, ...(isArchived && { archive: "pending" }) };
}
