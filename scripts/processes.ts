/**
 * Finding and ending the processes of one run, orphans included.
 *
 * workerd outlives a wrangler that is killed or crashes, and vitest's workers outlive a vitest that is; by then they are
 * nobody's children. So every process of a run carries a mark in its environment, which children inherit and keep.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const MARK = "BEHAVIOR_INGEST_RUN";
const POLL_MS = 50;
/** How long a killed process may take to be gone. */
const KILL_MS = 2_000;

export type RunMark = Readonly<Record<typeof MARK, string>>;

/** A mark for the processes of one run: put it into their environment. */
export function newRunMark(): RunMark {
  return { [MARK]: randomUUID() };
}

/** The ids of the live processes that carry the mark. */
export function processesWith(mark: RunMark): number[] {
  const entry = `${MARK}=${mark[MARK]}`;
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(entry))
      .map(Number);
  }
  if (process.platform === "win32") return []; // wrangler's own clean-up has to do
  return execFileSync("ps", ["-A", "-E", "-o", "pid=,command="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(entry))
    .map((line) => Number.parseInt(line, 10));
}

/** Empty for a process of another user, and for one that has ended, reaped or not. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/**
 * Asks a process to end, gives it and everything with its mark `graceMs` to do so, and kills what is left then.
 * A process that has already ended by itself can't clean up any more: what it left behind is killed at once.
 */
export async function endProcesses(child: ChildProcess, mark: RunMark, graceMs: number): Promise<void> {
  const isRunning = child.exitCode === null && child.signalCode === null;
  child.kill("SIGTERM");
  if (isRunning && (await allEnd(mark, graceMs))) return;
  for (const pid of processesWith(mark)) kill(pid);
  await allEnd(mark, KILL_MS);
}

async function allEnd(mark: RunMark, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (processesWith(mark).length > 0) {
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended in the meantime.
  }
}
