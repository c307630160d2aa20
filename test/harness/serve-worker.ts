/**
 * A Worker on bare workerd: requests reach its own socket, with no development server between. Its D1 and its objects
 * are miniflare's, in files of a folder that is gone afterwards.
 *
 *     await using worker = await serveWorker(await buildWorker());
 *     const workspace = await worker.createWorkspace({ writeLimit: 1_000 });
 *     await fetch(`${worker.url}/api/v1/events`, { headers: { authorization: `Bearer ${workspace.key}` }, … });
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { z } from "zod";

import { processTable } from "../../scripts/process-table.ts";
import { QUIET_WRANGLER } from "../../scripts/quiet-wrangler.ts";
import { PROJECT_CONFIG, type WorkerModule } from "./build-worker.ts";
import { migrate } from "./migrate.ts";

const NAME = "worker";

/** What of `wrangler.toml` the runtime needs. */
const Bound = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  bindings: z.record(z.string(), z.string()),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
  durableObjects: z.record(z.string(), z.object({ className: z.string(), useSQLite: z.boolean() })),
});
const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }), key: z.object({ key: z.string() }) });

export interface ServedWorker extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
  /** The id of workerd's process. */
  readonly pid: number;
  /**
   * The database, past the Worker. Calls stop this process until they are answered: never while others send, or the
   * Worker waits for its log to be read, and both wait for ever.
   */
  readonly database: D1Database;
  /** By the admin API. */
  createWorkspace(options?: { name?: string; writeLimit?: number }): Promise<{ id: string; key: string }>;
  /** Any call of the admin API. */
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  /** Fires the cron and waits for its end. The first call stops this process too: fire once before there is traffic. */
  fireCron(): Promise<void>;
}

export interface ServeOptions {
  /** The `wrangler.toml` that tells the bindings; default: the project's own. */
  config?: string;
  /** What is done to the empty database; default: the project's migrations. */
  prepare?: (database: D1Database) => Promise<unknown>;
  /** Variables on top of those of the configuration. */
  vars?: Record<string, string>;
  /** Gets each line that the Worker logs; by default nobody does. */
  onLog?: (line: string) => void;
}

/** @param modules as `buildWorker` makes them; the Worker's bindings are those of the configuration */
export async function serveWorker(modules: WorkerModule[], options: ServeOptions = {}): Promise<ServedWorker> {
  const { config = PROJECT_CONFIG, prepare = migrate, vars = {}, onLog = () => undefined } = options;
  const adminToken = randomBytes(24).toString("hex");
  // Or it complains of the missing secret.
  Object.assign(process.env, QUIET_WRANGLER, { ADMIN_TOKEN: adminToken, WRANGLER_LOG: "error" });
  const bound = Bound.parse(unstable_getMiniflareWorkerOptions(config).workerOptions);
  const folder = await mkdtemp(join(tmpdir(), "workerd-"));
  const before = workerdsOf(process.pid);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...bound,
      name: NAME,
      modules,
      bindings: { ...bound.bindings, ...vars, ADMIN_TOKEN: adminToken },
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      resourcePersistencePath: folder,
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ message }) => onLog(message),
    }),
  );
  const dispose = async () => {
    await miniflare.dispose();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await miniflare.ready;
    const pid = workerdsOf(process.pid).find((one) => !before.includes(one));
    if (pid === undefined) throw new Error("workerd is not among the processes");
    const url = (await miniflare.unsafeGetDirectURL(NAME)).origin;
    const database: D1Database = await miniflare.getD1Database("DB", NAME);
    await prepare(database);
    const admin = (method: string, path: string, body?: unknown) =>
      fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    return {
      url,
      adminToken,
      pid,
      database,
      admin,
      createWorkspace: async ({ name = "Workspace", writeLimit } = {}) => {
        const response = await admin("POST", "/admin/workspaces", { name, writeLimit });
        if (response.status !== 201) throw new Error(`no workspace was made: ${await response.text()}`);
        const { workspace, key } = NewWorkspace.parse(await response.json());
        return { id: workspace.id, key: key.key };
      },
      fireCron: async () => {
        const worker = await miniflare.getWorker(NAME);
        const { outcome } = await worker.scheduled({ cron: "*/5 * * * *" });
        if (outcome !== "ok") throw new Error(`the cron ended with ${outcome}`);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Those that a process has started. Their ids say nothing of their order: they begin anew from time to time. */
const workerdsOf = (parent: number): number[] =>
  processTable()
    .filter((one) => one.parent === parent && one.command.includes("workerd"))
    .map(({ pid }) => pid);
