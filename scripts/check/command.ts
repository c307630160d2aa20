/**
 * Runs a tool of node_modules/.bin as a check. Its exit code decides; its output is shown only when it fails.
 */
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { startProcessGroup } from "../process-group.ts";
import { QUIET_WRANGLER } from "../quiet-wrangler.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Outcome {
  ok: boolean;
  /** Shown when the check fails. */
  output: string;
  /** A few words beside the check's name, shown in any case. */
  note?: string;
}

interface CommandOptions {
  timeoutMs?: number;
  /** Variables on top of those of this process. */
  env?: NodeJS.ProcessEnv;
}

const TOOLS = join(ROOT, "node_modules", ".bin");

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => interrupted.abort(signal));

/** Returns whether a signal has stopped the running tools. Then no other tool may start. */
export function isInterrupted(): boolean {
  return interrupted.signal.aborted;
}

export async function command(tool: string, args: string[], options: CommandOptions = {}): Promise<Outcome> {
  const { timeoutMs = 180_000, env = {} } = options;
  const group = startProcessGroup(join(TOOLS, tool), args, {
    cwd: ROOT,
    env: { ...environment(), ...env },
  });
  const stop = () => void group.stop();
  interrupted.signal.addEventListener("abort", stop);
  let timedOut = "";
  const timer = setTimeout(() => {
    timedOut = `${tool} was stopped after ${timeoutMs / 1_000} s.\n`;
    stop();
  }, timeoutMs);
  try {
    const [code, ...printed] = await Promise.all([group.ended, text(group.stdout), text(group.stderr)]);
    return { ok: code === 0, output: withoutHiddenColors(printed.join("")) + timedOut };
  } finally {
    clearTimeout(timer);
    interrupted.signal.removeEventListener("abort", stop);
  }
}

function environment(): NodeJS.ProcessEnv {
  const path = [TOOLS, process.env["PATH"]].join(delimiter);
  const color = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  return { ...process.env, ...QUIET_WRANGLER, ...color, PATH: path };
}

/** Some tools ignore NO_COLOR in CI. */
function withoutHiddenColors(output: string): string {
  return process.stdout.isTTY ? output : stripVTControlCharacters(output);
}
