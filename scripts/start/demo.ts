/**
 * The demo workspace: made at the first start, remembered beside the data it belongs to, checked at every further start.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { StartFailure } from "./settings.ts";

const Demo = z.object({ workspaceId: z.string(), ingestKey: z.string() });
export type Demo = z.infer<typeof Demo>;

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }) });
const NewKey = z.object({ key: z.object({ key: z.string() }) });

export interface DemoOptions {
  url: string;
  adminToken: string;
  stateDir: string;
}

/** @throws StartFailure when the service refuses what a healthy one grants */
export async function demoWorkspace(options: DemoOptions): Promise<Demo> {
  const file = join(options.stateDir, "demo.json");
  const known = remembered(file);
  if (known !== null && (await accepts(options.url, known.ingestKey))) return known;

  const workspaceId = NewWorkspace.parse(await admin(options, "/admin/workspaces", { name: "Demo" })).workspace.id;
  const key = { name: "demo ingest", scopes: ["ingest"] };
  const ingestKey = NewKey.parse(await admin(options, `/admin/workspaces/${workspaceId}/keys`, key)).key.key;
  const demo = { workspaceId, ingestKey };
  writeFileSync(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  return demo;
}

function remembered(file: string): Demo | null {
  if (!existsSync(file)) return null;
  try {
    return Demo.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null; // cut short or edited: a new one is made
  }
}

/** An empty batch is authenticated, costs nothing and stores nothing. */
async function accepts(url: string, ingestKey: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/cdp`, {
    method: "POST",
    headers: { authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
    body: JSON.stringify({ batch: [] }),
  });
  await response.body?.cancel();
  return response.ok;
}

async function admin({ url, adminToken }: DemoOptions, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (response.ok) return JSON.parse(answer);
  throw new StartFailure(`The demo workspace could not be made: POST ${path} answered ${response.status}.\n${answer}`);
}
