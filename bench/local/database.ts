/** Creates a local D1 with all migrations applied, in a temporary folder. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { getPlatformProxy } from "wrangler";

import { QUIET_WRANGLER } from "../../test/harness/quiet-wrangler.ts";
import { migrate } from "../../test/harness/migrate.ts";

/** Binds only the database, because wrangler would warn about the other bindings. */
const CONFIG = {
  name: "bench",
  compatibility_date: "2026-10-01",
  d1_databases: [{ binding: "DB", database_name: "bench", database_id: "00000000-0000-0000-0000-000000000000" }],
};

/** Runs `work` on a new database, and removes the database afterwards. */
export async function withDatabase<T>(work: (database: D1Database) => Promise<T>): Promise<T> {
  Object.assign(process.env, QUIET_WRANGLER);
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const configPath = join(folder, "wrangler.json");
    await writeFile(configPath, JSON.stringify(CONFIG));
    const proxy = await getPlatformProxy<{ DB: D1Database }>({ configPath, persist: { path: join(folder, "state") } });
    try {
      await migrate(proxy.env.DB);
      return await work(proxy.env.DB);
    } finally {
      await proxy.dispose();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Creates the environment that the recompute needs. */
export const environmentOf = (database: D1Database): Env => ({
  DB: database,
  RECOMPUTE_BUDGET_MS: "",
  EVENT_RETENTION_DAYS: "",
});
