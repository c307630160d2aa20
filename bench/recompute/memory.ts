/** Measures the memory of this process while a recompute runs in it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** In MB. */
export interface MemorySample {
  /** JavaScript objects after a garbage collection: wrangler's own and those of the run. */
  heap: number;
  resident: number;
}

const BYTES_IN_MB = 2 ** 20;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

export function sampleMemory(): MemorySample {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: Math.round(heapUsed / BYTES_IN_MB), resident: Math.round(rss / BYTES_IN_MB) };
}

/** Compares the peak of the second half with the peak of the first: 1 where memory is flat. */
export function growthOf(samples: readonly MemorySample[], of: keyof MemorySample): number | null {
  const values = samples.map((sample) => sample[of]);
  const half = Math.ceil(values.length / 2);
  return values.length < 2 ? null : Math.max(...values.slice(half)) / Math.max(...values.slice(0, half));
}
