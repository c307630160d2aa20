/** Starts the service under test, with workspaces that have something to read, mark and ask about. */
import * as z from "zod";

import { Description } from "../e2e/openapi/description.ts";
import { type Story, tellStory } from "../e2e/openapi/story.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { LogCheck } from "./log-check.ts";

/** Is part of everything in the other workspace, so no answer to the first one may hold it. */
export const OTHER_MARK = "only-for-the-other-workspace";
/** The highest limit. */
const WRITE_LIMIT = 100_000;
/** Workspaces that administration requests change and erase. */
const TARGETS = 12;
/** Keeps one recompute from holding up the other requests. */
const RECOMPUTE_BUDGET_MS = "1000";
const LISTS = ["/api/v1/events", "/api/v1/rejected", "/api/v1/accounts", "/api/v1/inbox"];

const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });
const List = z.object({ nextCursor: z.string().nullable() });

/** Everything that a request names. */
export interface Workspaces {
  story: Story;
  /** Opens a second workspace. */
  otherKey: string;
  /** A revoked key, and one with few scopes. */
  wrongKeys: string[];
  adminToken: string;
  targets: { id: string; keyId: string }[];
  /** Cursors of the story's lists, by path. */
  cursors: Record<string, string>;
}

export interface FuzzedService extends AsyncDisposable {
  worker: ServedWorker;
  description: Description;
  workspaces: Workspaces;
  log: LogCheck;
}

export async function startService(): Promise<FuzzedService> {
  const log = new LogCheck();
  const worker = await serveWorker(await buildWorker(), {
    onLog: (line) => log.read(line),
    vars: { RECOMPUTE_BUDGET_MS },
    databases: ["DB_1"],
  });
  try {
    const story = await tellStory(worker);
    const other = await worker.createWorkspace({ writeLimit: WRITE_LIMIT });
    await send(worker, other.key, { type: "track", userId: "u1", event: "a", properties: { mark: OTHER_MARK } });
    await send(worker, other.key, { type: "group", userId: "u1", groupId: "acme", traits: { plan: OTHER_MARK } });
    const revoked = await createKey(worker, other.id);
    await worker.admin("DELETE", `/admin/workspaces/${other.id}/keys/${revoked.id}`);
    const wrongKeys = [revoked.key, story.keyWithout("read")];
    const { adminToken } = worker;
    log.secrets = [adminToken, ...wrongKeys];
    const workspaces: Workspaces = { story, otherKey: other.key, wrongKeys, adminToken, targets: [], cursors: {} };
    await replaceTargets(worker, workspaces);
    for (const path of LISTS) {
      const response = await fetch(`${worker.url}${path}?limit=1`, {
        headers: { authorization: `Bearer ${story.key}` },
      });
      workspaces.cursors[path] = List.parse(await response.json()).nextCursor ?? "";
    }
    const description = Description.parse(await (await fetch(`${worker.url}/openapi.json`)).json());
    return { worker, description, workspaces, log, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() };
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
}

/** Creates a workspace for each target that a request has erased. */
export async function replaceTargets(worker: ServedWorker, { targets }: Workspaces): Promise<void> {
  for (let place = 0; place < TARGETS; place++) {
    const id = targets[place]?.id;
    if (id !== undefined && (await worker.admin("GET", `/admin/workspaces/${id}`)).status === 200) continue;
    const created = await worker.createWorkspace({ name: "Target" });
    targets[place] = { id: created.id, keyId: (await createKey(worker, created.id)).id };
  }
}

async function createKey(worker: ServedWorker, id: string): Promise<{ id: string; key: string }> {
  const response = await worker.admin("POST", `/admin/workspaces/${id}/keys`, {});
  return NewKey.parse(await response.json()).key;
}

async function send({ url }: ServedWorker, key: string, message: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/v1/cdp`, { method: "POST", headers, body: JSON.stringify(message) });
  if (response.status !== 200) throw new Error(`The message was not stored: ${await response.text()}`);
}
