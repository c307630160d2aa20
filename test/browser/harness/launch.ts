/** A headless Chromium that talks to the service under test and to nobody else. Its profile is new, and gone with it. */
import { type Browser, chromium } from "playwright-core";

import { findChromium, NO_CHROMIUM } from "./find-chromium.ts";

const ARGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Whatever else would like to call home finds nobody.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  // Its sandbox refuses to run as root, as containers do.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, args: ARGS });
}
