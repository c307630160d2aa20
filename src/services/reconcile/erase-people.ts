/**
 * Erases people again whom a restore has brought back. The journal has their numbers, so one seek finds each of them. But a
 * restored database that doesn't know a person, or knows them by another number, records no useful number, and a second
 * restore may then bring the person back. So for recent erasures the ids of all recent users are compared too.
 */
import { type ErasedPerson, hashOf, readErasedPeople } from "../../archive/journal.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import * as repairs from "../../db/reconcile/repairs.ts";
import { eraseUserRows } from "../../db/users/erase-user-rows.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

const MAX_PEOPLE = 10;
const STEPS_PER_PERSON = 2;

/** Time Travel reaches 30 days back, and the first of two restores may have reached back as far before that. */
const RECENT_MS = 35 * DAY_MS;
const RECENT_USERS_MS = 2 * RECENT_MS;

/** @returns whether it found any */
export async function erasePeople(env: Env, workspace: WorkspaceRef, now: number): Promise<boolean> {
  const restored = (await findRestored(env, workspace, now)).slice(0, MAX_PEOPLE);
  if (restored.length === 0) return false;
  for (const id of restored) await eraseUserRows(env, workspace, id, STEPS_PER_PERSON);
  await enqueueRest(env, { task: "erase_users", workspace });
  return true;
}

/** Finds erased people whom the database knows. @returns some of their external ids */
async function findRestored(env: Env, workspace: WorkspaceRef, now: number): Promise<string[]> {
  const recent: ErasedPerson[] = [];
  for await (const people of readErasedPeople(env, workspace.id)) {
    const numbers = people.flatMap(({ user }) => user ?? []);
    const restored = await amongErased(workspace, people, await repairs.listPeople(env, workspace, numbers));
    if (restored.length > 0) return restored;
    recent.push(...people.filter(({ at }) => at > now - RECENT_MS));
  }
  if (recent.length === 0) return [];
  for await (const users of repairs.listUsers(env, workspace, now - RECENT_USERS_MS)) {
    const restored = await amongErased(workspace, recent, users);
    if (restored.length > 0) return restored;
  }
  return [];
}

/** Returns the external ids of those who were erased. Somebody who came back after the erasure is another user. */
async function amongErased(
  { id: workspaceId }: WorkspaceRef,
  erased: readonly ErasedPerson[],
  known: readonly repairs.KnownPerson[],
): Promise<string[]> {
  // The last erasure of somebody who was erased twice.
  const erasedAt = new Map(erased.toSorted((a, b) => a.at - b.at).map(({ hash, at }) => [hash, at]));
  const isErased = async (id: string, since: number) => since < (erasedAt.get(await hashOf(workspaceId, id)) ?? 0);
  // An internal id is recorded only if the database doesn't know it.
  const hasInternal = erased.some(({ user }) => user === null);
  const matched = known.map(async ({ externalId, id, since }) => {
    if (await isErased(externalId, since)) return externalId;
    return hasInternal && id !== null && (await isErased(id, since)) ? externalId : [];
  });
  return (await Promise.all(matched)).flat();
}
