/** A Worker's bundle, as wrangler would deploy it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";

import { command, ROOT } from "../check/command.ts";

export const PROJECT_CONFIG = join(ROOT, "wrangler.toml");

/**
 * @param entry of another Worker than the one that the configuration names
 * @param config the project's own, or that of another Worker
 * @returns the source of its one module
 * @throws Error with what wrangler printed, when it does not build
 */
export async function buildWorker(entry?: string, config = PROJECT_CONFIG): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  try {
    const of = entry === undefined ? [] : [entry];
    const built = await command("wrangler", ["deploy", ...of, "--config", config, "--dry-run", "--outdir", folder]);
    if (!built.ok) throw new Error(`The Worker does not build.\n${built.output}`);
    return await readFile(join(folder, `${parse(entry ?? "index.ts").name}.js`), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}
