/** Runs `npm run demo` against the served Worker. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { z } from "zod";

import type { ServedWorker } from "../../harness/serve-worker.ts";
import { PROJECT_ROOT } from "../../harness/project-root.ts";
import type { Workspace } from "./console.ts";

const run = promisify(execFile);

/** The workspace that `npm run demo` fills. */
const NAME = "Demo";

const Workspaces = z.object({ workspaces: z.array(z.object({ id: z.string(), name: z.string() })) });
const NewKey = z.object({ key: z.object({ key: z.string() }) });

export async function demo(worker: ServedWorker): Promise<Workspace> {
  const env = { ...process.env, PORT: new URL(worker.url).port, ADMIN_TOKEN: worker.adminToken };
  await run("npm", ["run", "demo"], { cwd: PROJECT_ROOT, env });
  const { workspaces } = Workspaces.parse(await (await worker.admin("GET", "/admin/workspaces")).json());
  const id = workspaces.find(({ name }) => name === NAME)?.id;
  if (id === undefined) throw new Error(`There is no workspace “${NAME}”`);
  const { key } = NewKey.parse(await (await worker.admin("POST", `/admin/workspaces/${id}/keys`, {})).json());
  return { id, name: NAME, key: key.key };
}
