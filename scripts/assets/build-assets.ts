/**
 * Builds what browsers load from the console: files in `public`, which are served without the Worker, and `dist/assets.json`, which
 * tells the Worker their paths. Each file's name has a hash of its content.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { docsPages } from "./docs-pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = join(ROOT, "src/console/assets");
const BASE = "/console/assets";

export async function buildAssets(): Promise<void> {
  const outdir = join(ROOT, "public", BASE);
  const { metafile, outputFiles } = await build({
    absWorkingDir: SOURCES,
    entryPoints: ["console.css", "console.ts", "charts.ts", "icon.svg"],
    outdir,
    entryNames: "[name].[hash]",
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome111", "firefox114", "safari16.4"],
    loader: { ".svg": "copy" },
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const paths = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, `${BASE}/${basename(path)}`] as const],
  );
  const pathOf = Object.fromEntries(paths);
  const docs = docsPages(join(ROOT, "docs"), { styles: pathOf["console.css"] ?? "", icon: pathOf["icon.svg"] ?? "" });
  fill(outdir, new Map(outputFiles.map(({ path, contents }) => [path, contents])));
  const docsFolder = join(ROOT, "public/console/docs");
  fill(docsFolder, new Map(docs.map(({ path, html }) => [join(docsFolder, path), html])));
  writeIfChanged(join(ROOT, "dist/assets.json"), JSON.stringify(pathOf, null, 2));
}

/** Gives a folder exactly these files. Others may fill it at the same time, because each wrangler builds before it starts. */
function fill(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, contents] of files) writeIfChanged(path, contents);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(path)) rmSync(path, { force: true });
  }
}

/** wrangler would bundle the Worker again for a file that was only touched. */
function writeIfChanged(path: string, contents: string | Uint8Array): void {
  try {
    if (readFileSync(path).equals(Buffer.from(contents))) return;
  } catch {
    // It doesn't exist yet.
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
