/**
 * Serves the Worker on bare workerd for all browser tests, with one workspace full of data. A run that takes screenshots
 * also has the workspace of `npm run demo`.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { TestProject } from "vitest/node";
import { z } from "zod";

import type { Workspace } from "../../harness/admin-client.ts";
import { buildWorker } from "../../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../harness/serve-worker.ts";
import { PROJECT_ROOT } from "../../harness/project-root.ts";
import type { Served } from "./console.ts";
import { fill } from "./fill.ts";
import { MAKES_IMAGES } from "./screenshots.ts";

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const worker = await serveWorker(await buildWorker());
  try {
    project.provide("served", await furnish(worker));
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
  return async () => worker[Symbol.asyncDispose]();
}

async function furnish(worker: ServedWorker): Promise<Served> {
  const { url, adminToken } = worker;
  const { full, busy } = await fill(worker);
  return { url, adminToken, full, busy, shown: MAKES_IMAGES ? await demo(worker) : full };
}

const run = promisify(execFile);

/** The workspace that `npm run demo` fills. */
const NAME = "Demo";

const Workspaces = z.object({ workspaces: z.array(z.object({ id: z.string(), name: z.string() })) });
const NewKey = z.object({ key: z.object({ key: z.string() }) });

/** Runs `npm run demo` against the served Worker. */
async function demo(worker: ServedWorker): Promise<Workspace> {
  const env = { ...process.env, PORT: new URL(worker.url).port, ADMIN_TOKEN: worker.adminToken };
  await run("npm", ["run", "demo"], { cwd: PROJECT_ROOT, env });
  const { workspaces } = Workspaces.parse(await (await worker.admin("GET", "/admin/workspaces")).json());
  const id = workspaces.find(({ name }) => name === NAME)?.id;
  if (id === undefined) throw new Error(`There is no workspace “${NAME}”`);
  const { key } = NewKey.parse(await (await worker.admin("POST", `/admin/workspaces/${id}/keys`, {})).json());
  return { id, key: key.key };
}
