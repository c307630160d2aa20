/**
 * `npm test`: the one gate. Every check runs, however many fail before it, and tells its name and time. The last line
 * is the totals of the tests alone; the exit code is 0 only if every check passed.
 */
import { bundleIsSmall } from "./check/bundle.ts";
import { command, isInterrupted, type Outcome } from "./check/command.ts";
import { migrationsInStep } from "./check/migrations.ts";
import { tests, type Totals, words } from "./check/tests.ts";
import { findChromium, NO_CHROMIUM } from "../test/browser/harness/find-chromium.ts";

const totals: Totals = { passed: 0, failed: 0 };

const checks: [name: string, run: () => Promise<Outcome>][] = [
  ["format", () => command("oxfmt", ["--check"])],
  ["lint", () => command("oxlint", ["--type-aware", "--deny-warnings"])],
  ["types of src", () => command("tsc", ["-p", "."])],
  ["types of src/core", () => command("tsc", ["-p", "src/core"])],
  ["types of test", () => command("tsc", ["-p", "test"])],
  ["types of test/browser", () => command("tsc", ["-p", "test/browser"])],
  ["types of test/workers", () => command("tsc", ["-p", "test/workers"])],
  ["types of scripts", () => command("tsc", ["-p", "scripts"])],
  ["types of bench", () => command("tsc", ["-p", "bench"])],
  [
    "generated types",
    () => command("wrangler", ["types", "--include-runtime=false", "--strict-vars=false", "--check"]),
  ],
  ["migrations", migrationsInStep],
  ["bundle", bundleIsSmall],
  ["core tests", () => tests("core", totals, "--coverage")],
  ["workers tests", () => tests("workers", totals)],
  ["end-to-end tests", () => tests("e2e", totals)],
  ["browser tests", browserTests],
];

const failures: string[] = [];
for (const [name, run] of checks) {
  if (isInterrupted()) break;
  const startedAt = performance.now();
  const { ok, note, output } = await run();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (!ok) {
    failures.push(name);
    if (output.trim() !== "") console.log(output.trimEnd());
  }
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds} s)${note === undefined ? "" : `: ${note}`}`);
}

/** A browser is the machine's: without one a laptop does without these tests, and a machine that tests for others fails. */
async function browserTests(): Promise<Outcome> {
  if (findChromium() !== null) return tests("browser", totals);
  const ok = process.env["CI"] !== "true";
  if (!ok) totals.failed += 1;
  return { ok, note: NO_CHROMIUM, output: "" };
}

if (failures.length > 0) console.log(`Failed: ${failures.join(", ")}`);
if (failures.length > 0 || isInterrupted()) process.exitCode = 1;
console.log(words(totals));
