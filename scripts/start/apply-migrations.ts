/**
 * Applies the migrations that the database of `wrangler dev` lacks: `apply-migrations.ts <wrangler.toml> <state
 * folder>`. A process of its own, as the runtime that it starts has to be gone with it.
 *
 * `wrangler d1 migrations apply` does the same, but starts a runtime for each file (docs/decisions/0017-migrations-on-a-laptop.md).
 */
import { join } from "node:path";

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { z } from "zod";

import { migrate } from "../../test/harness/migrate.ts";

const Bound = z.object({ d1Databases: z.object({ DB: z.object({ id: z.string() }) }) });

const [config, stateDir] = z.tuple([z.string(), z.string()]).parse(process.argv.slice(2));
const { d1Databases } = Bound.parse(unstable_getMiniflareWorkerOptions(config).workerOptions);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    name: "migrations",
    modules: true,
    script: "",
    d1Databases,
    resourcePersistencePath: join(stateDir, "v3"),
    cf: false,
    telemetry: { enabled: false },
  }),
);
try {
  await migrate(await miniflare.getD1Database("DB"));
} finally {
  await miniflare.dispose();
}
