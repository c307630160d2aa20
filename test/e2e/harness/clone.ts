/**
 * A copy of the project to run `npm start` in, so that the .dev.vars and the database of whoever runs the tests stay
 * as they are. Its packages are the project's own.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-port.ts";
import { isUp } from "./is-up.ts";
import { type ProcessGroup, PROJECT_ROOT, startGroup } from "./process-group.ts";

const COPIED =
  "package.json package-lock.json .npmrc wrangler.toml tsconfig.json tsconfig.base.json src migrations scripts";

export interface Clone extends AsyncDisposable {
  readonly root: string;
  readonly port: number;
  /** Runs `npm start` with a database inside the copy. */
  start(env?: Record<string, string>): ProcessGroup;
  /** The same, and waits until it has printed its last command. */
  up(env?: Record<string, string>): Promise<ProcessGroup>;
}

export async function makeClone(): Promise<Clone> {
  const root = mkdtempSync(join(tmpdir(), "clone-"));
  for (const name of COPIED.split(" ")) cpSync(join(PROJECT_ROOT, name), join(root, name), { recursive: true });
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
      await isUp(group);
      return group;
    },
    [Symbol.asyncDispose]: async () => {
      for (const group of started) await group.kill();
      rmSync(root, { recursive: true });
    },
  };
}
