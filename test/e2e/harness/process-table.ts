/**
 * All processes of this machine. Read from /proc where there is one: a bare Linux image has no `ps`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  pid: number;
  /** One letter, and what `ps` adds to it. */
  state: string;
  processGroup: number;
  command: string;
}

export function processTable(): ProcessEntry[] {
  return existsSync("/proc/self/stat") ? fromProc() : fromPs();
}

function fromProc(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // pid (name) state parent group …: the name may hold spaces and brackets.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [state = "", , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(pid), state, processGroup: Number(processGroup), command }];
      } catch {
        return []; // it ended in the meantime
      }
    });
}

function fromPs(): ProcessEntry[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat=,command="], { encoding: "utf8" });
  return listed.split("\n").flatMap((line) => {
    const [pid, processGroup, state = "", ...command] = line.trim().split(/\s+/);
    return pid === ""
      ? []
      : [{ pid: Number(pid), state, processGroup: Number(processGroup), command: command.join(" ") }];
  });
}
