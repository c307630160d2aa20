/**
 * A real `npm start` for a test: on a free port, with a database and an admin token of its own.
 *
 *     await using service = await startService();
 *     const workspace = await service.createWorkspace({ writeLimit: 1_000 });
 *     await fetch(`${service.url}/api/v1/events`, { headers: { authorization: `Bearer ${workspace.key}` }, … });
 *
 * It is gone with the test, whatever becomes of the test: see process-group.ts.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { freePort } from "./free-port.ts";
import { isUp } from "./is-up.ts";
import { type ProcessGroup, startGroup } from "./process-group.ts";

const STOP_MS = 15_000;

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }), key: z.object({ key: z.string() }) });

export interface ServiceOptions {
  /** The project's folder; default this one. */
  root?: string;
  /** Variables on top of PORT, STATE_DIR and ADMIN_TOKEN; undefined takes one away. */
  env?: Record<string, string | undefined>;
}

export interface Workspace {
  id: string;
  /** The first key, with all scopes. */
  key: string;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
  readonly stateDir: string;
  /** What was printed since the last start: stdout and stderr. */
  output(): string;
  /** SIGTERM to npm, and waits: the exit code, which is 0 for a clean end. Does nothing when it has ended. */
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<number | null>;
  /** SIGKILL to every process at once, as a crash of the machine. The database stays for `restart`. */
  kill(): Promise<void>;
  /** Stops it if it is running, and starts it again on the same port, database and token. */
  restart(): Promise<void>;
  createWorkspace(options?: { name?: string; writeLimit?: number }): Promise<Workspace>;
  /** Runs the cron now, and waits for its end. */
  fireCron(): Promise<void>;
  /** A call to the admin API. */
  admin(method: string, path: string, body?: unknown): Promise<Response>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = randomBytes(24).toString("hex");
  const stateDir = await mkdtemp(join(tmpdir(), "behavior-ingest-"));
  const env = { PORT: String(port), STATE_DIR: stateDir, ADMIN_TOKEN: adminToken, ...options.env };

  const start = async (): Promise<ProcessGroup> => {
    const started = startGroup("npm", ["start"], { env, ...(options.root === undefined ? {} : { cwd: options.root }) });
    await isUp(started);
    return started;
  };

  let group = await start();
  const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const service: Service = {
    url,
    adminToken,
    stateDir,
    output: () => group.output(),
    stop: (signal = "SIGTERM") => group.stop(signal, STOP_MS),
    kill: () => group.kill(),
    restart: async () => {
      await group.stop("SIGTERM", STOP_MS);
      group = await start();
    },
    createWorkspace: async ({ name = "Test", writeLimit } = {}) => {
      const response = await admin("POST", "/admin/workspaces", { name, writeLimit });
      const answer = await response.text();
      if (response.status !== 201) throw new Error(`POST /admin/workspaces answered ${response.status}: ${answer}`);
      const { workspace, key } = NewWorkspace.parse(JSON.parse(answer));
      return { id: workspace.id, key: key.key };
    },
    fireCron: async () => {
      const response = await fetch(`${url}/cdn-cgi/local/scheduled?format=json&cron=*/5+*+*+*+*`);
      const answer = await response.text();
      if (!answer.includes('"outcome":"ok"')) throw new Error(`The cron run ended so: ${response.status} ${answer}`);
    },
    admin,
    [Symbol.asyncDispose]: async () => {
      await group.stop("SIGTERM", STOP_MS);
      await rm(stateDir, { recursive: true, force: true });
    },
  };
  return service;
}
