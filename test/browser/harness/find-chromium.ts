/** Finds the Chromium that is installed on this machine. Never downloads one. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Searched even if it is not on PATH. */
const USUAL_FOLDER = "/usr/bin";

export const NO_CHROMIUM = "no Chromium found (set CHROMIUM, or install Debian's chromium)";

/**
 * @param env CHROMIUM in it names the executable, and no other is looked for then
 * @returns the executable's path, `null` where there is none
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env["CHROMIUM"]) return isExecutable(env["CHROMIUM"]) ? env["CHROMIUM"] : null;
  const folders = new Set([...(env["PATH"] ?? "").split(delimiter), USUAL_FOLDER]);
  const paths = NAMES.flatMap((name) => [...folders].map((folder) => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
