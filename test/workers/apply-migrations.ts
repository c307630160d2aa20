/**
 * Gives each test file a database with the migrations applied, as a deployment has. Storage is isolated per file.
 */
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Bound by vitest.config.ts: there are no files inside workerd. */
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
