/** Reads and erases users. */
import { recordErasedPerson, recordErasedUnknown } from "../archive/journal.ts";
import { eraseUser as eraseUserRows, findPerson } from "../db/users/erase-user.ts";
import { enqueueRest } from "./tasks/enqueue.ts";
import { findWritable } from "./workspaces/api-keys.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";

/**
 * Erases a user. An unknown id counts as erased.
 * @param id external or internal
 * @throws ArchiveUnavailable while the journal can't be written
 * @returns `in_progress` when the user's log is too large for one call: the queue does the rest. `archive` is pending when
 *   the workspace has one: the cron has it searched.
 */
export async function eraseUser(
  env: Env,
  grant: KeyGrant,
  id: string,
): Promise<{ outcome: "erased" | "in_progress"; archive?: "pending" } | "unauthorized"> {
  const workspace = await findWritable(env, grant);
  if (workspace === null) return "unauthorized";
  // The journal comes first, so that a restore can't bring an erased user back for good.
  const person = await findPerson(env, workspace, id);
  if (person === null) await recordErasedUnknown(env, workspace.id, id, Date.now());
  else await recordErasedPerson(env, workspace.id, person, Date.now());
  const { outcome, isArchived } = await eraseUserRows(env, workspace, id);
  if (outcome === "in_progress") await enqueueRest(env, { task: "erase_users", workspace, now: Date.now() });
  return { outcome, ...(isArchived && { archive: "pending" }) };
}
