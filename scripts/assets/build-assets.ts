/**
 * Builds what browsers load from the console: files in `public`, which are served without the Worker, and `dist/assets.json`, which
 * tells the Worker their paths. Each file's name has a hash of its content.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  const pathOf = Object.fromEntries(paths);
  writeDocs({ styles: pathOf["console.css"] ?? "", icon: pathOf["icon.svg"] ?? "" });
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeIfChanged(join(ROOT, "dist/assets.json"), JSON.stringify(pathOf, null, 2));
}

function writeDocs(assets: Parameters<typeof docsPages>[1]): void {
  const folder = join(ROOT, "public/console/docs");
  rmSync(folder, { recursive: true, force: true });
  for (const { path, html } of docsPages(join(ROOT, "docs"), assets)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), html);
  }
}

/** wrangler would bundle the Worker again for a file that was only touched. */
function writeIfChanged(path: string, text: string): void {
  try {
    if (readFileSync(path, "utf8") === text) return;
  } catch {
    // It doesn't exist yet.
  }
  writeFileSync(path, text);
}
