/** A Worker's bundle, as wrangler would deploy it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { command } from "../check/command.ts";

/**
 * @param entry of another Worker than the one that `wrangler.toml` names, with the same bindings
 * @returns the source of its one module
 * @throws Error with what wrangler printed, when it does not build
 */
export async function buildWorker(entry?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  try {
    const built = await command("wrangler", ["deploy", ...(entry ? [entry] : []), "--dry-run", "--outdir", folder]);
    if (!built.ok) throw new Error(`The Worker does not build.\n${built.output}`);
    const name = entry === undefined ? "index.js" : entry.replace(/^.*\//, "").replace(/\.ts$/, ".js");
    return await readFile(join(folder, name), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}
