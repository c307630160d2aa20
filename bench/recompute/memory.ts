/** Memory while a run is under way: what this process holds, and what is resident of it and of its workerd. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { type ProcessEntry, processTable } from "../../scripts/process-table.ts";

/** In MB. */
export interface MemorySample {
  /** Of JavaScript after a collection: what wrangler takes, and what the run holds. */
  heap: number;
  /** Resident; `null` of a process that is not there. */
  own: number | null;
  workerd: number | null;
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

export function sampleMemory(): MemorySample {
  collect();
  const processes = processTable();
  const workerd = processes.find(({ parent, command }) => parent === process.pid && command.includes("workerd"));
  return {
    heap: Math.round(process.memoryUsage().heapUsed / 2 ** 20),
    own: megabytes(processes.find(({ pid }) => pid === process.pid)),
    workerd: megabytes(workerd),
  };
}

/** How much more there was at the most in the second half than in the first: 1 where memory is flat. */
export function growthOf(samples: readonly MemorySample[], of: keyof MemorySample): number | null {
  const values = samples.flatMap((sample) => sample[of] ?? []);
  const half = Math.ceil(values.length / 2);
  return values.length < 2 ? null : Math.max(...values.slice(half)) / Math.max(...values.slice(0, half));
}

const megabytes = (found: ProcessEntry | undefined): number | null =>
  found === undefined ? null : Math.round(found.residentBytes / 2 ** 20);
