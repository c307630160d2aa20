/** Bundles a Worker as wrangler would deploy it. */
import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { promisify } from "node:util";

import { PROJECT_ROOT } from "./project-root.ts";
import { QUIET_WRANGLER } from "./quiet-wrangler.ts";

const run = promisify(execFile);

const WRANGLER = join(PROJECT_ROOT, "node_modules/wrangler/bin/wrangler.js");

/** Files that `wrangler.toml` imports as text. */
const TEXT = /\.(css|txt)$/;

export const PROJECT_CONFIG = join(PROJECT_ROOT, "wrangler.toml");

/** The bundled code first, then the files that it imports as text. */
export interface WorkerModule {
  type: "ESModule" | "Text";
  path: string;
  contents: string;
}

/**
 * @param entry the Worker's entry file; default: the one that the configuration names
 * @param config a `wrangler.toml`; default: the project's own
 * @throws Error with wrangler's output when the build fails
 */
export async function buildWorker(entry?: string, config = PROJECT_CONFIG): Promise<WorkerModule[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "worker-"));
  const entries = entry === undefined ? [] : [entry];
  const args = ["deploy", ...entries, "--config", config, "--dry-run", "--outdir", folder.path];
  const env = { ...process.env, ...QUIET_WRANGLER };
  await run(process.execPath, [WRANGLER, ...args], { cwd: PROJECT_ROOT, env });
  const texts = (await readdir(folder.path)).filter((name) => TEXT.test(name));
  const read = async (type: WorkerModule["type"], path: string): Promise<WorkerModule> => {
    return { type, path, contents: await readFile(join(folder.path, path), "utf8") };
  };
  const main = await read("ESModule", `${parse(entry ?? "index.ts").name}.js`);
  return [main, ...(await Promise.all(texts.map((path) => read("Text", path))))];
}
