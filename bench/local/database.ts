/** Creates a local D1 with all migrations applied. */
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

import { migrate } from "../../test/harness/migrate.ts";

/** Runs `work` on a new database, and removes the database afterwards. */
export async function withDatabase<T>(work: (database: D1Database) => Promise<T>): Promise<T> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: "bench",
      modules: true,
      script: "",
      compatibilityDate: "2026-10-01",
      d1Databases: ["DB"],
      cf: false,
      telemetry: { enabled: false },
      // Says when workerd crashes. Calls fail with ECONNREFUSED then.
      log: new Log(LogLevel.WARN),
    }),
  );
  try {
    const database: D1Database = await miniflare.getD1Database("DB");
    await migrate(database);
    return await work(database);
  } finally {
    await miniflare.dispose();
  }
}

/** Creates the environment that the recompute needs. */
export const environmentOf = (database: D1Database): Env => ({
  DB: database,
  RECOMPUTE_BUDGET_MS: "",
  HOT_DAYS: "",
  ARCHIVE_DAYS: "",
  MAX_DATABASE_BYTES: "",
  HISTORY_DAYS: "",
  get ARCHIVE(): never {
    throw new Error("Nothing is archived here.");
  },
});
