/** Launches a headless Chromium with a new profile, which can reach only the service under test. */
import { type Browser, chromium } from "playwright-core";

import { findChromium, NO_CHROMIUM } from "./find-chromium.ts";

const ARGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Every other host is unreachable.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  // The sandbox doesn't run as root, which containers use.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, args: ARGS });
}
