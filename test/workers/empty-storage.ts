/**
 * Gives each test file empty databases with the migrations applied, as a new deployment has. Files share a runtime and
 * what its modules hold in memory. A test fails that sends a statement about a workspace to another database than the
 * workspace's, and a file fails that leaves rows there.
 */
import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, vi } from "vitest";

import { foreignRows } from "./guard/foreign-rows.ts";
import { crossings, FIRST_WORKSPACE } from "./guard/workspace-databases.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Bound by vitest.config.ts: there are no files inside workerd. */
      TEST_MIGRATIONS: D1Migration[];
      /** More databases for workspaces. */
      DB_1: D1Database;
      DB_2: D1Database;
    }
  }
}

const migrate = async (): Promise<void> => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  await applyD1Migrations(env.DB_1, env.TEST_MIGRATIONS);
  await applyD1Migrations(env.DB_2, env.TEST_MIGRATIONS);
};

const used = await env.DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'workspaces'")
  .first<number>("seq")
  .catch(() => null); // the first file of a runtime finds no table
await reset();
await migrate();
// Workspaces keep numbers that no file has used: the cache of known users outlives the reset and knows them by number.
await env.DB.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('workspaces', ?)")
  .bind(used ?? FIRST_WORKSPACE - 1)
  .run();

afterEach(() => failOn(crossings.splice(0)));

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  failOn(await foreignRows());
});

function failOn(found: readonly string[]): void {
  if (found.length > 0) throw new Error(`workspaces outside of their database:\n${found.join("\n")}`);
}
