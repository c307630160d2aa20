/**
 * Serves a Worker on bare workerd: requests reach its own socket, with no development server in between. Miniflare keeps
 * its D1 and Durable Objects in a temporary folder.
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

import { type AdminClient, adminClient } from "./admin-client.ts";
import { PROJECT_CONFIG, type WorkerModule } from "./build-worker.ts";
import { PROJECT_ROOT } from "./project-root.ts";
import { migrate } from "./migrate.ts";
import { QUIET_WRANGLER } from "./quiet-wrangler.ts";
import { watchWorkerd } from "./watch-workerd.ts";

const NAME = "worker";
const ASSETS = join(PROJECT_ROOT, "public");

const RateLimit = z.object({
  namespace_id: z.string(),
  simple: z.object({ limit: z.number(), period: z.literal([10, 60]) }),
});

/** The part of `wrangler.toml` that the runtime needs. */
const Configuration = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  bindings: z.record(z.string(), z.string()),
  d1Databases: z.record(z.string(), z.object({ id: z.string() })),
  r2Buckets: z.record(z.string(), z.object({ id: z.string() })).default({}),
  queueProducers: z.record(z.string(), z.object({ queueName: z.string() })).default({}),
  queueConsumers: z.record(z.string(), z.object({ maxBatchSize: z.number(), maxBatchTimeout: z.number() })).default({}),
  ratelimits: z.record(z.string(), RateLimit).default({}),
  durableObjects: z.record(z.string(), z.object({ className: z.string(), useSQLite: z.boolean() })),
});

export interface ServedWorker extends AdminClient, AsyncDisposable {
  /** The process id of workerd. */
  readonly pid: number;
  /**
   * Accesses the database directly. A call blocks this process until it is answered. Never call it while requests are in
   * flight: the Worker would wait for this process to read its log, and both would wait forever.
   */
  readonly database: D1Database;
  /** Further databases, to be used in the same way. */
  readonly otherDatabases: readonly D1Database[];
}

export interface ServeOptions {
  /** The `wrangler.toml` with the bindings; default: the project's own. */
  config?: string;
  /** A folder that keeps the stored data for the next Worker; default: a temporary one. */
  storage?: string;
  /** Further databases, with the project's migrations. */
  databases?: readonly string[];
  /** Prepares the empty database; default: applies the project's migrations. */
  prepare?: (database: D1Database) => Promise<unknown>;
  /** Variables on top of those of the configuration. */
  vars?: Record<string, string>;
  /** Compatibility flags, likewise. */
  flags?: string[];
  /** Receives each line that the Worker logs; by default they are dropped. */
  onLog?: (line: string) => void;
}

/** @param modules from `buildWorker` */
export async function serveWorker(modules: WorkerModule[], options: ServeOptions = {}): Promise<ServedWorker> {
  const { config = PROJECT_CONFIG, databases = [], prepare = migrate, onLog = () => undefined } = options;
  const { vars = {}, flags = [], storage } = options;
  const adminToken = randomBytes(24).toString("hex");
  const secrets = { ADMIN_TOKEN: adminToken, SECRETS_KEY: randomBytes(24).toString("hex") };
  // Wrangler warns about a missing secret otherwise.
  Object.assign(process.env, QUIET_WRANGLER, { ...secrets, WRANGLER_LOG: "error" });
  const configuration = Configuration.parse(unstable_getMiniflareWorkerOptions(config).workerOptions);
  const folder = storage ?? (await mkdtemp(join(tmpdir(), "workerd-")));
  using workerd = watchWorkerd();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...configuration,
      compatibilityFlags: [...configuration.compatibilityFlags, ...flags],
      d1Databases: {
        ...configuration.d1Databases,
        ...Object.fromEntries(databases.map((binding) => [binding, { id: binding }])),
      },
      name: NAME,
      modules,
      assets: { directory: ASSETS, binding: "ASSETS", routerConfig: { has_user_worker: true } },
      // Destinations are on loopback only.
      bindings: {
        ...configuration.bindings,
        SUCCESS_SAMPLING_RATE: "1",
        ALLOW_LOCAL_DESTINATIONS: "true",
        ...secrets,
        ...vars,
        ADMIN_TOKEN: adminToken,
      },
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
    if (storage === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    await miniflare.ready;
    const pid = workerd.pid();
    const url = (await miniflare.unsafeGetDirectURL(NAME)).origin;
    const database: D1Database = await miniflare.getD1Database("DB", NAME);
    await prepare(database);
    const otherDatabases: D1Database[] = [];
    for (const binding of databases) otherDatabases.push(await miniflare.getD1Database(binding, NAME));
    for (const other of otherDatabases) await migrate(other);
    return {
      ...adminClient(url, adminToken),
      pid,
      database,
      otherDatabases,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
