/**
 * Finds the deployment that a command is about: the configuration, and the environment as every form of wrangler's own
 * options names it (`--env staging`, `--env=staging`, `-e staging`, `-e=staging`, `CLOUDFLARE_ENV`).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { unstable_readConfig } from "wrangler";

import { jurisdictionOf } from "../src/config.ts";

const WRANGLER = fileURLToPath(new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url));

/** The part of the configuration that the commands need. */
export interface Config {
  /** The Worker's. */
  name?: string | undefined;
  vars: Record<string, unknown>;
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name?: string; jurisdiction?: string }[];
  queues: { producers?: { queue: string }[]; consumers?: { queue: string; dead_letter_queue?: string }[] };
  secrets?: { required?: string[] | undefined } | undefined;
  /** The file that was read. */
  configPath?: string | undefined;
  targetEnvironment?: string | undefined;
  definedEnvironments?: string[] | undefined;
}

const text = { type: "string" } as const;
const SHARED = { env: { ...text, short: "e" }, config: { ...text, short: "c" }, profile: text } as const;

/** Runs a command, and prints why it can't go on. */
export async function runCommand(command: (args: readonly string[]) => Promise<void> | void): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    console.error(
      `npm run ${process.env["npm_lifecycle_event"] ?? ""}:`,
      error instanceof Error ? error.message : error,
    );
    process.exitCode = 1;
  }
}

/** Splits off the options that every wrangler command takes. @throws Error when one has no value, or npm has taken it */
export function splitArguments(args: readonly string[]) {
  // npm takes options before `--` for itself, and the command would change production.
  const taken = ["env", "config", "dry_run"].find((name) => process.env[`npm_config_${name}`] !== undefined);
  if (taken !== undefined) throw new Error("npm took an option. Write -- before options: npm run deploy -- --env …");
  const options = { args: [...args], options: SHARED, strict: false, allowPositionals: true, tokens: true } as const;
  const shared = new Map<string, string>();
  const used = new Set<number>();
  for (const token of parseArgs(options).tokens) {
    if (token.kind !== "option" || !(token.name in SHARED)) continue;
    if (token.value === undefined) throw new Error(`${token.rawName} needs a value.`);
    // Wrangler accepts `-e=staging` too.
    shared.set(token.name, token.rawName.startsWith("--") ? token.value : token.value.replace(/^=/, ""));
    used.add(token.index);
    if (!token.inlineValue) used.add(token.index + 1);
  }
  const { CLOUDFLARE_ENV } = process.env;
  // Printed commands must name the environment.
  if (CLOUDFLARE_ENV && !shared.has("env")) shared.set("env", CLOUDFLARE_ENV);
  const common = Array.from(shared, ([name, value]) => `--${name}=${value}`);
  return { shared, common, rest: args.filter((_, index) => !used.has(index)) };
}

/**
 * Reads the configuration.
 * @throws Error for an environment that it doesn't have, because wrangler would use production's databases, and when one of
 *   its settings contradicts the variable `JURISDICTION`
 */
export function readConfig(shared: ReadonlyMap<string, string>): Config {
  const config: Config = unstable_readConfig({ config: shared.get("config"), env: shared.get("env") });
  const { targetEnvironment: env = "", definedEnvironments = [], vars, r2_buckets: buckets } = config;
  if (env !== "" && !definedEnvironments.includes(env)) throw new Error(`wrangler.toml has no environment "${env}".`);
  const jurisdiction = jurisdictionOf(vars);
  const bucket = buckets.find(({ binding }) => binding === "ARCHIVE");
  requireJurisdiction(bucket?.jurisdiction, "bucket of ARCHIVE", jurisdiction);
  const location = Object.keys(vars).find((name) => /^DB(_\d+)?_LOCATION$/.test(name));
  if (jurisdiction !== undefined && location !== undefined)
    throw new Error(`JURISDICTION sets the location: remove ${location} from wrangler.toml.`);
  return config;
}

/** @throws Error when something was created in another jurisdiction than the deployment has */
export function requireJurisdiction(found: string | null | undefined, what: string, wanted: string | undefined): void {
  if ((found ?? undefined) === wanted) return;
  const where = found ? `in the jurisdiction "${found}"` : "in no jurisdiction";
  throw new Error(`The ${what} is ${where}, but JURISDICTION is "${wanted ?? ""}". See docs/databases.md#location.`);
}

interface Options {
  isQuiet?: boolean;
  /** The standard input. */
  input?: string | undefined;
}

/** Runs wrangler. @returns what it printed, if `isQuiet` @throws Error when it fails */
export function wrangler(command: readonly string[], { isQuiet = false, input }: Options = {}): string {
  const { isDone, stdout, output } = tryWrangler(command, { isQuiet, input });
  if (!isDone) throw new Error(`wrangler ${command.join(" ")} failed.\n${output}`.trim());
  return stdout;
}

/** Runs wrangler. @returns whether it succeeded, and, if `isQuiet`, what it printed */
export function tryWrangler(command: readonly string[], { isQuiet = true, input }: Options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...command], {
    stdio: isQuiet ? [input === undefined ? "inherit" : "pipe", "pipe", "pipe"] : "inherit",
    ...(input !== undefined && { input }),
    encoding: "utf8",
    // Otherwise wrangler asks whether to edit the configuration, or may print no id.
    ...(isQuiet && { env: { ...process.env, CI: "true", WRANGLER_LOG: "log" } }),
  });
  return { isDone: status === 0, stdout, output: isQuiet ? stdout + stderr : "" };
}
