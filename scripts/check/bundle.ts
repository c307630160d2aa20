/**
 * Does the Worker build as it would be deployed, and is it small? Start-up time grows with the bundle.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { command, type Outcome } from "./command.ts";

/** The lexicon and rules of questions are 60 KB of it, the console 90, the API's description 17; Workers take 3 MB. */
const MAX_GZIP_BYTES = 384 * 1_024;

export async function bundleIsSmall(): Promise<Outcome> {
  const temporary = await mkdtemp(join(tmpdir(), "bundle-"));
  try {
    const built = await command("wrangler", ["deploy", "--dry-run", "--outdir", temporary]);
    if (!built.ok) return built;
    const bytes = await gzipBytes(temporary);
    return {
      ok: bytes > 0 && bytes <= MAX_GZIP_BYTES,
      note: `${(bytes / 1_024).toFixed(1)} KB gzipped`,
      output: `The bundle is ${bytes} bytes gzipped: more than none, and at most ${MAX_GZIP_BYTES}, is right.`,
    };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Of what is uploaded: wrangler writes source maps and a README beside it. */
async function gzipBytes(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".map") && name !== "README.md");
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}
