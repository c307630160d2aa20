/**
 * The first workspace: made at the first start, remembered beside the data it belongs to, checked at every further start.
 * `npm run demo` finds it by its name.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { OWN_REQUEST } from "./own-requests.ts";
import { StartFailure } from "./settings.ts";

export const FIRST_WORKSPACE_NAME = "Demo";

const FirstWorkspace = z.object({ workspaceId: z.string(), ingestKey: z.string() });
export type FirstWorkspace = z.infer<typeof FirstWorkspace>;

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }) });
const Counted = z.object({ workspace: z.object({ counters: z.object({ stored: z.number() }) }) });
const NewKey = z.object({ key: z.object({ key: z.string() }) });

interface Options {
  url: string;
  adminToken: string;
  stateDir: string;
}

/** @throws StartFailure when the service refuses what a healthy one grants */
export async function firstWorkspace(options: Options): Promise<FirstWorkspace> {
  const file = join(options.stateDir, "demo.json");
  const known = remembered(file);
  if (known !== null && (await accepts(options.url, known.ingestKey))) return known;

  const made = await admin(options, "POST", "/admin/workspaces", { name: FIRST_WORKSPACE_NAME });
  const workspaceId = NewWorkspace.parse(made).workspace.id;
  const key = { name: "demo ingest", scopes: ["ingest"] };
  const ingestKey = NewKey.parse(await admin(options, "POST", `/admin/workspaces/${workspaceId}/keys`, key)).key.key;
  const workspace = { workspaceId, ingestKey };
  writeFileSync(file, `${JSON.stringify(workspace)}\n`, { mode: 0o600 });
  return workspace;
}

/** Messages that are stored in it. */
export async function storedIn(options: Options, { workspaceId }: FirstWorkspace): Promise<number> {
  return Counted.parse(await admin(options, "GET", `/admin/workspaces/${workspaceId}`)).workspace.counters.stored;
}

function remembered(file: string): FirstWorkspace | null {
  if (!existsSync(file)) return null;
  try {
    return FirstWorkspace.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null; // cut short or edited: a new one is made
  }
}

/** An empty batch is authenticated, costs nothing and stores nothing. */
async function accepts(url: string, ingestKey: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/cdp`, {
    method: "POST",
    headers: { ...OWN_REQUEST, authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
    body: JSON.stringify({ batch: [] }),
  });
  await response.body?.cancel();
  return response.ok;
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
    `The first workspace could not be ${body === undefined ? "read" : "made"}: ${method} ${path} answered ${response.status}.\n${answer}`,
  );
}
