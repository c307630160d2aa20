/**
 * Finds every process of a test, orphans included. The test puts a mark into the environment of the first one, and child
 * processes inherit it.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const VARIABLE = "BEHAVIOR_INGEST_TEST";

export type Mark = Readonly<Record<typeof VARIABLE, string>>;

/** Creates environment variables that mark the processes of one test. */
export const newMark = (): Mark => ({ [VARIABLE]: randomUUID() });

/** @returns `pid command` of each live process with the mark */
export function markedProcesses(mark: Mark): string[] {
  const entry = `${VARIABLE}=${mark[VARIABLE]}`;
  return process.platform === "linux" ? fromProc(entry) : fromPs(entry);
}

/** A bare Linux image has no `ps`. */
function fromProc(entry: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        if (!environment.includes(entry)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch {
        return []; // another user's process, or one that has just ended
      }
    });
}

function fromPs(entry: string): string[] {
  const lines = execFileSync("ps", ["-A", "-E", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(entry)).map((line) => line.trim());
}
