/**
 * `npm run deploy`: migrates every database of the deployment, then deploys the code. It stops at the first failure.
 *
 * It creates nothing: without a database or a queue that the configuration names, wrangler fails. Arguments go to wrangler,
 * as in `npm run deploy -- --env staging`.
 */
import { z } from "zod";

import { jurisdictionOf } from "../src/config.ts";
import { type Config, readConfig, requireJurisdiction, runCommand, splitArguments, wrangler } from "./deployment.ts";

const Listed = z.array(z.object({ uuid: z.string(), jurisdiction: z.string().nullish() }));

await runCommand((args) => {
  const { shared, common, rest } = splitArguments(args);
  const config = readConfig(shared);
  // A dry run changes nothing, and needs no account.
  if (!rest.some((argument) => /^--dry-?run(?!=false)/i.test(argument))) {
    // Wrong arguments and code that can't be built must not migrate anything.
    wrangler(["deploy", ...rest, "--dry-run", ...common], { isQuiet: true });
    requireJurisdictions(config, wrangler(["d1", "list", "--json", ...common], { isQuiet: true }));
    for (const { binding } of config.d1_databases)
      wrangler(["d1", "migrations", "apply", binding, "--remote", ...common]);
  }
  wrangler(["deploy", ...rest, ...common]);
});

/** Compares where Cloudflare says that the databases are. @param printed JSON */
function requireJurisdictions({ vars, d1_databases: databases }: Config, printed: string): void {
  const listed = new Map(Listed.parse(JSON.parse(printed)).map(({ uuid, jurisdiction }) => [uuid, jurisdiction]));
  for (const { binding, database_id: id = "" } of databases) {
    const found = listed.get(id);
    if (found !== undefined) requireJurisdiction(found, `database of ${binding}`, jurisdictionOf(vars));
  }
}
