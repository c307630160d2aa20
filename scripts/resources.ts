/** Finds what a deployment needs and the account lacks: databases, queues, the bucket and secrets. `npm run deploy` calls it. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

import { jurisdictionOf } from "../src/config.ts";
import { type Config, requireJurisdiction, tryWrangler, wrangler } from "./deployment.ts";

const SECRETS_KEY = "SECRETS_KEY";
const Secrets = z.array(z.object({ name: z.string() }));
const Listed = z.array(z.object({ uuid: z.string(), name: z.string().optional(), jurisdiction: z.string().nullish() }));

export interface Missing {
  /** For people, with the command that creates it. */
  name: string;
  /** Arguments for wrangler. */
  create: string[];
  /** The id in the configuration, which the new database's replaces. */
  replaces?: string;
  /** The value of a new secret. */
  input?: string;
  /** Whether only the operator can create it. */
  isByHand?: boolean;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
/** The texts of wrangler 4 and of R2's API. Any other failure, such as a token without permission, ends the deployment. */
const IS_MISSING = /does not exist|code: 10006/;

/**
 * Lists all missing resources.
 * @param common arguments for every wrangler command
 * @throws Error when a database is in another jurisdiction than the deployment, or wrangler fails
 */
export function findMissing(config: Config, common: readonly string[]): Missing[] {
  const jurisdiction = jurisdictionOf(config.vars);
  const place = jurisdiction === undefined ? [] : ["--jurisdiction", jurisdiction];
  const listed = Listed.parse(JSON.parse(wrangler(["d1", "list", "--json", ...common], { isQuiet: true })));
  const byId = new Map(listed.map((each) => [each.uuid, each]));
  const databases = config.d1_databases.flatMap(({ binding, database_id: id = "", database_name: name = "" }) => {
    const found = byId.get(id);
    if (found === undefined)
      return { name: `database ${name} (${binding})`, create: ["d1", "create", name, ...place], replaces: id };
    requireJurisdiction(found.jurisdiction, `database of ${binding}`, jurisdiction);
    return [];
  });
  const { producers = [], consumers = [] } = config.queues;
  const names = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap((each) => [each.queue, each.dead_letter_queue ?? []].flat()),
  ];
  const queues = [...new Set(names)]
    .filter((name) => isMissing(["queues", "info", name, ...common]))
    .map((name) => ({ name: `queue ${name}`, create: ["queues", "create", name] }));
  const buckets = config.r2_buckets
    // `bucket info` would also need a permission for analytics.
    .filter(({ bucket_name: name = "" }) => isMissing(["r2", "bucket", "lifecycle", "list", name, ...place, ...common]))
    .map(({ bucket_name: name = "" }) => ({
      name: `bucket ${name}`,
      create: ["r2", "bucket", "create", name, ...place],
    }));
  return [...databases, ...queues, ...buckets, ...missingSecrets(config, common)];
}

/** The key that encrypts secrets may be any random one. Whoever signs in must know the admin token. */
function missingSecrets({ secrets }: Config, common: readonly string[]): Missing[] {
  const { required = [] } = secrets ?? {};
  if (required.length === 0) return [];
  const { isDone, stdout, output } = tryWrangler(["secret", "list", ...common]);
  if (!isDone && !/not found/.test(output)) throw new Error(`wrangler secret list failed.\n${output}`.trim());
  const known = isDone ? Secrets.parse(JSON.parse(stdout)).map(({ name }) => name) : [];
  return required
    .filter((name) => !known.includes(name))
    .map((name) => ({
      name: `secret ${name}`,
      create: ["secret", "put", name],
      ...(name === SECRETS_KEY ? { input: randomBytes(33).toString("base64") } : { isByHand: true }),
    }));
}

function isMissing(command: readonly string[]): boolean {
  const { isDone, output } = tryWrangler(command);
  if (!isDone && !IS_MISSING.test(output)) throw new Error(`wrangler ${command.join(" ")} failed.\n${output}`.trim());
  return !isDone;
}

/** Creates resources, and puts the ids of databases into the configuration. @param path of `wrangler.toml` */
export function createMissing(missing: readonly Missing[], path: string, common: readonly string[]): void {
  for (const { name, create, replaces, input } of missing) {
    const printed = wrangler([...create, ...common], { isQuiet: true, input });
    if (replaces !== undefined) {
      const id = UUID.exec(printed)?.[0];
      if (id === undefined) throw new Error(`wrangler created no database.\n${printed}`);
      writeFileSync(path, withId(readFileSync(path, "utf8"), create[2] ?? "", id));
    }
    console.log(`Created the ${name}.`);
    if (input !== undefined)
      console.log(`Its value is ${input}\nKeep it where you keep ADMIN_TOKEN: rotation needs it.`);
  }
}

/** Replaces the id of the database with this name. */
function withId(toml: string, name: string, id: string): string {
  const [before = "", after, ...more] = toml.split(`database_name = "${name}"\ndatabase_id = "`);
  if (after === undefined || more.length > 0)
    throw new Error(`Put database_id = "${id}" below the database_name "${name}" in wrangler.toml.`);
  return `${before}database_name = "${name}"\ndatabase_id = "${id}${after.slice(after.indexOf('"'))}`;
}
