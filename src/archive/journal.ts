/**
 * Records in R2 what a restore of D1 must not undo: which workspace has which number, and what was erased or withdrawn.
 * See docs/decisions/0035-restores.md. An entry is an object without content. R2 lists keys in ascending order, so the keys
 * of numbers count down: the newest number comes first.
 */
import { attempt, deleteFiles, deletePrefix, listObjects, sha256 } from "./store.ts";

const NUMBERS = "journal/numbers/";
const DIGITS = 7;
const HIGHEST = 10 ** DIGITS - 1;

export const numberKey = (number: number): string => NUMBERS + String(HIGHEST - number).padStart(DIGITS, "0");

/**
 * Claims a number for a workspace, forever.
 * @returns false when another one has it
 * @throws ArchiveUnavailable, like all functions here
 */
export async function claimNumber(env: Env, { id, number }: { id: string; number: number }): Promise<boolean> {
  const claim = { onlyIf: { etagDoesNotMatch: "*" }, customMetadata: { id } };
  if ((await attempt(() => env.ARCHIVE.put(numberKey(number), "", claim))) !== null) return true;
  return (await attempt(() => env.ARCHIVE.head(numberKey(number))))?.customMetadata?.["id"] === id;
}

export async function recordMove(env: Env, { id, number }: { id: string; number: number }): Promise<void> {
  await attempt(() => env.ARCHIVE.put(numberKey(number), "", { customMetadata: { id, moved: "true" } }));
}

/** Lists claimed numbers, the highest first. @param before leaves out this one and higher ones */
export async function listClaims(env: Env, limit: number, before = HIGHEST) {
  const options: R2ListOptions = { prefix: NUMBERS, startAfter: numberKey(before), limit, include: ["customMetadata"] };
  const { objects } = await attempt(() => env.ARCHIVE.list(options));
  return objects.map(({ key, uploaded, customMetadata = {} }) => ({
    number: HIGHEST - Number(key.slice(NUMBERS.length)),
    id: customMetadata["id"] ?? "",
    /** When it was claimed or last began to move, in milliseconds since the epoch. */
    at: uploaded.getTime(),
    hasMoved: "moved" in customMetadata,
  }));
}

/** A person's hash contains the workspace's id, so that the same id in two workspaces has two hashes. */
export const hashOf = (...parts: string[]): Promise<string> => sha256(new TextEncoder().encode(parts.join("\n")));
const prefixOf = async (workspaceId: string): Promise<string> => `journal/workspaces/${await hashOf(workspaceId)}/`;

/** @param at milliseconds since the epoch. R2's own time may differ from the edge's time, with which it is compared */
async function record(env: Env, workspaceId: string, entry: string, at: number): Promise<void> {
  const key = (await prefixOf(workspaceId)) + entry;
  await attempt(() => env.ARCHIVE.put(key, "", { customMetadata: { at: String(at) } }));
}

export const recordErased = (env: Env, workspaceId: string, at: number) => record(env, workspaceId, "erased", at);
export const recordWithdrawn = (env: Env, workspaceId: string, at: number) => record(env, workspaceId, "withdrawn", at);

/** Asks whether a workspace was erased, or its creation removed. */
export async function wasErased(env: Env, workspaceId: string): Promise<boolean> {
  const key = `${await prefixOf(workspaceId)}erased`;
  return (await attempt(() => env.ARCHIVE.head(key))) !== null;
}

/** @param user the number within the workspace; 0 for a person who is no user */
export async function recordErasedPerson(
  env: Env,
  workspaceId: string,
  { externalId, user }: { externalId: string; user: number },
  at: number,
): Promise<void> {
  await record(env, workspaceId, `people/${user}-${await hashOf(workspaceId, externalId)}`, at);
}

/** The most erased ids that a workspace keeps if the database didn't know them. Its keys may erase ids without end. */
export const MAX_UNKNOWN_PEOPLE = 1_000;

/**
 * Records the erasure of an id that the database doesn't know: a file of the archive, or another state to which the database
 * may be restored, may know the person. The newest ids replace the oldest.
 * @param id external or internal
 */
export async function recordErasedUnknown(env: Env, workspaceId: string, id: string, at: number): Promise<void> {
  const prefix = `${await prefixOf(workspaceId)}people/unknown-`;
  const { objects } = await attempt(() => env.ARCHIVE.list({ prefix, limit: MAX_UNKNOWN_PEOPLE }));
  if (objects.length === MAX_UNKNOWN_PEOPLE) {
    const byAge = objects.toSorted((a, b) => a.uploaded.getTime() - b.uploaded.getTime());
    // Deletes several at once, so that few erasures have to delete.
    const oldest = byAge.slice(0, MAX_UNKNOWN_PEOPLE / 10);
    await deleteFiles(
      env,
      oldest.map(({ key }) => key),
    );
  }
  await record(env, workspaceId, `people/unknown-${await hashOf(workspaceId, id)}`, at);
}

/** Forgets the people of an erased workspace. @returns false while some are left */
export const forgetPeople = async (env: Env, workspaceId: string): Promise<boolean> =>
  deletePrefix(env, `${await prefixOf(workspaceId)}people/`);

export interface ErasedPerson {
  hash: string;
  /** `null` if the database didn't know the person. */
  user: number | null;
  /** When the erasure was requested, in milliseconds since the epoch. */
  at: number;
}

/** Reads a workspace's entries, and whether it has entries of people. */
export async function readJournal(env: Env, workspaceId: string) {
  const prefix = await prefixOf(workspaceId);
  const options: R2ListOptions = { prefix, delimiter: "/", include: ["customMetadata"] };
  const { objects, delimitedPrefixes } = await attempt(() => env.ARCHIVE.list(options));
  const entries = new Map(objects.map(({ key, customMetadata }) => [key.slice(prefix.length), customMetadata]));
  const withdrawn = entries.get("withdrawn");
  return {
    isErased: entries.has("erased"),
    withdrawnAt: withdrawn === undefined ? null : Number(withdrawn["at"]),
    hasPeople: delimitedPrefixes.length > 0,
  };
}

/** Reads the erased people of a workspace, up to a thousand at a time. */
export async function* readErasedPeople(env: Env, workspaceId: string): AsyncGenerator<ErasedPerson[]> {
  const prefix = `${await prefixOf(workspaceId)}people/`;
  for await (const objects of listObjects(env, prefix)) {
    yield objects.map(({ key, customMetadata }) => {
      const [user, hash = ""] = key.slice(prefix.length).split("-");
      return { hash, user: user === "unknown" ? null : Number(user), at: Number(customMetadata?.["at"]) };
    });
  }
}
