/**
 * Builds what browsers load from the console: files in `public`, which are served without the Worker, and `dist/assets.json`, which
 * tells the Worker their paths. Each file's name has a hash of its content.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

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
  copyDocs();
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeIfChanged(join(ROOT, "dist/assets.json"), JSON.stringify(Object.fromEntries(paths), null, 2));
}

/** The console links to the documentation, as text. */
function copyDocs(): void {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  for (const page of pages.filter((path) => path.endsWith(".md") && !path.startsWith("decisions"))) {
    const copy = join(ROOT, "public/console/docs", page.replace(/md$/, "txt"));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, readFileSync(join(ROOT, "docs", page)));
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
