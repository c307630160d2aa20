/** Checks that the Worker builds as it would be deployed, and that it is small: start-up time grows with the bundle. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { command, type Outcome } from "./command.ts";

/** Workers accept 3 MB. */
const MAX_GZIP_BYTES = 280 * 1_024;

export async function bundleIsSmall(): Promise<Outcome> {
  const temporary = await mkdtemp(join(tmpdir(), "bundle-"));
  try {
    const built = await command("wrangler", ["deploy", "--dry-run", "--outdir", temporary]);
    if (!built.ok) return built;
    const bytes = await gzipBytes(temporary);
    return {
      ok: bytes > 0 && bytes <= MAX_GZIP_BYTES,
      note: `${(bytes / 1_024).toFixed(1)} KB gzipped`,
      output: `The bundle has ${bytes} bytes gzipped. It must have at most ${MAX_GZIP_BYTES}, and more than 0.`,
    };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Sums up what counts toward the Worker's size: source maps and wrangler's README don't. */
async function gzipBytes(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".map") && name !== "README.md");
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}
