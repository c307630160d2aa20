/**
 * Runs a command in a process group of its own, as a terminal does, and ends everything it started.
 *
 * A second small process, outside the group, guards it: it holds the other end of a pipe from this process and kills the
 * group when the pipe closes. So nothing outlives the tests, even when their process is killed in the middle of one.
 */
import { spawn } from "node:child_process";

import { vi } from "vitest";

import { markedProcesses, newMark } from "./marked-processes.ts";
import { PROJECT_ROOT } from "./project-root.ts";

/** Ends quietly after reading a line, and kills the group when the pipe closes without one. */
const GUARD = 'read -r _ || kill -KILL -- "-$1"';

const KILL_MS = 10_000;

export interface GroupOptions {
  cwd?: string;
  /** Variables on top of those of a shell. */
  env?: Record<string, string>;
}

export interface ProcessGroup {
  /** Everything printed so far, on stdout and stderr. */
  output(): string;
  /** True once the leader has ended and nothing holds its output open. */
  hasEnded(): boolean;
  /** `pid command` of each live process that the command started, in this group or another one. */
  members(): string[];
  /** Signals the leader only, as `kill <pid>` does. */
  signal(signal: NodeJS.Signals): void;
  /** Signals the whole group, as Ctrl-C does. */
  signalAll(signal: NodeJS.Signals): void;
  /** Waits until the command has ended: the exit code, null when a signal killed it. */
  end(withinMs: number): Promise<number | null>;
  /** Signals the leader and waits for its end. Kills the group and throws when that takes too long. */
  stop(signal: NodeJS.Signals, withinMs: number): Promise<number | null>;
  /** Kills the whole group and waits until nothing is left. */
  kill(): Promise<void>;
}

export function startGroup(
  command: string,
  args: string[],
  { cwd = PROJECT_ROOT, env }: GroupOptions = {},
): ProcessGroup {
  const mark = newMark();
  const leader = spawn(command, args, {
    cwd,
    env: { ...shellEnvironment(), ...env, ...mark },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const id = leader.pid;
  if (id === undefined) throw new Error(`${command} could not be started`);
  const guard = spawn("bash", ["-c", GUARD, "guard", String(id)], {
    env: shellEnvironment(),
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();

  let output = "";
  for (const stream of [leader.stdout, leader.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  let hasEnded = false;
  leader.on("close", () => (hasEnded = true));
  const dismissGuard = () => {
    if (guard.stdin.writable && group.members().length === 0) guard.stdin.end("done\n");
  };

  const group: ProcessGroup = {
    output: () => output,
    hasEnded: () => hasEnded,
    members: () => markedProcesses(mark),
    signal: (signal) => void leader.kill(signal),
    signalAll: (signal) => {
      try {
        process.kill(-id, signal);
      } catch {
        // The group is gone.
      }
    },
    end: async (withinMs) => {
      await vi.waitUntil(() => hasEnded, { timeout: withinMs });
      return leader.exitCode;
    },
    stop: async (signal, withinMs) => {
      group.signal(signal);
      try {
        return await group.end(withinMs);
      } catch (error) {
        await group.kill();
        throw error;
      } finally {
        dismissGuard();
      }
    },
    kill: async () => {
      group.signalAll("SIGKILL");
      await vi.waitUntil(() => hasEnded && group.members().length === 0, { timeout: KILL_MS });
      dismissGuard();
    },
  };
  return group;
}

/** Returns the environment without the variables that npm, `npm test` and vitest added for the tests. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(npm_|VITEST|WRANGLER_|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|ADMIN_TOKEN$|SECRETS_KEY|PUBLIC_URL$|ALLOW_LOCAL_DESTINATIONS$|PORT$|STATE_DIR$|DATABASES$|BIND_ADDRESS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
