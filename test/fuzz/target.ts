/** The service under test: one of its own on bare workerd, or somebody's by its URL. */
import * as z from "zod";

import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import type { Bindings, FuzzedWorkspace } from "./bindings.ts";
import { LogWatch } from "./log-watch.ts";
import { tellStory, tenantMark } from "./story.ts";

/** The most that can be set: nothing but the tight workspace is to be refused. */
const ROOMY_LIMIT = 100_000;
const ROOMY_WORKSPACES = 3;
/** Workspaces for the administration; erased ones are replaced. */
const TARGETS = 12;
/** So that a recompute in the middle does not keep all others waiting. */
const RECOMPUTE_BUDGET_MS = "1000";

export interface Target extends AsyncDisposable {
  url: URL;
  bindings: Bindings;
  /** What stands in no answer and in no line of the log, besides the own keys. */
  secrets: string[];
  /** `null` where it is somebody else's. */
  own: { worker: ServedWorker; log: LogWatch } | null;
}

const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });
const Items = z.object({ items: z.array(z.object({ id: z.string() })) });
const List = z.object({ nextCursor: z.string().nullable() });
const LISTS = ["/api/v1/events", "/api/v1/rejected", "/api/v1/accounts", "/api/v1/inbox"];

/** Builds and serves the Worker, with something in it to be read. */
export async function ownTarget(): Promise<Target> {
  const log = new LogWatch();
  const worker = await serveWorker(await buildWorker(), {
    onLog: (line) => log.read(line),
    vars: { RECOMPUTE_BUDGET_MS },
  });
  try {
    const roomy = await Promise.all(
      Array.from({ length: ROOMY_WORKSPACES }, () => worker.createWorkspace({ writeLimit: ROOMY_LIMIT })),
    );
    const tight = await worker.createWorkspace({ writeLimit: 5 });
    const workspaces = [...roomy.map((one) => ({ ...one, tight: false })), { ...tight, tight: true }];
    const otherKeys: string[] = [];
    for (const workspace of workspaces) {
      const { id } = workspace;
      await worker.admin("PUT", `/admin/workspaces/${id}/dpa`, { acceptedBy: "Fuzz", version: "1" });
      if (!workspace.tight) await tellStory(worker.url, workspace);
      const [narrow, revoked] = [await newKey(worker, id, ["ask"]), await newKey(worker, id)];
      await worker.admin("DELETE", `/admin/workspaces/${id}/keys/${revoked.id}`);
      otherKeys.push(narrow.key, revoked.key);
    }
    await recomputeFully(worker);
    const { adminToken } = worker;
    const bindings: Bindings = {
      startedAt: Date.now(),
      workspaces,
      otherKeys,
      adminToken,
      targets: [],
      itemIds: [],
      cursors: {},
    };
    await replaceTargets({ own: { worker, log }, bindings });
    await readLists(worker.url, bindings);
    const secrets = [adminToken, ...otherKeys];
    log.watchFor(secrets);
    return {
      url: new URL(worker.url),
      bindings,
      secrets,
      own: { worker, log },
      [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
    };
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
}

/** A running service, by one key of a workspace that may be filled with anything. */
export async function othersTarget(url: string, key: string): Promise<Target> {
  const bindings: Bindings = {
    startedAt: Date.now(),
    workspaces: [{ id: "", key, tight: false }],
    otherKeys: [],
    adminToken: null,
    targets: [],
    itemIds: [],
    cursors: {},
  };
  await readLists(url, bindings);
  return { url: new URL(url), bindings, secrets: [], own: null, [Symbol.asyncDispose]: async () => undefined };
}

/** What an answer to a workspace must not hold: tokens, keys of others, and what is another workspace's. */
export const secretTo = ({ secrets, bindings }: Target, { id: own }: FuzzedWorkspace): string[] => [
  ...secrets,
  ...bindings.workspaces.flatMap(({ id }) => (id === own ? [] : [tenantMark(id)])),
];

/** Makes as many workspaces for the administration as cases have erased since. */
export async function replaceTargets({ own, bindings }: Pick<Target, "own" | "bindings">): Promise<void> {
  if (own === null) return;
  const { worker } = own;
  for (let place = 0; place < TARGETS; place++) {
    const id = bindings.targets[place]?.id;
    if (id !== undefined && (await worker.admin("GET", `/admin/workspaces/${id}`)).status === 200) continue;
    const made = await worker.createWorkspace({ name: "Target" });
    bindings.targets[place] = { id: made.id, keyId: (await newKey(worker, made.id)).id };
  }
}

/** Runs the recompute until it has come to its end. */
export async function recomputeFully(worker: ServedWorker): Promise<void> {
  for (let run = 0; run < 600; run++) {
    const response = await worker.admin("POST", "/admin/recompute");
    if (response.status !== 200) throw new Error(`the recompute answered ${response.status}: ${await response.text()}`);
    if (z.object({ complete: z.boolean().default(false) }).parse(await response.json()).complete) return;
  }
  throw new Error("the recompute does not come to its end");
}

async function newKey(
  worker: ServedWorker,
  workspace: string,
  scopes?: string[],
): Promise<{ id: string; key: string }> {
  const response = await worker.admin("POST", `/admin/workspaces/${workspace}/keys`, { scopes });
  return NewKey.parse(await response.json()).key;
}

async function readLists(url: string, bindings: Bindings): Promise<void> {
  const headers = { authorization: `Bearer ${bindings.workspaces[0]?.key ?? ""}` };
  for (const path of LISTS) {
    const response = await fetch(`${url}${path}?limit=1`, { headers });
    bindings.cursors[path] = List.parse(await response.json()).nextCursor ?? "";
  }
  const inbox = await fetch(`${url}/api/v1/inbox?limit=20`, { headers });
  bindings.itemIds.push(...Items.parse(await inbox.json()).items.map(({ id }) => id));
}
