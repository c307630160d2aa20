/** Memory while a run is under way: what this process holds, and what is resident of it and of its workerd. */
import { execFileSync } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** In MB. */
export interface MemorySample {
  /** Of JavaScript after a collection: what wrangler takes, and what the run holds. */
  heap: number;
  /** Resident; `null` where `ps` does not tell. */
  own: number | null;
  workerd: number | null;
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

export function sampleMemory(): MemorySample {
  collect();
  const processes = listProcesses();
  const workerd = processes.find(({ parent, name }) => parent === process.pid && name.includes("workerd"));
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

interface Process {
  pid: number;
  parent: number;
  residentKb: number;
  name: string;
}

function listProcesses(): Process[] {
  try {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,comm="], { encoding: "utf8" }).split("\n");
    return lines.map((line) => {
      const [pid = "", parent = "", residentKb = "", ...name] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), residentKb: Number(residentKb), name: name.join(" ") };
    });
  } catch {
    return [];
  }
}

const megabytes = (found: Process | undefined): number | null =>
  found === undefined ? null : Math.round(found.residentKb / 1_024);
