/**
 * Wrangler, without its questions, telemetry and banner: the migrations, and `wrangler dev` as a process of ours.
 *
 * It stays in our process group, so that a signal to the group (Ctrl-C, or a supervisor's kill) reaches it too.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { QUIET_WRANGLER } from "../quiet-wrangler.ts";
import { devVarsPath } from "./admin-token.ts";
import { isCronWarning, isNoise } from "./noise.ts";
import { endProcesses, newRunMark } from "../processes.ts";
import { type Settings, StartFailure } from "./settings.ts";

const MIGRATIONS = fileURLToPath(new URL("apply-migrations.ts", import.meta.url));

/** What wrangler gets to end by itself. It needs about 100 ms. */
const GRACE_MS = 5_000;

export interface Wrangler {
  /** Settles when wrangler ends by itself, with what to tell the user. */
  ended: Promise<string>;
  /** Ends it and every process it started. Safe to call twice, and after its end. */
  stop(): Promise<void>;
}

/**
 * Applies the migrations that the local D1 lacks.
 *
 * @throws StartFailure with what was printed when one fails
 */
export async function applyMigrations(settings: Settings, signal: AbortSignal): Promise<void> {
  const config = join(settings.root, "wrangler.toml");
  const run = spawnNode(settings, [MIGRATIONS, config, settings.stateDir], { WRANGLER_LOG: "error" });
  const stop = () => void run.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [output, errors, how] = await Promise.all([text(run.stdout), text(run.stderr), run.exited]);
    if (!signal.aborted && run.child.exitCode !== 0) {
      const printed = `${output}${errors}`.trimEnd();
      throw new StartFailure(`The migrations could not be applied to ${settings.stateDir} (${how}).\n${printed}`);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Its runtime too, which outlives one that was killed.
    await run.stop();
  }
}

/** Starts `wrangler dev`. The Worker's log lines go to stdout, errors to stderr. */
export function startWrangler(settings: Settings): Wrangler {
  const devVars = devVarsPath(settings);
  const run = spawnNode(settings, [
    join(settings.root, "node_modules/wrangler/bin/wrangler.js"),
    "dev",
    "--local",
    "--show-interactive-dev-session=false",
    // Any free one: of two services that start at once, both would find the default one free.
    "--inspector-port=0",
    `--ip=${settings.address}`,
    `--port=${settings.port}`,
    `--persist-to=${settings.stateDir}`,
    // Named as an env file, .dev.vars gives way to ADMIN_TOKEN of the environment; found by itself, it would win.
    ...(existsSync(devVars) ? ["--env-file", devVars] : []),
  ]);
  forward(run.stdout, process.stdout, isNoise);
  forward(run.stderr, process.stderr, isCronWarning);
  return { ended: run.exited.then((how) => `wrangler dev ended by itself (${how}).`), stop: run.stop };
}

function spawnNode(settings: Settings, args: string[], env: NodeJS.ProcessEnv = {}) {
  const mark = newRunMark();
  const child = spawn(process.execPath, args, {
    cwd: settings.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...mark,
      ...QUIET_WRANGLER,
      ...env,
      WRANGLER_REGISTRY_PATH: join(settings.stateDir, "registry"), // not the home directory's
    },
  });
  return {
    child,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: exitOf(child),
    stop: () => endProcesses(child, mark, GRACE_MS),
  };
}

async function exitOf(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, "exit");
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function forward(from: Readable, to: NodeJS.WritableStream, drop: (line: string) => boolean): void {
  createInterface({ input: from }).on("line", (line) => {
    if (!drop(line)) to.write(`${line}\n`);
  });
}
