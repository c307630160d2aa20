/**
 * Copies the project, so that a test can run `npm start` as on a fresh clone and leave the .dev.vars and the database of
 * whoever runs the tests alone. The copy uses the project's own packages.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";
import { type ProcessGroup, startGroup } from "./process-group.ts";
import { PROJECT_ROOT } from "./project-root.ts";
import { waitUntilUp } from "./service.ts";

const COPIED =
  "package.json package-lock.json .npmrc wrangler.toml tsconfig.json tsconfig.base.json src public docs migrations scripts evals ops clients";

const filter = (path: string) => !path.endsWith("node_modules");

export interface ProjectCopy extends AsyncDisposable {
  readonly root: string;
  readonly port: number;
  /** Runs `npm start` with a database inside the copy. */
  start(env?: Record<string, string>): ProcessGroup;
  /** Runs `npm start` and waits until the service is up. */
  up(env?: Record<string, string>): Promise<ProcessGroup>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const root = mkdtempSync(join(tmpdir(), "project-"));
  for (const name of COPIED.split(" ")) cpSync(join(PROJECT_ROOT, name), join(root, name), { recursive: true, filter });
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  const port = await freePort();
  const started: ProcessGroup[] = [];

  const start = (env: Record<string, string> = {}): ProcessGroup => {
    const defaults = { PORT: String(port), STATE_DIR: join(root, "state") };
    const group = startGroup("npm", ["start"], { cwd: root, env: { ...defaults, ...env } });
    started.push(group);
    return group;
  };
  return {
    root,
    port,
    start,
    up: async (env) => {
      const group = start(env);
      await waitUntilUp(group);
      return group;
    },
    [Symbol.asyncDispose]: async () => {
      for (const group of started) await group.kill();
      rmSync(root, { recursive: true });
    },
  };
}
