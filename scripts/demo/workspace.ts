/**
 * Finds or creates the demo's workspace: the newest one with the name that `npm start` uses.
 *
 * Each run creates a key named after its date. Revoked keys stay in the list, so the oldest one tells when the demo was
 * first run. The story continues from that day, and messages of earlier runs are recognized as duplicates.
 */
import { type Client, type components, dataOf } from "../../clients/typescript/src/client.ts";
import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { FIRST_WORKSPACE_NAME } from "../start/first-workspace.ts";
import { connect, type Service } from "./service.ts";

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

const PAGE = { limit: 200 };

const READ_KEY = /^demo (\d{4}-\d{2}-\d{2})$/;
const SENDER_KEY = "demo sender";

type Listed = components["schemas"]["WorkspaceResponse"]["workspace"];

export async function findOrCreateWorkspace(admin: Client): Promise<DemoWorkspace> {
  for (let query: { limit: number; cursor?: string } | null = PAGE; query !== null;) {
    const { workspaces, nextCursor } = await workspacesOf(admin, query);
    const found = workspaces.find(({ name }) => name === FIRST_WORKSPACE_NAME);
    if (found !== undefined) return demoWorkspace(found);
    query = nextCursor === null ? null : { ...PAGE, cursor: nextCursor };
  }
  const { workspace } = await dataOf(admin.POST("/admin/workspaces", { body: { name: FIRST_WORKSPACE_NAME } }));
  return demoWorkspace({ ...workspace, dpa: null, dpaHistory: [], keys: [] });
}

const workspacesOf = (admin: Client, query: { limit: number; cursor?: string }) =>
  dataOf(admin.GET("/admin/workspaces", { params: { query } }));

function demoWorkspace({
  id,
  writeLimit,
  dpa,
  dpaHistory,
  keys,
}: Pick<Listed, "id" | "writeLimit" | "dpa" | "dpaHistory" | "keys">): DemoWorkspace {
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
  createKey(admin, id, { name: `demo ${date}`, scopes: ["read", "ask"] });

/**
 * Runs `work` with a temporary key and the highest write limit. Afterwards it revokes the key and restores a limit that a
 * person has set, even when `stop` cancels the work. The default limit is not restored: the demo's own messages
 * would use it up for the first requests of the user.
 */
export async function whileSending<T>(
  { url, token, stop }: Service,
  { id, writeLimit, senderKeys }: DemoWorkspace,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const admin = connect(url, token);
  await revokeKeys(admin, id, senderKeys);
  const { id: keyId, key } = await createKey(admin, id, {
    name: SENDER_KEY,
    scopes: ["ingest", "identity", "inbox", "read"],
  });
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
  for (const keyId of keyIds)
    await dataOf(admin.DELETE("/admin/workspaces/{id}/keys/{keyId}", { params: { path: { id, keyId } } }));
}

export async function acceptAgreement(admin: Client, { id }: DemoWorkspace): Promise<void> {
  const body = { acceptedBy: "The demo", version: "1" };
  await dataOf(admin.PUT("/admin/workspaces/{id}/dpa", { params: { path: { id } }, body }));
}

/** Has the next run recompute everything, because a run of the cron may have seen only half of the history. */
export async function requestRebuild(admin: Client, { id }: DemoWorkspace): Promise<void> {
  await dataOf(admin.POST("/admin/workspaces/{id}/rebuild", { params: { path: { id } } }));
}

/** @returns whether nothing is left to do; false also while another run holds the lease */
export async function recompute(admin: Client): Promise<boolean> {
  const run = await dataOf(admin.POST("/admin/recompute"));
  return !("skipped" in run) && run.complete;
}

async function createKey(admin: Client, id: string, body: components["schemas"]["NewKeyRequest"]): Promise<Key> {
  const { key } = await dataOf(admin.POST("/admin/workspaces/{id}/keys", { params: { path: { id } }, body }));
  return key;
}

const limitTo = (admin: Client, id: string, writeLimit: number) =>
  dataOf(admin.PATCH("/admin/workspaces/{id}", { params: { path: { id } }, body: { writeLimit } }));
