/** What is looked at every few seconds, and the rows of a table that come of it. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import type { RecomputeRun } from "./recomputes.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const DATABASE_FILE = /[/\\]d1[/\\].*\.sqlite(-wal)?$/;

export interface Sample {
  /** Since the traffic began, at its end. */
  elapsedMs: number;
  spanMs: number;
  tally: Tally;
  /** Resident, at its end. */
  workerdBytes: number;
  loadBytes: number;
  databaseBytes: number;
  /** Of workerd, within the span. */
  processorMs: number;
  /** That ended within the span. */
  runs: RecomputeRun[];
}

/** Several, one after the other, as one. */
export function together(samples: readonly Sample[]): Sample | null {
  const last = samples.at(-1);
  if (last === undefined) return null;
  const tally = emptyTally();
  for (const one of samples) addTally(tally, one.tally);
  const sum = (of: "spanMs" | "processorMs") => samples.reduce((total, one) => total + one[of], 0);
  return {
    ...last,
    spanMs: sum("spanMs"),
    processorMs: sum("processorMs"),
    tally,
    runs: samples.flatMap(({ runs }) => runs),
  };
}

/** On disk, with its log of writes. @param folder anywhere above the database */
export async function databaseBytes(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const sizes = files
    .filter((file) => DATABASE_FILE.test(file))
    .map((file) =>
      stat(join(folder, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ); // it may be gone by now
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
