/**
 * Creates the demo workspace at the first start and saves it in the state directory. Later starts reuse it for as long as
 * its keys work. `npm run demo` finds it by its name.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { OWN_REQUEST } from "./noise.ts";
import { StartFailure } from "./settings.ts";

export const FIRST_WORKSPACE_NAME = "Demo";

const FirstWorkspace = z.object({ workspaceId: z.string(), ingestKey: z.string(), readKey: z.string() });
export type FirstWorkspace = z.infer<typeof FirstWorkspace>;

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }) });
const WorkspaceCounters = z.object({ workspace: z.object({ counters: z.object({ stored: z.number() }) }) });
const NewKey = z.object({ key: z.object({ key: z.string() }) });

interface Options {
  url: string;
  adminToken: string;
  stateDir: string;
}

/** @throws StartFailure when the service refuses a request that a healthy one grants */
export async function firstWorkspace(options: Options): Promise<FirstWorkspace> {
  const file = join(options.stateDir, "demo.json");
  const known = readSaved(file);
  if (known !== null && (await keysWork(options.url, known))) return known;

  const created = await admin(options, "POST", "/admin/workspaces", { name: FIRST_WORKSPACE_NAME });
  const workspaceId = NewWorkspace.parse(created).workspace.id;
  const createKey = async (name: string, scope: string): Promise<string> => {
    const body = { name, scopes: [scope] };
    return NewKey.parse(await admin(options, "POST", `/admin/workspaces/${workspaceId}/keys`, body)).key.key;
  };
  const ingestKey = await createKey("demo ingest", "ingest");
  const workspace = { workspaceId, ingestKey, readKey: await createKey("reader", "read") };
  writeFileSync(file, `${JSON.stringify(workspace)}\n`, { mode: 0o600 });
  return workspace;
}

/** Counts the messages stored in the workspace. */
export async function countStored(options: Options, { workspaceId }: FirstWorkspace): Promise<number> {
  const found = await admin(options, "GET", `/admin/workspaces/${workspaceId}`);
  return WorkspaceCounters.parse(found).workspace.counters.stored;
}

function readSaved(file: string): FirstWorkspace | null {
  if (!existsSync(file)) return null;
  try {
    return FirstWorkspace.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null; // truncated or edited: create a new workspace
  }
}

/** An empty batch is authenticated, and neither stored nor charged. */
async function keysWork(url: string, { ingestKey, readKey }: FirstWorkspace): Promise<boolean> {
  const responses = await Promise.all([
    fetch(`${url}/api/v1/cdp`, {
      method: "POST",
      headers: { ...OWN_REQUEST, authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
      body: JSON.stringify({ batch: [] }),
    }),
    fetch(`${url}/api/v1/events?limit=1`, { headers: { ...OWN_REQUEST, authorization: `Bearer ${readKey}` } }),
  ]);
  await Promise.all(responses.map((response) => response.text()));
  return responses.every(({ ok }) => ok);
}

async function admin(
  { url, adminToken }: Options,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { ...OWN_REQUEST, authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (response.ok) return JSON.parse(answer);
  throw new StartFailure(
    `The demo workspace could not be set up: ${method} ${path} returned ${response.status}.\n${answer}`,
  );
}
