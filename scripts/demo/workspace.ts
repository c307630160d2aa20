/**
 * Finds or creates the demo's workspace: the newest one with the name that `npm start` uses.
 *
 * Each run creates a key named after its date. Revoked keys stay in the list, so the oldest one tells when the demo was
 * first run. The story continues from that day, and messages of earlier runs are recognized as duplicates.
 */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { FIRST_WORKSPACE_NAME } from "../start/first-workspace.ts";
import { call, type Client } from "./service.ts";

interface DemoWorkspace {
  id: string;
  /** The date of the first run; null before it. */
  firstRunOn: string | null;
  /** Whether a run has finished. From then on the demo doesn't overwrite changes that people make. */
  isFilled: boolean;
  /** The data processing agreement, without which no names are stored. */
  agreement: "accepted" | "withdrawn" | "never accepted";
  writeLimit: number;
  /** Active keys of earlier runs: those for the user, and those with which a canceled run was sending. */
  readKeys: string[];
  senderKeys: string[];
}

export interface Key {
  id: string;
  key: string;
}

const PAGE = 200;

const READ_KEY = /^demo (\d{4}-\d{2}-\d{2})$/;
const SENDER_KEY = "demo sender";

const OkResponse = z.object({ ok: z.literal(true) });
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

export async function findOrCreateWorkspace(admin: Client): Promise<DemoWorkspace> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: z.infer<typeof Workspaces> = await call(
      admin,
      "GET",
      `/admin/workspaces?limit=${PAGE}${query}`,
      Workspaces,
    );
    const found = page.workspaces.find(({ name }) => name === FIRST_WORKSPACE_NAME);
    if (found !== undefined) return demoWorkspace(found);
    cursor = page.nextCursor;
  }
  const { workspace } = await call(admin, "POST", "/admin/workspaces", NewWorkspace, { name: FIRST_WORKSPACE_NAME });
  return demoWorkspace({ ...workspace, writeLimit: DEFAULT_WRITE_LIMIT, dpa: null, dpaHistory: [], keys: [] });
}

function demoWorkspace({ id, writeLimit, dpa, dpaHistory, keys }: Omit<z.infer<typeof Listed>, "name">): DemoWorkspace {
  const dates = keys.flatMap(({ name }) => READ_KEY.exec(name ?? "")?.[1] ?? []).toSorted();
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  return {
    id,
    firstRunOn: dates[0] ?? null,
    // The first run accepts the agreement at its end. Its history survives a withdrawal.
    isFilled: dates.length > 0 && dpaHistory.length > 0,
    agreement: dpa !== null ? "accepted" : dpaHistory.length > 0 ? "withdrawn" : "never accepted",
    writeLimit,
    readKeys: active.filter(({ name }) => READ_KEY.test(name ?? "")).map((key) => key.id),
    senderKeys: active.filter(({ name }) => name === SENDER_KEY).map((key) => key.id),
  };
}

/** Creates the key for the user. Its name holds the date that becomes `firstRunOn`. */
export const createReadKey = (admin: Client, { id }: DemoWorkspace, date: string): Promise<Key> =>
  createKey(admin, id, `demo ${date}`, ["read", "ask"]);

/**
 * Runs `work` with a temporary key and the highest write limit. Afterwards it revokes the key and restores a limit that a
 * person has set, even when `admin.stop` cancels the work. The default limit is not restored: the demo's own messages
 * would use it up for the first requests of the user.
 */
export async function whileSending<T>(
  { stop, ...admin }: Client,
  { id, writeLimit, senderKeys }: DemoWorkspace,
  work: (key: string) => Promise<T>,
): Promise<T> {
  await revokeKeys(admin, id, senderKeys);
  const { id: keyId, key } = await createKey(admin, id, SENDER_KEY, ["ingest", "identity", "inbox", "read"]);
  try {
    await limitTo(admin, id, MAX_WRITE_LIMIT);
    stop?.throwIfAborted();
    return await work(key);
  } finally {
    if (writeLimit !== DEFAULT_WRITE_LIMIT) await limitTo(admin, id, writeLimit);
    await revokeKeys(admin, id, [keyId]);
  }
}

export async function revokeKeys(admin: Client, id: string, keyIds: readonly string[]): Promise<void> {
  for (const keyId of keyIds) await call(admin, "DELETE", `/admin/workspaces/${id}/keys/${keyId}`, OkResponse);
}

export async function acceptAgreement(admin: Client, { id }: DemoWorkspace): Promise<void> {
  await call(admin, "PUT", `/admin/workspaces/${id}/dpa`, OkResponse, { acceptedBy: "The demo", version: "1" });
}

/** Has the next run recompute everything, because a run of the cron may have seen only half of the history. */
export async function requestRebuild(admin: Client, { id }: DemoWorkspace): Promise<void> {
  await call(admin, "POST", `/admin/workspaces/${id}/rebuild`, OkResponse);
}

const Recompute = z.object({ skipped: z.string().optional(), complete: z.boolean().optional() });

/** @returns whether nothing is left to do; false also while another run holds the lease */
export async function recompute(admin: Client): Promise<boolean> {
  const { skipped, complete } = await call(admin, "POST", "/admin/recompute", Recompute);
  return skipped === undefined && complete === true;
}

async function createKey(admin: Client, id: string, name: string, scopes: readonly string[]): Promise<Key> {
  const { key } = await call(admin, "POST", `/admin/workspaces/${id}/keys`, NewKey, { name, scopes });
  return key;
}

const limitTo = (admin: Client, id: string, writeLimit: number): Promise<unknown> =>
  call(admin, "PATCH", `/admin/workspaces/${id}`, OkResponse, { writeLimit });
