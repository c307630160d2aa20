/** The staging section of docs/operations.md, copied into `wrangler.toml`. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";
import { type Unstable_Config, unstable_readConfig } from "wrangler";

import { type CloudflareApi, runNpm, startApi } from "../harness/cloudflare-api.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";
import { PROJECT_ROOT } from "../harness/project-root.ts";
import { oneOf } from "../thorough.ts";

const GUIDE = readFileSync(join(PROJECT_ROOT, "docs/operations.md"), "utf8");
const [, SECTION = ""] = /^```toml\n(\[env\.staging\]\n.*?)^```/ms.exec(GUIDE) ?? [];

let project: ProjectCopy;
let api: CloudflareApi;
let path: string;
beforeAll(async () => {
  project = await copyProject();
  api = await startApi();
  path = join(project.root, "wrangler.toml");
  appendFileSync(path, `\n${SECTION}`);
});
afterAll(async () => {
  api.stop();
  await project[Symbol.asyncDispose]();
});

/** Lists what a deployment has: names of bindings and variables, and the resources that it uses. */
function contentOf(config: Unstable_Config) {
  const { vars, d1_databases: databases, r2_buckets: buckets, queues, ratelimits, durable_objects: objects } = config;
  const { producers = [], consumers = [] } = queues;
  return {
    bindings: [
      ...Object.keys(vars),
      ...[...databases, ...buckets, ...producers].map(({ binding }) => binding),
      ...[...ratelimits, ...objects.bindings].map(({ name }) => name),
      config.assets?.binding ?? [],
    ]
      .flat()
      .toSorted(),
    secrets: config.secrets?.required,
    consumers: consumers.map(({ queue: _queue, dead_letter_queue: _dead, ...settings }) => settings),
    limits: ratelimits.map(({ name, simple }) => ({ name, simple })),
    resources: [
      ...databases.map((each) => each.database_name),
      ...buckets.map((each) => each.bucket_name),
      ...consumers.flatMap((each) => [each.queue, each.dead_letter_queue ?? []].flat()),
      ...ratelimits.map((each) => each.namespace_id),
    ],
  };
}

const production = () => contentOf(unstable_readConfig({ config: path }));

it("has all that production has, with the same limits, and shares no resource with it", () => {
  const { resources, ...settings } = contentOf(unstable_readConfig({ config: path, env: "staging" }));
  const { resources: others, ...own } = production();
  expect(settings).toEqual(own);
  expect(resources).toHaveLength(others.length);
  expect(resources.filter((name) => others.includes(name))).toEqual([]);
});

it("is deployed in a dry run", async () => {
  const { code, output } = await runNpm(project.root, api, ["deploy", "--", "--dry-run", "--env", "staging"]);
  const bindings = production().bindings.map((name) => `env.${name}`);
  expect([code, output.match(/env\.\w+/g)?.toSorted()]).toEqual([0, bindings]);
});

it.each(
  oneOf<[string[], Record<string, string>]>([
    [["--env", "staging"], {}],
    [["-e", "staging"], {}],
    [[], { CLOUDFLARE_ENV: "staging" }],
  ]),
)("names itself in each command that %o %o prints", async (options, env) => {
  for (const name of ["behavior-ingest-staging-tasks", "ADMIN_TOKEN", "SECRETS_KEY"]) api.lacking.add(name);
  const { output } = await runNpm(project.root, api, ["deploy", "--", ...options], env);
  api.lacking.clear();
  expect(output.match(/npx wrangler .*/g)).toEqual([
    "npx wrangler d1 create behavior-ingest-staging --env=staging",
    "npx wrangler queues create behavior-ingest-staging-tasks --env=staging",
    "npx wrangler secret put ADMIN_TOKEN --env=staging",
    "npx wrangler secret put SECRETS_KEY --env=staging",
  ]);
});

it("gets its own database, queues and bucket with --create", async () => {
  const lacking = ["tasks", "deliveries", "failed-tasks", "archive"].map((name) => `behavior-ingest-staging-${name}`);
  for (const name of lacking) api.lacking.add(name);
  const { output } = await runNpm(project.root, api, ["deploy", "--", "--env", "staging", "--create"]);
  expect(output).toContain("Created the database behavior-ingest-staging (DB).");
  const names = api.created.map((each) => Object(each).queue_name ?? Object(each).name);
  expect(names).toEqual(["behavior-ingest-staging", ...lacking]);
  const toml = readFileSync(path, "utf8");
  expect(toml).toMatch(/database_name = "behavior-ingest-staging"\ndatabase_id = "(?!0{8}-)/);
  expect(toml).toMatch(/database_name = "behavior-ingest"\ndatabase_id = "0{8}-/);
});

it("names itself in the command that deploys a new database", async () => {
  const { output } = await runNpm(project.root, api, ["databases", "--", "add", "--env", "staging"]);
  expect(output).toContain("Deploy it: npm run deploy -- --env=staging\n");
});
