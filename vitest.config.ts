/**
 * Configures four kinds of tests: the core in Node, parts of the Worker inside workerd with a real D1 and real Durable
 * Objects, the running service from outside, and the console in a browser.
 */
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

import { buildAssets } from "./scripts/assets/build-assets.ts";
import { findChromium, NO_CHROMIUM } from "./test/browser/harness/find-chromium.ts";
import { SlowestFirst } from "./test/slowest-first.ts";

/** Tests that generate hundreds of cases take a second on a quiet machine and ten on a busy one. */
const BUSY_MACHINE_MS = 60_000;

/** How long `expect.poll` waits. By default it gives up after a second, which a page on a busy machine takes to load. */
const POLL_MS = 30_000;

/** The import paths of packages that the Worker and its tests use. */
const PACKAGES = [
  "@hono/zod-validator",
  "@modelcontextprotocol/server",
  "d3-array",
  "d3-time",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/cookie",
  "hono/cors",
  "hono/factory",
  "hono/html",
  "hono/http-exception",
  "hono/jsx",
  "hono/jsx/jsx-dev-runtime",
  "hono/jsx/jsx-runtime",
  "hono/method-not-allowed",
  "hono/request-id",
  "hono/secure-headers",
  "hono/trailing-slash",
  "hono/utils/encode",
  "hono/utils/url",
  "hyparquet",
  "hyparquet-writer",
  "hyparquet/src/convert.js",
  "jose",
  "zod",
];

/** Pure code needs no isolation. By default Vitest would use one of two processors. */
const IN_NODE = {
  setupFiles: ["test/property-seed.ts"],
  isolate: false,
  maxWorkers: "100%",
  testTimeout: BUSY_MACHINE_MS,
  hookTimeout: BUSY_MACHINE_MS,
};

/** A laptop without a browser skips these tests, and CI fails. */
const skipsBrowser = findChromium() === null && process.env["CI"] !== "true";
if (skipsBrowser) console.warn(`Skipping the browser tests: ${NO_CHROMIUM}.`);

await buildAssets();

export default defineConfig({
  test: {
    passWithNoTests: skipsBrowser,
    provide: {
      propertySeed: process.env["PROPERTY_SEED"] ? Number.parseInt(process.env["PROPERTY_SEED"], 10) : null,
      thorough: process.env["THOROUGH"] === "1",
    },
    sequence: { sequencer: SlowestFirst },
    // The Worker logs a line per request: show them only for tests that fail.
    silent: "passed-only",
    coverage: {
      provider: "istanbul",
      include: ["src/core/**/*.ts"],
      reporter: [["text", { skipFull: true }]],
      thresholds: { branches: 95 },
    },
    projects: [
      {
        test: {
          name: "core",
          include: ["test/core/**/*.test.ts"],
          ...IN_NODE,
        },
      },
      {
        test: {
          name: "evals",
          include: ["test/evals/**/*.test.ts"],
          ...IN_NODE,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            main: "./test/workers/guard/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              // Databases for workspaces, beside the directory's.
              d1Databases: { DB_1: "second-database", DB_2: "third-database" },
              bindings: {
                ADMIN_TOKEN: "an-admin-token-for-the-tests-only",
                SECRETS_KEY: "a-secrets-key-for-the-tests-only-0123",
                SUCCESS_SAMPLING_RATE: "1",
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
              },
            },
          })),
        ],
        test: {
          name: "workers",
          include: ["test/workers/**/*.test.ts"],
          globalSetup: ["test/harness/receiver.ts"],
          setupFiles: ["test/property-seed.ts", "test/workers/empty-storage.ts"],
          // Starting a runtime and loading the Worker takes longer than most files: empty-storage.ts isolates them.
          isolate: false,
          maxWorkers: 3,
          // After the core, when both run: they have different numbers of workers.
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: POLL_MS } },
          testTimeout: BUSY_MACHINE_MS,
          hookTimeout: BUSY_MACHINE_MS,
          // Bundles them once. Otherwise each runtime requests their modules one by one.
          deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/harness/shared-worker.ts"],
          // Three files at a time, since much of their time is waiting.
          maxWorkers: 3,
          expect: { poll: { timeout: POLL_MS } },
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "browser",
          include: skipsBrowser ? [] : ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/harness/served-console.ts"],
          // Each file has a Chromium of its own, which often waits.
          maxWorkers: 3,
          expect: { poll: { timeout: POLL_MS } },
          testTimeout: BUSY_MACHINE_MS,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
