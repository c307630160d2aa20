/**
 * All processes of this machine. Read from /proc where there is one: a bare Linux image has no `ps`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  pid: number;
  parent: number;
  /** One letter, and what `ps` adds to it. */
  state: string;
  processGroup: number;
  residentBytes: number;
  command: string;
}

/** Pages are larger on a few kinds of machines; there memory is told too small. */
const PAGE_BYTES = 4_096;

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
        const [state = "", parent, processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [, pages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [
          {
            pid: Number(pid),
            parent: Number(parent),
            state,
            processGroup: Number(processGroup),
            residentBytes: Number(pages) * PAGE_BYTES,
            command,
          },
        ];
      } catch {
        return []; // it ended in the meantime
      }
    });
}

function fromPs(): ProcessEntry[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,rss=,stat=,command="], { encoding: "utf8" });
  return listed.split("\n").flatMap((line) => {
    const [pid, parent, processGroup, residentKb, state = "", ...command] = line.trim().split(/\s+/);
    return pid === ""
      ? []
      : [
          {
            pid: Number(pid),
            parent: Number(parent),
            state,
            processGroup: Number(processGroup),
            residentBytes: Number(residentKb) * 1_024,
            command: command.join(" "),
          },
        ];
  });
}
