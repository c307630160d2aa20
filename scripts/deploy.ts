/**
 * `npm run deploy`: migrates every database of `wrangler.toml`, then deploys the code. It stops at the first failure.
 *
 * It creates nothing: without a database or a queue that the configuration names, wrangler fails. Arguments go to wrangler,
 * as in `npm run deploy -- --env staging`.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { unstable_readConfig } from "wrangler";

const WRANGLER = fileURLToPath(new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url));

const args = process.argv.slice(2);

function wrangler(...command: string[]): void {
  const { status } = spawnSync(process.execPath, [WRANGLER, ...command, ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const place = args.indexOf("--env");
const env = place === -1 ? undefined : args[place + 1];
const { d1_databases: databases } = unstable_readConfig({ env });
// A dry run changes nothing, and needs no account.
for (const { binding } of args.includes("--dry-run") ? [] : databases)
  wrangler("d1", "migrations", "apply", binding, "--remote");
wrangler("deploy");
