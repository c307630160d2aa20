/**
 * `npm run databases -- reconcile`: see reconcile/reconcile.ts.
 *
 * `npm run databases -- add`: creates a database on Cloudflare and adds its binding to `wrangler.toml`.
 *
 * `--location weur` (or wnam, enam, eeur, apac, oc) and `--jurisdiction eu` choose where it is, once and for all; `--env staging`
 * adds it to an environment. The next `npm run deploy` migrates it, and new workspaces can live there.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { unstable_readConfig } from "wrangler";

import { MAX_DATABASES } from "../src/config.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import { bindingOf, withDatabase } from "./wrangler-toml.ts";

const CONFIG = fileURLToPath(new URL("../wrangler.toml", import.meta.url));
const WRANGLER = fileURLToPath(new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url));
const USAGE =
  "npm run databases -- add [--location weur | --jurisdiction eu] [--env staging], or reconcile [--url URL]";

function fail(message: string): never {
  console.error(`npm run databases: ${message}`);
  process.exit(1);
}

function read() {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ allowPositionals: true, options: { location: text, jurisdiction: text, env: text } });
  } catch {
    return fail(`Unknown option. Use: ${USAGE}`);
  }
}

const [command, ...rest] = process.argv.slice(2);
if (command === "reconcile") {
  const isDone = await reconcile(rest).catch((error: unknown) =>
    fail(error instanceof Error ? error.message : String(error)),
  );
  process.exit(isDone ? 0 : 1);
}

const { positionals, values } = read();
const { env, ...place } = values;
if (positionals.join(" ") !== "add") fail(`Unknown command. Use: ${USAGE}`);

const bound: { binding: string; database_name?: string }[] = unstable_readConfig({ config: CONFIG, env }).d1_databases;
const directory = bound.find(({ binding }) => binding === bindingOf(0));
if (directory?.database_name === undefined) fail("wrangler.toml has no database DB yet. See docs/operations.md.");
if (bound.length >= MAX_DATABASES) fail(`A deployment can have ${MAX_DATABASES} databases. See docs/operations.md.`);
let number = 1;
while (bound.some(({ binding }) => binding === bindingOf(number))) number += 1;
const name = `${directory.database_name}-${number}`;

const options = Object.entries(place).flatMap(([option, value]) => [`--${option}`, value]);
const { status, stdout } = spawnSync(process.execPath, [WRANGLER, "d1", "create", name, ...options], {
  stdio: ["inherit", "pipe", "inherit"],
  encoding: "utf8",
  // Otherwise wrangler asks whether to edit the configuration, or may print no id.
  env: { ...process.env, CI: "true", WRANGLER_LOG: "log" },
});
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0];
if (status !== 0 || id === undefined) fail(`wrangler created no database.\n${stdout}`);

const added = { binding: bindingOf(number), name, id, location: place.location };
writeFileSync(CONFIG, withDatabase(readFileSync(CONFIG, "utf8"), added, env));
console.log(`Created ${name} and bound it as ${added.binding}. Deploy it: npm run deploy`);
