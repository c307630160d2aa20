/**
 * `npm start`: runs the whole service on this machine, with a demo workspace and commands to try it.
 *
 * Runs until SIGINT, SIGTERM or SIGHUP, then ends everything it started and exits with 0. Restarts the Worker when it
 * crashes or stops answering. When the service can't start, it prints the reason and exits with 1.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { adminToken, ensureSecretsKey } from "./start/secrets.ts";
import { fireCron } from "./start/cron.ts";
import { countStored, firstWorkspace } from "./start/first-workspace.ts";
import { untilUnresponsive } from "./start/health-probe.ts";
import { requireAllDatabases } from "./start/local-databases.ts";
import { OWN_REQUEST } from "./start/noise.ts";
import { assertPortIsFree, baseUrl, readSettings, type Settings, StartFailure } from "./start/settings.ts";
import { lockStateDir } from "./start/state-lock.ts";
import { welcome } from "./start/welcome.ts";
import { applyMigrations, cleanUp, startWorker } from "./start/wrangler.ts";

const READY_MS = 60_000;
const READY_POLL_MS = 50;
const READY_ANSWER_MS = 10_000;
const PARENT_POLL_MS = 1_000;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());
if (process.env["npm_lifecycle_event"] !== undefined) stopWithParent();

try {
  if (process.argv.length > 2)
    throw new StartFailure("It takes no arguments. Its settings are variables, such as PORT=8788: see README.md.");
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
  const lock = lockStateDir(settings);
  try {
    await assertPortIsFree(settings);
    requireAllDatabases(settings);
    cleanUp(settings);
    await serveLocked(settings, stop);
  } finally {
    cleanUp(settings);
    lock.release();
  }
}

async function serveLocked(settings: Settings, stop: AbortSignal): Promise<void> {
  const token = adminToken(settings);
  ensureSecretsKey(settings);
  await applyMigrations(settings, stop);

  const url = baseUrl(settings);
  let isFirst = true;
  while (!stop.aborted) {
    const reason = await runWorker(settings, stop, async () => {
      if (!isFirst) return console.error("The service is up again.");
      isFirst = false;
      const options = { url, adminToken: token.value, stateDir: settings.stateDir };
      const workspace = await firstWorkspace(options);
      console.log(welcome({ settings, token, workspace, stored: await countStored(options, workspace) }));
    });
    if (!stop.aborted) console.error(`npm start: ${reason} Restarting…`);
  }
}

/**
 * Runs the Worker until it fails or the signal aborts.
 *
 * @returns why it failed
 * @throws StartFailure when it fails before it is ready
 */
async function runWorker(settings: Settings, stop: AbortSignal, onReady: () => Promise<void>): Promise<string> {
  const url = baseUrl(settings);
  const worker = startWorker(settings);
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  let isReady = false;
  const crashed = worker.ended.then((code) => {
    const reason = `wrangler dev ended with exit code ${code}.`;
    if (!isReady) throw new StartFailure(reason);
    return reason;
  });
  const stopped = new Promise<string>((settle) =>
    stop.addEventListener("abort", () => settle("Stopped."), { once: true }),
  );
  const run = async (): Promise<string> => {
    await waitUntilReady(url, signal);
    isReady = true;
    await onReady();
    void fireCron(url, signal);
    await untilUnresponsive(url, signal);
    return "The service stopped answering.";
  };
  try {
    return await Promise.race([run(), crashed, stopped]);
  } finally {
    over.abort();
    await worker.stop();
  }
}

/** Waits until the Worker and its D1 answer. */
async function waitUntilReady(url: string, stop: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let last = "no answer";
  for (;;) {
    try {
      // A service that accepts the connection and never answers must not outlast the deadline.
      const signal = AbortSignal.any([stop, AbortSignal.timeout(READY_ANSWER_MS)]);
      const response = await fetch(`${url}/readyz`, { signal, headers: OWN_REQUEST });
      last = `${response.status} ${await response.text()}`;
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) throw new StartFailure(`The service was not ready in time. GET /readyz: ${last}`);
    await sleep(READY_POLL_MS, undefined, { signal: stop });
  }
}

/** Stops with npm: some shells between npm and this process don't pass signals on, and a killed npm can't. */
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stopping.abort();
  }, PARENT_POLL_MS).unref();
}
