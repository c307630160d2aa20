/**
 * The demo's workspace: the newest one called as the one that `npm start` makes, or a new one.
 *
 * It remembers by itself when it was first filled: by the first of the keys that each run makes, which stays in the list
 * when it is revoked. So the story is told on from there, and what was sent before is known to be the same.
 */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { FIRST_WORKSPACE_NAME } from "../start/first-workspace.ts";
import { call } from "./service.ts";

export interface Admin {
  url: string;
  token: string;
  /** Breaks it off. */
  stop?: AbortSignal;
}

interface DemoWorkspace {
  id: string;
  /** The date of the first run, where there was one. */
  filledFrom: string | null;
  /** Whether a run came to its end: what people have changed since is theirs. */
  isFilled: boolean;
  /** The data processing agreement, without which nobody has a name. */
  agreement: "stands" | "withdrawn" | "never accepted";
  writeLimit: number;
  /** The keys of earlier runs that stand: those to read with, and those that a broken-off run sent with. */
  readingKeys: string[];
  senderKeys: string[];
}

export interface Key {
  id: string;
  key: string;
}

const PAGE = 200;

const READING_KEY = /^demo (\d{4}-\d{2}-\d{2})$/;
const SENDER_KEY = "demo sender";

const Answer = z.object({ ok: z.literal(true) });
const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }) });
const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });
const Listed = z.object({
  id: z.string(),
  name: z.string(),
  writeLimit: z.number(),
  dpa: z.unknown(),
  dpaHistory: z.array(z.unknown()),
  keys: z.array(z.object({ id: z.string(), name: z.string().nullable(), revokedAt: z.string().nullable() })),
});
const Workspaces = z.object({ workspaces: z.array(Listed), nextCursor: z.string().nullable() });

export async function findOrMakeWorkspace(admin: Admin): Promise<DemoWorkspace> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: z.infer<typeof Workspaces> = await ask(admin, `/admin/workspaces?limit=${PAGE}${query}`, Workspaces);
    const found = page.workspaces.find(({ name }) => name === FIRST_WORKSPACE_NAME);
    if (found !== undefined) return asFound(found);
    cursor = page.nextCursor;
  }
  const { workspace } = await ask(admin, "/admin/workspaces", NewWorkspace, "POST", { name: FIRST_WORKSPACE_NAME });
  return asFound({ ...workspace, writeLimit: DEFAULT_WRITE_LIMIT, dpa: null, dpaHistory: [], keys: [] });
}

function asFound({ id, writeLimit, dpa, dpaHistory, keys }: Omit<z.infer<typeof Listed>, "name">): DemoWorkspace {
  const dates = keys.flatMap(({ name }) => READING_KEY.exec(name ?? "")?.[1] ?? []).toSorted();
  const standing = keys.filter(({ revokedAt }) => revokedAt === null);
  return {
    id,
    filledFrom: dates[0] ?? null,
    // The agreement is accepted when all has been sent; it stays in the history when it is withdrawn.
    isFilled: dates.length > 0 && dpaHistory.length > 0,
    agreement: dpa !== null ? "stands" : dpaHistory.length > 0 ? "withdrawn" : "never accepted",
    // With the most there is, a run was broken off too hard to put back what it found.
    writeLimit: writeLimit === MAX_WRITE_LIMIT ? DEFAULT_WRITE_LIMIT : writeLimit,
    readingKeys: standing.filter(({ name }) => READING_KEY.test(name ?? "")).map((key) => key.id),
    senderKeys: standing.filter(({ name }) => name === SENDER_KEY).map((key) => key.id),
  };
}

/** The key that people get, which may read and ask. Its name is what `filledFrom` is read from. */
export const makeReadingKey = (admin: Admin, { id }: DemoWorkspace, date: string): Promise<Key> =>
  makeKey(admin, id, `demo ${date}`, ["read", "ask"]);

/**
 * The key that the demo itself sends with, for as long as it needs it, with the write limit out of its way. Both are put
 * right in the end, also when `admin.stop` breaks it off.
 */
export async function whileSending<T>(
  { stop, ...admin }: Admin,
  { id, writeLimit, senderKeys }: DemoWorkspace,
  work: (key: string) => Promise<T>,
): Promise<T> {
  await revokeKeys(admin, id, senderKeys);
  const { id: keyId, key } = await makeKey(admin, id, SENDER_KEY, ["ingest", "identity", "inbox", "read"]);
  try {
    await limitTo(admin, id, MAX_WRITE_LIMIT);
    stop?.throwIfAborted();
    return await work(key);
  } finally {
    await limitTo(admin, id, writeLimit);
    await revokeKeys(admin, id, [keyId]);
  }
}

export async function revokeKeys(admin: Admin, id: string, keyIds: readonly string[]): Promise<void> {
  for (const keyId of keyIds) await ask(admin, `/admin/workspaces/${id}/keys/${keyId}`, Answer, "DELETE");
}

export async function acceptAgreement(admin: Admin, { id }: DemoWorkspace): Promise<void> {
  await ask(admin, `/admin/workspaces/${id}/dpa`, Answer, "PUT", { acceptedBy: "The demo", version: "1" });
}

/** What runs of the cron made of a history that had come by half is made anew by the next one. */
export async function requestRebuild(admin: Admin, { id }: DemoWorkspace): Promise<void> {
  await ask(admin, `/admin/workspaces/${id}/rebuild`, Answer, "POST");
}

const Recompute = z.object({ skipped: z.string().optional(), complete: z.boolean().optional() });

/** @returns whether nothing is left to do; false also while another run is under way */
export async function recompute(admin: Admin): Promise<boolean> {
  const { skipped, complete } = await ask(admin, "/admin/recompute", Recompute, "POST");
  return skipped === undefined && complete === true;
}

async function makeKey(admin: Admin, id: string, name: string, scopes: readonly string[]): Promise<Key> {
  const { key } = await ask(admin, `/admin/workspaces/${id}/keys`, NewKey, "POST", { name, scopes });
  return key;
}

const limitTo = (admin: Admin, id: string, writeLimit: number): Promise<unknown> =>
  ask(admin, `/admin/workspaces/${id}`, Answer, "PATCH", { writeLimit });

const ask = <T>(
  { url, token, stop }: Admin,
  path: string,
  schema: z.ZodType<T>,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" = "GET",
  body?: unknown,
): Promise<T> => call(url, { method, path, key: token, stop, ...(body === undefined ? {} : { body }) }, schema);
