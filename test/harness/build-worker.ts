/** A Worker's bundle, as wrangler would deploy it. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";

import { command, ROOT } from "../../scripts/check/command.ts";

/** What `wrangler.toml` has rules for. */
const TEXT = /\.(css|txt)$/;

export const PROJECT_CONFIG = join(ROOT, "wrangler.toml");

/** The module that wrangler makes of all code first, then the files that it imports as text. */
export interface WorkerModule {
  type: "ESModule" | "Text";
  path: string;
  contents: string;
}

/**
 * @param entry of another Worker than the one that the configuration names
 * @param config the project's own, or that of another Worker
 * @throws Error with what wrangler printed, when it does not build
 */
export async function buildWorker(entry?: string, config = PROJECT_CONFIG): Promise<WorkerModule[]> {
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  try {
    const of = entry === undefined ? [] : [entry];
    const built = await command("wrangler", ["deploy", ...of, "--config", config, "--dry-run", "--outdir", folder]);
    if (!built.ok) throw new Error(`The Worker does not build.\n${built.output}`);
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
