/** Checks that the Worker builds as it would be deployed, and that it is small: startup time grows with the bundle. */
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { command, type Outcome } from "./command.ts";

/** Workers accept 10 MB. */
const MAX_GZIP_BYTES = 540 * 1_024;

export async function bundleIsSmall(): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "bundle-"));
  const built = await command("wrangler", ["deploy", "--dry-run", "--outdir", folder.path]);
  if (!built.ok) return built;
  const bytes = await gzipBytes(folder.path);
  return {
    ok: bytes > 0 && bytes <= MAX_GZIP_BYTES,
    note: `${(bytes / 1_024).toFixed(1)} KB gzipped`,
    output: `The bundle has ${bytes} bytes gzipped. At most ${MAX_GZIP_BYTES} are allowed.`,
  };
}

/** Counts the uploaded files. Wrangler also writes source maps and a README. */
async function gzipBytes(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".map") && name !== "README.md");
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}
