/**
 * Runs the tests of a vitest project, shows them as they run, and counts them from vitest's own report.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { command, type Outcome } from "./command.ts";

/** Properties try the same cases in every run of the gate, so that it fails for what was changed and for nothing else. */
const PROPERTY_SEED = "2026";
const TESTS_TIMEOUT_MS = 30 * 60_000;

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

export interface Totals {
  passed: number;
  failed: number;
}

/** The outcome of `vitest run --project <name>`; its tests are added to `totals`. */
export async function tests(name: string, totals: Totals, ...options: string[]): Promise<Outcome> {
  const temporary = await mkdtemp(join(tmpdir(), "vitest-"));
  try {
    const report = join(temporary, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const args = ["run", "--project", name, ...reporters, ...options];
    const env = { PROPERTY_SEED: process.env["PROPERTY_SEED"] ?? PROPERTY_SEED };
    const outcome = await command("vitest", args, { live: true, timeoutMs: TESTS_TIMEOUT_MS, env });
    const counted = await count(report);
    totals.passed += counted.passed;
    totals.failed += counted.failed;
    return { ...outcome, ok: outcome.ok && counted.failed === 0, note: words(counted) };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

export function words({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}

/** A file that could not be loaded has no tests to fail, and a run that broke off has no report: each is one failure. */
async function count(report: string): Promise<Totals> {
  try {
    const { numPassedTests, numFailedTests, testResults } = Report.parse(JSON.parse(await readFile(report, "utf8")));
    const unloaded = testResults.filter(
      (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
