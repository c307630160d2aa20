/** Measures the memory of this process while a recompute runs in it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const BYTES_IN_MB = 2 ** 20;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Returns the MB of JavaScript objects after a garbage collection: Miniflare's own and those of the run. */
export function sampleHeap(): number {
  collect();
  return Math.round(process.memoryUsage().heapUsed / BYTES_IN_MB);
}

/** Compares the peak of the second half with the peak of the first: 1 where memory is flat. */
export function growthOf(values: readonly number[]): number | null {
  const half = Math.ceil(values.length / 2);
  return values.length < 2 ? null : Math.max(...values.slice(half)) / Math.max(...values.slice(0, half));
}
