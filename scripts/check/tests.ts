/** Runs the tests of a Vitest project and counts them from Vitest's own report. */
import { mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { command, type Outcome } from "./command.ts";

/** Properties try the same cases in every run of `npm test`, so that only a change of the code can break it. */
const PROPERTY_SEED = "2026";
const TIMEOUT_MS = 30 * 60_000;

/** Commits to a test's database would wait for a disk, and need none. A container's `/dev/shm` may be too small. */
const MEMORY = "/dev/shm";
const NEEDED_BYTES = 2_000_000_000;

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

export interface Totals {
  passed: number;
  failed: number;
}

/** Runs `vitest run --project <name>` and adds its tests to `totals`. */
export async function tests(name: string, totals: Totals, ...options: string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(await scratchFolder(), "vitest-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const outcome = await command("vitest", ["run", "--project", name, ...reporters, ...options], {
      timeoutMs: TIMEOUT_MS,
      env: {
        PROPERTY_SEED: process.env["PROPERTY_SEED"] ?? PROPERTY_SEED,
        // Keeps the user's setting, because wrangler's quiet environment sets it for all tools.
        CI: process.env["CI"],
        TMPDIR: folder,
        // Tests start wrangler dozens of times, and a third of such a start is compiling.
        NODE_COMPILE_CACHE: join(folder, "compiled"),
      },
    });
    const counted = await count(report, outcome);
    totals.passed += counted.passed;
    totals.failed += counted.failed;
    return { ...outcome, ok: outcome.ok && counted.failed === 0, note: format(counted) };
  } finally {
    await rm(folder, { recursive: true, maxRetries: 10 });
  }
}

async function scratchFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < NEEDED_BYTES ? tmpdir() : MEMORY;
}

export function format({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}

/** A file that can't be loaded, or a run without a report, counts as one failure. */
async function count(report: string, { ok }: Outcome): Promise<Totals> {
  try {
    const { numPassedTests, numFailedTests, testResults } = Report.parse(JSON.parse(await readFile(report, "utf8")));
    const unloaded = testResults.filter(
      (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
  } catch {
    return { passed: 0, failed: ok ? 0 : 1 };
  }
}
