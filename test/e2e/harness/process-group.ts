/**
 * A command in a process group of its own, so that all it starts can be found, and ended, at once.
 *
 * A second small process, outside the group, guards it: it holds the other end of a pipe from this process, and kills
 * the group when that closes. So nothing outlives the tests, even when their process is killed in the middle of one.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { processTable } from "../../../scripts/process-table.ts";
import { until } from "./until.ts";

export const PROJECT_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Ends quietly when it is sent a line, and kills the group when the pipe closes without one. */
const GUARD = 'read -r _ || kill -KILL -- "-$1"';

export interface GroupOptions {
  cwd?: string;
  /** Variables on top of what a shell has; undefined takes one away. */
  env?: Record<string, string | undefined>;
}

export interface ProcessGroup {
  /** The leader's id, which is the group's. */
  readonly id: number;
  /** What all of them printed so far, on stdout and stderr. */
  output(): string;
  /** True once the leader has ended and nobody holds its output open any more. */
  hasEnded(): boolean;
  /** Of the leader; null while it runs, and when a signal killed it. */
  exitCode(): number | null;
  /** Live processes of the group: `pid command`. */
  members(): string[];
  /** A signal to the leader only, as `kill <pid>` sends it. */
  signal(signal: NodeJS.Signals): void;
  /** A signal to all of the group, as Ctrl-C sends it. */
  signalAll(signal: NodeJS.Signals): void;
  /** Signals the leader and waits for its end: the exit code. Kills the group and throws when that takes too long. */
  stop(signal: NodeJS.Signals, withinMs: number): Promise<number | null>;
  /** Kills all of the group and waits until nothing is left. */
  kill(): Promise<void>;
}

export function startGroup(
  command: string,
  args: string[],
  { cwd = PROJECT_ROOT, env }: GroupOptions = {},
): ProcessGroup {
  const leader = spawn(command, args, {
    cwd,
    env: { ...shellEnvironment(), ...env },
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
    id,
    output: () => output,
    hasEnded: () => hasEnded,
    exitCode: () => leader.exitCode,
    members: () => membersOf(id),
    signal: (signal) => void leader.kill(signal),
    signalAll: (signal) => {
      try {
        process.kill(-id, signal);
      } catch {
        // Nothing is left of it.
      }
    },
    stop: async (signal, withinMs) => {
      group.signal(signal);
      try {
        await until(() => hasEnded, { withinMs, what: `the end of ${command}` });
      } catch (error) {
        await group.kill();
        throw error;
      }
      dismissGuard();
      return leader.exitCode;
    },
    kill: async () => {
      group.signalAll("SIGKILL");
      await until(() => hasEnded && group.members().length === 0, { what: `the end of ${command}` });
      dismissGuard();
    },
  };
  return group;
}

/** The environment without what npm, `npm test` and vitest added to it for the tests. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(npm_|VITEST|BEHAVIOR_INGEST_RUN$|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|ADMIN_TOKEN$|PORT$|STATE_DIR$|BIND_ADDRESS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Zombies are not counted: they have ended, and wait only for whoever adopted them. */
function membersOf(group: number): string[] {
  return processTable().flatMap(({ pid, state, processGroup, command }) =>
    processGroup === group && !state.startsWith("Z") ? [`${pid} ${command}`] : [],
  );
}
