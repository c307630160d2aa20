/** Bundles a Worker as wrangler would deploy it. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
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
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  try {
    const entries = entry === undefined ? [] : [entry];
    const args = ["deploy", ...entries, "--config", config, "--dry-run", "--outdir", folder];
    const env = { ...process.env, ...QUIET_WRANGLER };
    await run(process.execPath, [WRANGLER, ...args], { cwd: PROJECT_ROOT, env });
    const main = `${parse(entry ?? "index.ts").name}.js`;
    const texts = (await readdir(folder)).filter((name) => TEXT.test(name));
    const read = async (path: string) => ({ path, contents: await readFile(join(folder, path), "utf8") });
    return [
      { type: "ESModule", ...(await read(main)) },
      ...(await Promise.all(texts.map(async (path) => ({ type: "Text" as const, ...(await read(path)) })))),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
