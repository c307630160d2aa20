import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds that a process and its threads were on a processor so far; `null` where the system does not tell. */
export function processorMs(pid: number): number | null {
  try {
    const tasks = `/proc/${pid}/task`;
    const nanoseconds = readdirSync(tasks).map((id) =>
      Number(readFileSync(`${tasks}/${id}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return null;
  }
}
