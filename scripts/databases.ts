/**
 * `npm run databases -- add`: creates a database on Cloudflare and adds its binding to `wrangler.toml`.
 *
 * `--location weur` (or wnam, enam, eeur, apac, oc) chooses its location for good, unless the deployment has a
 * jurisdiction; `--env staging` adds it to an environment. The next `npm run deploy` migrates it, and new workspaces
 * can live there.
 *
 * `npm run databases -- reconcile`: see reconcile/reconcile.ts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { jurisdictionOf, MAX_DATABASES } from "../src/config.ts";
import { readConfig, requireJurisdiction, runCommand, splitArguments, wrangler } from "./deployment.ts";
import { reconcile, RECONCILE_USAGE } from "./reconcile/reconcile.ts";
import { bindingOf, withDatabase } from "./wrangler-toml.ts";

const CONFIG = fileURLToPath(new URL("../wrangler.toml", import.meta.url));
const USAGE = `npm run databases -- add [--location weur] [--env staging]\n  ${RECONCILE_USAGE}\nSee docs/databases.md and docs/restore.md.`;

function readOptions(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options: { location: text, jurisdiction: text } });
  } catch {
    throw new Error(`Unknown option. Use: ${USAGE}`);
  }
}

await runCommand(async (args) => {
  const [command, ...options] = args;
  if (args.some((each) => each === "--help" || each === "-h")) console.log(`Use: ${USAGE}`);
  else if (command === "reconcile") process.exitCode = await reconcile(options);
  else add(args);
});

function add(args: readonly string[]): void {
  const { shared, common, rest } = splitArguments(args);
  const { positionals, values } = readOptions(rest);
  if (positionals.join(" ") !== "add" || shared.has("config")) throw new Error(`Unknown command. Use: ${USAGE}`);

  const { vars, d1_databases: bound, targetEnvironment } = readConfig(new Map(shared).set("config", CONFIG));
  const jurisdiction = jurisdictionOf(vars);
  const { location } = values;
  requireJurisdiction(values.jurisdiction ?? jurisdiction, "new database", jurisdiction);
  if (jurisdiction !== undefined && location !== undefined)
    throw new Error("JURISDICTION sets the location: remove --location.");

  const directory = bound.find(({ binding }) => binding === bindingOf(0));
  if (directory?.database_name === undefined)
    throw new Error("wrangler.toml has no database DB yet. See docs/operations.md#first-deployment.");
  if (bound.length >= MAX_DATABASES)
    throw new Error(
      `A deployment can have at most ${MAX_DATABASES} databases. See docs/monitoring.md#platform-limits.`,
    );
  let number = 1;
  while (bound.some(({ binding }) => binding === bindingOf(number))) number += 1;
  const name = `${directory.database_name}-${number}`;

  const tomlWith = (id: string) => {
    const added = { binding: bindingOf(number), name, id, location };
    return withDatabase(readFileSync(CONFIG, "utf8"), added, targetEnvironment || undefined);
  };
  // A database that can't be bound must not be created.
  tomlWith("");
  const options = Object.entries({ location, jurisdiction }).flatMap(([key, value]) =>
    value ? [`--${key}`, value] : [],
  );
  const printed = wrangler(["d1", "create", name, ...options, ...common], { isQuiet: true });
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(printed)?.[0];
  if (id === undefined) throw new Error(`wrangler created no database.\n${printed}`);
  writeFileSync(CONFIG, tomlWith(id));
  const deploy = ["npm run deploy", ...(common.length > 0 ? ["--", ...common] : [])].join(" ");
  console.log(`Created ${name} and bound it as ${bindingOf(number)}. Deploy it: ${deploy}`);
}
