/**
 * Runs a command in a process group of its own and ends it together with everything it started.
 *
 * workerd outlives a wrangler that crashes, and vitest's workers outlive a vitest that is killed: they become orphans that
 * no process tree leads to. The kernel still knows their group. A small shell leads the group, and kills all of it when
 * its pipe from this process closes: after the command has ended, or when this process has ended, even by SIGKILL.
 *
 * Libraries that end process trees (tree-kill, fkill, pidtree) call `ps`, which bare Linux images lack, and miss orphans.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** The shell ignores the signals that end the command, so that it can report the command's exit code. */
const LEADER =
  'trap "" INT TERM HUP; "$@" 3<&- & command=$!; { read -r _; kill -KILL 0; } <&3 & wait "$command" 2>/dev/null';

/** How long a command may take to end after SIGTERM. Wrangler needs about 100 ms. */
const GRACE_MS = 5_000;

export interface ProcessGroup {
  stdout: Readable;
  stderr: Readable;
  /** Settles with the exit code once nothing of the group is left; 128 and more for a signal, as in a shell. */
  ended: Promise<number>;
  /** Sends SIGTERM, then SIGKILL, and waits for the end. Safe to call twice, and after the end. */
  stop(): Promise<void>;
}

export interface GroupOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export function startProcessGroup(command: string, args: readonly string[], { cwd, env }: GroupOptions): ProcessGroup {
  const leader = spawn("sh", ["-c", LEADER, "sh", command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const { stdout, stderr } = leader;
  if (stdout === null || stderr === null) throw new Error(`${command} has no output`);
  const kill = () => void leader.stdio[3]?.destroy();
  const ended = endOf(leader, kill);
  return {
    stdout,
    stderr,
    ended,
    stop: async () => {
      signalGroup(leader, "SIGTERM");
      const timer = setTimeout(kill, GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function endOf(leader: ChildProcess, kill: () => void): Promise<number> {
  const closed = once(leader, "close"); // orphans hold the output open
  const [code] = await once(leader, "exit");
  kill();
  await closed;
  return typeof code === "number" ? code : 1;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
