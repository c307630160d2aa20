/** Runs wrangler without prompts, telemetry and banner: the migrations, and `wrangler dev`. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import { type ProcessGroup, startProcessGroup } from "../process-group.ts";
import { QUIET_WRANGLER } from "../quiet-wrangler.ts";
import { bindingOf, withDatabase } from "../wrangler-toml.ts";
import { devVarsPath, previousSecrets } from "./secrets.ts";
import { isCronWarning, isNoise } from "./noise.ts";
import { baseUrl, type Settings, StartFailure } from "./settings.ts";

/** The bindings of databases in a `wrangler.toml`, once each, although environments repeat them. */
const databasesIn = (toml: string): string[] => [
  ...new Set(Array.from(toml.matchAll(/^binding = "(DB(?:_\d+)?)"$/gm), ([, name = ""]) => name)),
];

/** The configuration with more than the project's own, beside it. Each service watches a file of its own. */
const extendedPath = ({ root, stateDir }: Settings): string =>
  join(root, `wrangler.${createHash("sha256").update(stateDir).digest("hex").slice(0, 8)}-databases.toml`);

/** Finds the configuration with enough databases and secrets, and writes it if it has more than the project's own. */
function configuration(settings: Settings): { path: string; bindings: string[] } {
  const { root, databases } = settings;
  const path = join(root, "wrangler.toml");
  let toml = readFileSync(path, "utf8");
  const own = databasesIn(toml);
  const added = Array.from({ length: databases }, (_, n) => bindingOf(n)).filter((name) => !own.includes(name));
  const previous = previousSecrets(settings);
  if (added.length === 0 && previous.length === 0) return { path, bindings: own };
  // Wrangler loads only secrets that are named there.
  for (const name of previous) toml = toml.replace(/^(\[secrets\]\nrequired = \[)/m, `$1"${name}", `);
  for (const binding of added) toml = withDatabase(toml, { binding, name: binding, id: binding });
  const extended = extendedPath(settings);
  writeFileSync(extended, toml);
  return { path: extended, bindings: [...own, ...added] };
}

/** Deletes the files that were written for wrangler, and the traces with URLs that it kept under earlier versions. */
export function cleanUp(settings: Settings): void {
  rmSync(extendedPath(settings), { force: true });
  rmSync(join(settings.stateDir, "v3/observability"), { force: true, recursive: true });
}

/**
 * Applies the migrations that the local databases lack.
 *
 * @throws StartFailure with wrangler's output when one fails
 */
export async function applyMigrations(settings: Settings, signal: AbortSignal): Promise<void> {
  for (const binding of configuration(settings).bindings) await migrate(settings, binding, signal);
}

async function migrate(settings: Settings, binding: string, signal: AbortSignal): Promise<void> {
  const group = startWrangler(settings, ["d1", "migrations", "apply", binding, "--local"]);
  const stop = () => void group.stop();
  signal.addEventListener("abort", stop, { once: true });
  const [code, ...printed] = await Promise.all([group.ended, text(group.stdout), text(group.stderr)]);
  signal.removeEventListener("abort", stop);
  if (code === 0 || signal.aborted) return;
  const output = printed.join("").trimEnd();
  throw new StartFailure(`The migrations could not be applied to ${settings.stateDir} (exit code ${code}).\n${output}`);
}

/** Starts `wrangler dev`. The Worker's log lines go to stdout, errors to stderr. */
export function startWorker(settings: Settings): ProcessGroup {
  const devVars = devVarsPath(settings);
  const group = startWrangler(settings, [
    "dev",
    "--local",
    "--show-interactive-dev-session=false",
    // Any free port: two services that start at once would both find the default one free.
    "--inspector-port=0",
    `--ip=${settings.address}`,
    `--port=${settings.port}`,
    "--var=SUCCESS_SAMPLING_RATE:1",
    `--var=PUBLIC_URL:${baseUrl(settings)}`,
    ...(settings.access === null
      ? []
      : [`--var=ACCESS_TEAM_DOMAIN:${settings.access.team}`, `--var=ACCESS_AUD:${settings.access.audience}`]),
    ...(settings.allowLocalDestinations ? ["--var=ALLOW_LOCAL_DESTINATIONS:true"] : []),
    // As an env file, .dev.vars yields to ADMIN_TOKEN in the environment. Found by wrangler itself, it would win.
    ...(existsSync(devVars) ? ["--env-file", devVars] : []),
  ]);
  forward(group.stdout, process.stdout, isNoise);
  forward(group.stderr, process.stderr, isCronWarning);
  return group;
}

function startWrangler(settings: Settings, args: readonly string[]): ProcessGroup {
  const { root, stateDir } = settings;
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const common = ["--config", configuration(settings).path, `--persist-to=${stateDir}`];
  return startProcessGroup(process.execPath, [wrangler, ...args, ...common], {
    cwd: root,
    env: {
      ...process.env,
      ...QUIET_WRANGLER,
      WRANGLER_REGISTRY_PATH: join(stateDir, "registry"), // instead of the home directory
    },
  });
}

function forward(from: Readable, to: NodeJS.WritableStream, drop: (line: string) => boolean): void {
  createInterface({ input: from }).on("line", (line) => {
    if (!drop(line)) to.write(`${line}\n`);
  });
}
