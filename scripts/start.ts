/**
 * `npm start`: the whole service on this machine, with a demo workspace and a command to try it.
 *
 * Runs until SIGINT, SIGTERM or SIGHUP, then ends everything it started and exits with 0. Anything that keeps it from
 * running is told in a line, with exit code 1.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { adminToken } from "./start/admin-token.ts";
import { fireCron } from "./start/cron.ts";
import { firstWorkspace, storedIn } from "./start/first-workspace.ts";
import { OWN_REQUEST } from "./start/own-requests.ts";
import { assertPortIsFree, baseUrl, readSettings, type Settings, StartFailure } from "./start/settings.ts";
import { demoCommand, welcome } from "./start/welcome.ts";
import { applyMigrations, startWrangler } from "./start/wrangler.ts";

const READY_MS = 60_000;
const READY_POLL_MS = 50;
/** Ctrl-C reaches wrangler as well, whose end may be noticed before our own signal. */
const SIGNAL_RACE_MS = 250;
const PARENT_POLL_MS = 1_000;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());
if (process.env["npm_lifecycle_event"] !== undefined) stopWithParent();

try {
  await serve(readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env), stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error("npm start:", error instanceof StartFailure ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  stopping.abort();
}

async function serve(settings: Settings, stop: AbortSignal): Promise<void> {
  await assertPortIsFree(settings);
  const token = adminToken(settings);
  await applyMigrations(settings, stop);
  if (stop.aborted) return;

  const url = baseUrl(settings);
  const wrangler = startWrangler(settings);
  const crashed = wrangler.ended.then(async (how) => {
    await sleep(SIGNAL_RACE_MS, undefined, { signal: stop });
    throw new StartFailure(how);
  });
  const stopped = new Promise<void>((settle) => stop.addEventListener("abort", () => settle(), { once: true }));
  try {
    await Promise.race([run(), crashed, stopped]);
  } finally {
    await wrangler.stop();
  }

  async function run(): Promise<void> {
    await isReady(url, stop);
    const options = { url, adminToken: token.value, stateDir: settings.stateDir };
    const workspace = await firstWorkspace(options);
    const stored = await storedIn(options, workspace);
    console.log(welcome(url, workspace, token, { stored, demo: demoCommand(settings) }));
    await fireCron(url, stop);
  }
}

/** Waits until the Worker answers and D1 behind it. */
async function isReady(url: string, stop: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let last = "nothing";
  while (!stop.aborted) {
    try {
      const response = await fetch(`${url}/readyz`, { signal: stop, headers: OWN_REQUEST });
      last = `${response.status} ${await response.text()}`;
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) throw new StartFailure(`The service was not ready in time. GET /readyz: ${last}`);
    await sleep(READY_POLL_MS);
  }
}

/** Some shells between npm and us don't pass signals on; and a killed npm can't. */
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stopping.abort();
  }, PARENT_POLL_MS).unref();
}
