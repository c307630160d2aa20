/**
 * `npm run deploy`: migrates every database of the deployment, then deploys the code. It stops at the first failure.
 *
 * It first names every database, queue and bucket that the account lacks. With `--create` it creates them, and puts the ids
 * of databases into `wrangler.toml`. Other arguments go to wrangler, as in `npm run deploy -- --env staging`. With
 * `--upload` the new version gets no traffic: `wrangler versions deploy` shifts it gradually.
 */
import { readConfig, runCommand, splitArguments, wrangler } from "./deployment.ts";
import { createMissing, findMissing } from "./resources.ts";

const OWN = new Set(["--create", "--upload"]);

const USAGE = "npm run deploy -- [--create] [--upload] [--env NAME] [options of wrangler deploy]";

await runCommand((args) => {
  if (args.some((argument) => ["--help", "-h"].includes(argument))) return console.log(`Use: ${USAGE}`);
  const { shared, common, rest: given } = splitArguments(args);
  const rest = given.filter((argument) => !OWN.has(argument));
  const config = readConfig(shared);
  // A dry run changes nothing, and needs no account.
  if (!rest.some((argument) => /^--dry-?run(?!=false)/i.test(argument))) {
    // Wrong arguments and code that can't be built must not migrate anything.
    wrangler(["deploy", ...rest, "--dry-run", ...common], { isQuiet: true });
    const missing = findMissing(config, common);
    if (given.includes("--create")) createMissing(missing, config.configPath ?? "wrangler.toml", common);
    else if (missing.length > 0) {
      const commands = missing.map(({ name, create }) => `  ${name}: npx wrangler ${create.join(" ")}`);
      throw new Error(`The account lacks this. --create creates it.\n${commands.join("\n")}`);
    }
    for (const { binding } of config.d1_databases)
      wrangler(["d1", "migrations", "apply", binding, "--remote", ...common]);
  }
  wrangler([...(given.includes("--upload") ? ["versions", "upload"] : ["deploy"]), ...rest, ...common]);
});
