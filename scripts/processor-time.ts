/** How much of a processor a process has used. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Of Linux, on all machines there are. */
const TICKS_PER_SECOND = 100;

/** @returns seconds since it began; 0 when it is gone */
export function processorSeconds(pid: number): number {
  try {
    return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
  } catch {
    return 0;
  }
}

function fromProc(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // From the third field on: the name before it may hold spaces and brackets. The 14th and the 15th are the times.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** `[[dd-]hh:]mm:ss[.ff]` */
function fromPs(pid: number): number {
  const text = execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }).trim();
  const [days, time = ""] = text.includes("-") ? text.split("-") : ["0", text];
  return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
