/**
 * Runs a real `npm start` for a test: on a free port, with its own database and admin token.
 *
 *     await using service = await startService();
 *     const workspace = await service.createWorkspace({ writeLimit: 1_000 });
 *     await fetch(`${service.url}/api/v1/events`, { headers: { authorization: `Bearer ${workspace.key}` }, … });
 *
 * It ends with the test, however the test ends: see process-group.ts.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { vi } from "vitest";
import { type AdminClient, adminClient } from "./admin-client.ts";
import { freePort } from "./free-port.ts";
import { type ProcessGroup, startGroup } from "./process-group.ts";

const UP_MS = 90_000;
const STOP_MS = 15_000;

/** `npm start` prints this last. */
const LAST_WORDS = "Ctrl-C stops the service.";

export interface Service extends AdminClient, AsyncDisposable {
  readonly stateDir: string;
  /** Everything printed since the last start, on stdout and stderr. */
  output(): string;
  /** Kills every process at once, as a crash of the machine does. The database stays for `restart`. */
  kill(): Promise<void>;
  /** Stops the service if it is running, and starts it again on the same port, database and token. */
  restart(): Promise<void>;
}

/** Waits until `npm start` has printed everything. Throws its output when it ends before. */
export async function waitUntilUp(group: ProcessGroup): Promise<void> {
  try {
    await vi.waitUntil(() => group.output().includes(LAST_WORDS) || group.hasEnded(), { timeout: UP_MS });
    if (group.hasEnded()) throw new Error("It ended");
  } catch (error) {
    await group.kill();
    throw new Error(`The service did not start. It printed:\n${group.output()}`, { cause: error });
  }
}

/** @param databases how many there are */
export async function startService(databases = 1): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = randomBytes(24).toString("hex");
  const stateDir = await mkdtemp(join(tmpdir(), "behavior-ingest-"));
  const env = {
    PORT: String(port),
    STATE_DIR: stateDir,
    ADMIN_TOKEN: adminToken,
    SECRETS_KEY: randomBytes(24).toString("hex"),
    DATABASES: String(databases),
  };

  const start = async (): Promise<ProcessGroup> => {
    const started = startGroup("npm", ["start"], { env });
    await waitUntilUp(started);
    return started;
  };

  let group = await start();
  return {
    ...adminClient(url, adminToken),
    stateDir,
    output: () => group.output(),
    kill: () => group.kill(),
    restart: async () => {
      await group.stop("SIGTERM", STOP_MS);
      group = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await group.stop("SIGTERM", STOP_MS);
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
