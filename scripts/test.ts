/**
 * `npm test`: runs every check, whatever fails, and prints the name and time of each. The last line has the totals of the
 * tests alone. The exit code is 0 only if every check passes.
 */
import { bundleIsSmall } from "./check/bundle.ts";
import { command, isInterrupted, type Outcome } from "./check/command.ts";
import { buildAssets } from "./assets/build-assets.ts";
import { migrationsInStep } from "./check/migrations.ts";
import { format, tests, type Totals } from "./check/tests.ts";

const totals: Totals = { passed: 0, failed: 0 };

type Check = [name: string, run: () => Promise<Outcome>];

const types = (project: string): Check => [`types of ${project}`, () => command("tsc", ["-p", project])];

const STATIC_CHECKS: Check[] = [
  ["format", () => command("oxfmt", ["--check"])],
  ["lint", () => command("oxlint", ["--type-aware", "--deny-warnings"])],
  ...[
    ".",
    "src/core",
    "src/console/assets/scripts",
    "test",
    "test/browser",
    "test/workers",
    "evals",
    "scripts",
    "bench",
  ].map(types),
  [
    "generated types",
    () => command("wrangler", ["types", "--include-runtime=false", "--strict-vars=false", "--check"]),
  ],
  ["migrations", migrationsInStep],
  ["bundle", bundleIsSmall],
];

/** Measuring coverage takes a third of the core's time. */
const coverage = process.env["THOROUGH"] === "1" ? ["--coverage"] : [];

const UNIT_TESTS: Check[] = [
  ["core tests", () => tests("core", totals, ...coverage)],
  ["workers tests", () => tests("workers", totals)],
];

/** The first often wait, for windows of the write limit and for processes to start. */
const OTHER_TESTS: Check[] = [
  ["end-to-end tests", () => tests("e2e", totals)],
  ["evaluation tests", () => tests("evals", totals)],
  ["browser tests", () => tests("browser", totals)],
];

const failures: string[] = [];
// The Worker's code has their paths.
await buildAssets();
await Promise.all(STATIC_CHECKS.map(run));
await Promise.all([inTurn(UNIT_TESTS), inTurn(OTHER_TESTS)]);

if (failures.length > 0) console.log(`Failed: ${failures.join(", ")}`);
if (failures.length > 0 || isInterrupted()) process.exitCode = 1;
console.log(format(totals));

async function inTurn(checks: Check[]): Promise<void> {
  for (const check of checks) await run(check);
}

async function run([name, check]: Check): Promise<void> {
  if (isInterrupted()) return;
  const startedAt = performance.now();
  const { ok, note, output } = await check();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (!ok) {
    failures.push(name);
    console.log(output.trim());
  }
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds} s)${note === undefined ? "" : `: ${note}`}`);
}
