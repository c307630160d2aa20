/**
 * Records in R2 what a restore of D1 must not undo: which workspace has which number, and what was erased or withdrawn.
 * See docs/decisions/0035-restores.md. An entry is an object without content. R2 lists keys in their order and from the
 * first one only, so the keys of numbers count down: the newest number comes first.
 */
import { attempt, deletePrefix, listObjects, sha256 } from "./store.ts";

const NUMBERS = "journal/numbers/";
const DIGITS = 7;
const HIGHEST = 10 ** DIGITS - 1;

const numberKey = (number: number): string => NUMBERS + String(HIGHEST - number).padStart(DIGITS, "0");

const hash = (...parts: string[]): Promise<string> => sha256(new TextEncoder().encode(parts.join("\n")));

/** Ids are hashed. A person's hash contains the workspace's id, so that the same id in two workspaces has two hashes. */
const prefixOf = async (workspaceId: string): Promise<string> => `journal/workspaces/${await hash(workspaceId)}/`;
const PEOPLE = "people/";
export const personHash = (workspaceId: string, externalId: string): Promise<string> => hash(workspaceId, externalId);

const put = (env: Env, key: string, options?: R2PutOptions) => attempt(() => env.ARCHIVE.put(key, "", options));

/** Gives a number to a workspace for ever. @returns false when another workspace has it @throws ArchiveUnavailable, like all functions here */
export async function claimNumber(env: Env, { id, number }: { id: string; number: number }): Promise<boolean> {
  const key = numberKey(number);
  const claim = { onlyIf: { etagDoesNotMatch: "*" }, customMetadata: { id } };
  if ((await put(env, key, claim)) !== null) return true;
  return (await attempt(() => env.ARCHIVE.head(key)))?.customMetadata?.["id"] === id;
}

export interface ClaimedNumber {
  number: number;
  id: string;
  /** When it was claimed or its workspace began to move for the first time, in milliseconds since the epoch. */
  at: number;
  hasMoved: boolean;
}

/** Lists claimed numbers, the highest first. @param before leaves out this one and higher ones */
export async function listClaims(env: Env, limit: number, before = HIGHEST): Promise<ClaimedNumber[]> {
  const options = { prefix: NUMBERS, startAfter: numberKey(before), limit, include: ["customMetadata" as const] };
  const { objects } = await attempt(() => env.ARCHIVE.list(options));
  return objects.map(({ key, uploaded, customMetadata = {} }) => ({
    number: HIGHEST - Number(key.slice(NUMBERS.length)),
    id: customMetadata["id"] ?? "",
    at: uploaded.getTime(),
    hasMoved: "moved" in customMetadata,
  }));
}

export async function recordMove(env: Env, { id, number }: { id: string; number: number }): Promise<void> {
  await put(env, numberKey(number), { customMetadata: { id, moved: "true" } });
}

export async function recordErased(env: Env, workspaceId: string): Promise<void> {
  await put(env, `${await prefixOf(workspaceId)}erased`);
}

/** R2's own time may differ from that of the edge, which dates what the entry is compared with. */
const dated = (at: number): R2PutOptions => ({ customMetadata: { at: String(at) } });

export async function recordWithdrawn(env: Env, workspaceId: string, at: number): Promise<void> {
  await put(env, `${await prefixOf(workspaceId)}withdrawn`, dated(at));
}

/** @param user the person's number within the workspace; 0 for a person who is no user */
export async function recordErasedPerson(
  env: Env,
  workspaceId: string,
  { externalId, user, at }: { externalId: string; user: number; at: number },
): Promise<void> {
  const key = `${await prefixOf(workspaceId)}${PEOPLE}${user}-${await personHash(workspaceId, externalId)}`;
  await put(env, key, dated(at));
}

/** Forgets the people of an erased workspace. @returns whether none is left */
export const forgetPeople = async (env: Env, workspaceId: string): Promise<boolean> =>
  deletePrefix(env, (await prefixOf(workspaceId)) + PEOPLE);

export interface WorkspaceJournal {
  isErased: boolean;
  /** When the agreement was last withdrawn, in milliseconds since the epoch. */
  withdrawnAt: number | null;
  people: ErasedPerson[];
}

export interface ErasedPerson {
  hash: string;
  /** The number within the workspace; 0 for a person who was no user. */
  user: number;
  /** When the erasure was requested, in milliseconds since the epoch. */
  at: number;
}

export async function readJournal(env: Env, workspaceId: string): Promise<WorkspaceJournal> {
  const prefix = await prefixOf(workspaceId);
  const read: WorkspaceJournal = { isErased: false, withdrawnAt: null, people: [] };
  for (const { key, customMetadata } of await listObjects(env, prefix)) {
    const [kind, person] = key.slice(prefix.length).split("/");
    const at = Number(customMetadata?.["at"]);
    if (kind === "erased") read.isErased = true;
    if (kind === "withdrawn") read.withdrawnAt = at;
    const [user, personHashed] = person?.split("-") ?? [];
    if (personHashed !== undefined) read.people.push({ hash: personHashed, user: Number(user), at });
  }
  return read;
}
