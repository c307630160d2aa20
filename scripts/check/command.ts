/**
 * Runs a tool of node_modules/.bin as a check: its exit code is the verdict, and what it prints is shown only when it
 * fails.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { endProcesses, newRunMark } from "../processes.ts";
import { QUIET_WRANGLER } from "../quiet-wrangler.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Outcome {
  ok: boolean;
  /** What to show when the check failed. */
  output: string;
  /** A few words beside the check's name, whether it failed or not. */
  note?: string;
}

export interface CommandOptions {
  /** Shows the output as it comes, instead of at the end. */
  live?: boolean;
  timeoutMs?: number;
  /** Variables on top of those of this process. */
  env?: NodeJS.ProcessEnv;
}

const TOOLS = join(ROOT, "node_modules", ".bin");

/** What a tool gets to end by itself when it is stopped. */
const GRACE_MS = 2_000;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => interrupted.abort(signal));

/** True once a signal asked for the end: the running tool has been stopped, and no other is to be started. */
export function isInterrupted(): boolean {
  return interrupted.signal.aborted;
}

export async function command(tool: string, args: string[], options: CommandOptions = {}): Promise<Outcome> {
  const { live = false, timeoutMs = 180_000, env = {} } = options;
  const mark = newRunMark();
  const child = spawn(join(TOOLS, tool), args, {
    cwd: ROOT,
    stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
    env: { ...environment(), ...env, ...mark },
  });
  // With all it started: vitest dies of a signal without a word to its workers, which go on testing.
  const stop = () => void endProcesses(child, mark, GRACE_MS);
  interrupted.signal.addEventListener("abort", stop);
  const timer = setTimeout(stop, timeoutMs);
  try {
    const printed = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
    const [[code, signal], ...output] = await Promise.all([once(child, "exit"), ...printed]);
    const ended = signal === null ? "" : `${tool} was ended by ${signal}, after at most ${timeoutMs / 1_000} s.\n`;
    return { ok: code === 0, output: plain(output.join("")) + ended };
  } catch (error) {
    return { ok: false, output: `${tool} could not be run: ${String(error)}` };
  } finally {
    clearTimeout(timer);
    interrupted.signal.removeEventListener("abort", stop);
    await endProcesses(child, mark, GRACE_MS);
  }
}

function environment(): NodeJS.ProcessEnv {
  const path = [TOOLS, process.env["PATH"]].join(delimiter);
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  return { ...process.env, ...QUIET_WRANGLER, ...colour, PATH: path };
}

/** Without colours where they can't be seen: in CI, some tools ignore NO_COLOR. */
function plain(output: string): string {
  return process.stdout.isTTY ? output : stripVTControlCharacters(output);
}
