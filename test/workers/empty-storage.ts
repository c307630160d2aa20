/**
 * Gives each test file an empty databases with the migrations applied, as a new deployment has. Files share a runtime and
 * what its modules hold in memory.
 */
import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Bound by vitest.config.ts: there are no files inside workerd. */
      TEST_MIGRATIONS: D1Migration[];
      /** A second database for workspaces. */
      DB_1: D1Database;
    }
  }
}

const migrate = async (): Promise<void> => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  await applyD1Migrations(env.DB_1, env.TEST_MIGRATIONS);
};

await migrate();
const used = await env.DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'workspaces'").first<number>("seq");
await reset();
await migrate();
// Workspaces keep numbers that no file has used: the cache of known users outlives the reset and knows them by number.
await env.DB.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('workspaces', ?)")
  .bind(used ?? 0)
  .run();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
