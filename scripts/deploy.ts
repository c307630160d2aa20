/**
 * `npm run deploy`: migrates every database of the deployment, then deploys the code. It stops at the first failure.
 *
 * It first names every database, queue, bucket and secret that the account lacks. With `--create` it creates them, but not
 * ADMIN_TOKEN, and puts the ids of databases into `wrangler.toml`. Other arguments go to wrangler, as in `npm run deploy -- --env staging`. With
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
    const left = given.includes("--create") ? missing.filter(({ isByHand }) => isByHand) : missing;
    if (left.length > 0) {
      const commands = left.map(({ name, create }) => `  ${name}: npx wrangler ${[...create, ...common].join(" ")}`);
      const creates = left.every(({ isByHand }) => isByHand) ? "" : " --create creates all but ADMIN_TOKEN.";
      throw new Error(`The account lacks this.${creates}\n${commands.join("\n")}`);
    }
    createMissing(missing, config.configPath ?? "wrangler.toml", common);
    for (const { binding } of config.d1_databases)
      wrangler(["d1", "migrations", "apply", binding, "--remote", ...common]);
  }
  wrangler([...(given.includes("--upload") ? ["versions", "upload"] : ["deploy"]), ...rest, ...common]);
});
