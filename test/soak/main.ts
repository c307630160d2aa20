/**
 * `npm run soak`: the service under mixed traffic for as long as it is told, with the recompute running.
 *
 * Many workspaces write near their limits, read and ask. Memory, times and errors are told as they go, and in the end
 * all of it is accounted for: what senders know of each message is held against the log, the counters, the limiter and
 * the rollups. The exit code is 0 only if everything is right and no request failed. Ctrl-C ends it early, with the
 * accounting all the same.
 *
 *     npm run soak -- [--minutes 10] [--workspaces 200] [--json]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = await mkdtemp(join(tmpdir(), "soak-"));
const soak = fork(new URL("process.ts", import.meta.url), process.argv.slice(2), {
  // A terminal sends Ctrl-C to all processes of its group, and workerd ends by it: the soak has a group of its own.
  detached: true,
  env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => soak.connected && soak.send("stop"));
try {
  const [code] = await once(soak, "exit");
  process.exitCode = typeof code === "number" ? code : 1;
} finally {
  killGroup(soak.pid);
  await rm(folder, { recursive: true, force: true });
}

/** Kills what the soak left behind: workerd outlives a process that crashes. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
