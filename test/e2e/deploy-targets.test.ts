/** Which databases `npm run deploy` and `npm run databases` change: those of the environment, however it is named. */
import { execFile } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import { type CloudflareApi, idOf, runNpm, startApi } from "../harness/cloudflare-api.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";

const FIRST = "00000000-0000-0000-0000-000000000000";
const STAGING = `
[env.staging]
name = "behavior-ingest-staging"

[env.staging.vars]
HOT_DAYS = "30"

[[env.staging.d1_databases]]
binding = "DB"
database_name = "behavior-ingest-staging"
database_id = "${idOf(8)}"

[[env.staging.d1_databases]]
binding = "DB_1"
database_name = "behavior-ingest-staging-1"
database_id = "${idOf(9)}"
`;

let project: ProjectCopy;
let api: CloudflareApi;
let path: string;
let original: string;
beforeAll(async () => {
  project = await copyProject();
  api = await startApi();
  path = join(project.root, "wrangler.toml");
  original = readFileSync(path, "utf8");
});
beforeEach(() => {
  api.fail("");
  api.created.length = 0;
  api.lacking.clear();
  api.listed.splice(0, api.listed.length, ...[FIRST, idOf(8), idOf(9)].map((uuid) => ({ uuid, jurisdiction: null })));
});
afterEach(() => {
  writeFileSync(path, original);
});
afterAll(async () => {
  api.stop();
  await project[Symbol.asyncDispose]();
});

const npm = (args: readonly string[], env?: Record<string, string>) => runNpm(project.root, api, args, env);
const edit = (from: string, to: string) => writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
const toml = () => readFileSync(path, "utf8");

const READ = `
import { readConfig, splitArguments } from "./scripts/deployment.ts";
const read = ([args, env]) => {
  Object.assign(process.env, env);
  try {
    const { shared, common, rest } = splitArguments(args);
    return [readConfig(shared).d1_databases.map((each) => each.database_id), common, rest];
  } catch (error) {
    return error.message;
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
};
console.log(JSON.stringify(JSON.parse(process.argv[1]).map(read)));`;

type Case = [args: string[], env?: Record<string, string>];

/** Returns what the commands read of arguments and variables: the databases and the arguments for wrangler, or why not. */
async function read(...cases: Case[]): Promise<unknown[]> {
  const given = JSON.stringify(cases.map(([args, env = {}]) => [args, env]));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", READ, given], {
    cwd: project.root,
  });
  return z.array(z.unknown()).parse(JSON.parse(stdout));
}

describe("an environment", () => {
  it("is found in every form of wrangler's option, and everything else is passed on", async () => {
    appendFileSync(path, STAGING);
    const forms = [["--env", "staging"], ["--env=staging"], ["-e", "staging"], ["-e=staging"], ["-estaging"]];
    const cases = forms.map((form): Case => [["--message", "-x", ...form, "--minify"], { CLOUDFLARE_ENV: "nosuch" }]);
    const own = [idOf(8), idOf(9)];
    expect(await read(...cases)).toEqual(forms.map(() => [own, ["--env=staging"], ["--message", "-x", "--minify"]]));
    expect(await read([[], { CLOUDFLARE_ENV: "staging" }], [["--env="]], [[]])).toEqual([
      [own, ["--env=staging"], []],
      [[FIRST], ["--env="], []],
      [[FIRST], [], []],
    ]);
  });

  it("that doesn't exist is refused by name", async () => {
    const cases: Case[] = [[["--env=nosuch"]], [["-e", "nosuch"]], [[], { CLOUDFLARE_ENV: "nosuch" }]];
    const without = await read(...cases);
    appendFileSync(path, STAGING);
    for (const message of [...without, ...(await read(...cases))])
      expect(message).toMatch(/no environment .*"nosuch"/i);
  });

  it("needs a name, and isn't left to npm", async () => {
    const taken = ["env", "config", "dry_run"].map((name): Case => [[], { [`npm_config_${name}`]: "staging" }]);
    const [unnamed, ...left] = await read([["-e"]], ...taken);
    expect(unnamed).toBe("-e needs a value.");
    for (const message of left) expect(message).toContain("Write -- before options");
  });

  it("has all its databases migrated, and no others", async () => {
    appendFileSync(path, STAGING);
    await npm(["deploy", "--", "-e", "staging", "--message", "a release"]);
    expect(api.queried()).toEqual([idOf(8), idOf(9)]);
    expect(api.calls.filter((call) => call.includes("/workers/")).join()).toContain("behavior-ingest-staging");
  });

  it("that is misspelled, or given to npm, changes nothing", async () => {
    appendFileSync(path, STAGING);
    const before = toml();
    for (const args of [["--", "--evn", "staging"], ["--", "staging"], ["--env=staging"], ["--", "-e", "nosuch"]])
      expect((await npm(["deploy", ...args])).code).toBe(1);
    expect((await npm(["databases", "--", "add"], { CLOUDFLARE_ENV: "nosuch" })).code).toBe(1);
    expect([api.calls, toml()]).toEqual([[], before]);
  });

  it("is not touched by a question for help", async () => {
    const { code, output } = await npm(["deploy", "--", "--help"]);
    expect([code, output.includes("Use: npm run deploy"), api.calls]).toEqual([0, true, []]);
  });

  it("gets a database of its own, with its place", async () => {
    appendFileSync(path, STAGING);
    await npm(["databases", "--", "add", "-e", "staging", "--location", "weur"]);
    expect(api.created).toEqual([{ name: "behavior-ingest-staging-2", primary_location_hint: "weur" }]);
    expect(toml()).toContain(`[env.staging.vars]\nDB_2_LOCATION = "weur"\n`);
    expect(toml()).toContain(`[[env.staging.d1_databases]]\nbinding = "DB_2"\n`);
  });

  it("without a table for variables gets no database whose place would be forgotten", async () => {
    appendFileSync(path, STAGING.replace("[env.staging.vars]", "").replace('HOT_DAYS = "30"', ""));
    const added = await npm(["databases", "--", "add", "--env=staging", "--location", "weur"]);
    expect(added).toMatchObject({ code: 1, output: expect.stringContaining("[env.staging.vars]") });
    expect(api.created).toEqual([]);
  });
});

describe("the OpenTelemetry export", () => {
  it("is switched on by the lines that are comments in wrangler.toml, without query strings", async () => {
    expect(toml()).toContain("redact_query_string = true");
    const [, block = ""] = /^(# destinations = \["my-logs"\]\n[\s\S]*?# persist = false\n)/m.exec(toml()) ?? [];
    edit(block, block.replaceAll(/^# (?=\[|[a-z_]+ = )/gm, ""));
    const { code, output } = await npm(["deploy", "--", "--dry-run"]);
    expect([code, output.match(/unexpected fields|deprecated|WARNING/gi)]).toEqual([0, null]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        "-e",
        `import("wrangler").then(({ unstable_readConfig: read }) => console.log(JSON.stringify(read({}).observability)))`,
      ],
      { cwd: project.root },
    );
    expect(JSON.parse(stdout)).toEqual({
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false, destinations: ["my-logs"] },
      traces: { enabled: true, head_sampling_rate: 0.01, destinations: ["my-traces"], persist: false },
    });
  });
});

const BUCKET = `bucket_name = "behavior-ingest-archive"\n`;
const setJurisdictions = (setting: string, bucket: string | null) => {
  edit(`JURISDICTION = ""`, `JURISDICTION = "${setting}"`);
  if (bucket !== null) edit(BUCKET, `${BUCKET}jurisdiction = "${bucket}"\n`);
};
const ADD = ["databases", "--", "add"];

describe("a deployment with a jurisdiction", () => {
  it("deploys when the bucket and all databases are there, and creates further databases there", async () => {
    setJurisdictions("eu", "eu");
    api.listed.push({ uuid: FIRST, jurisdiction: "eu" }, { uuid: idOf(7), jurisdiction: null });
    await npm(["deploy"]);
    expect(api.queried()).toEqual([FIRST]);
    expect((await npm([...ADD, "--jurisdiction", "eu"])).code).toBe(0);
    expect((await npm(ADD)).code).toBe(0);
    expect(api.created).toEqual([
      { name: "behavior-ingest-1", jurisdiction: "eu" },
      { name: "behavior-ingest-2", jurisdiction: "eu" },
    ]);
  });

  it.each([
    ["eu", null, "", `The bucket of ARCHIVE is in no jurisdiction, but JURISDICTION is "eu".`],
    ["eu", "us", "", `The bucket of ARCHIVE is in the jurisdiction "us", but JURISDICTION is "eu".`],
    ["", "eu", "", `The bucket of ARCHIVE is in the jurisdiction "eu", but JURISDICTION is "".`],
    [
      "eu",
      "eu",
      `DB_1_LOCATION = "weur"\n`,
      "JURISDICTION sets the location: remove DB_1_LOCATION from wrangler.toml.",
    ],
    ["europe", null, "", "JURISDICTION must be empty or one of eu, us, fedramp"],
  ])(
    "is refused when JURISDICTION is %j, the bucket's %j, and another variable %j",
    async (setting, bucket, more, message) => {
      setJurisdictions(setting, bucket);
      edit("[vars]\n", `[vars]\n${more}`);
      expect(await read([[]])).toEqual([expect.stringContaining(message)]);
    },
  );

  it.each([
    ["eu", null, `The database of DB is in no jurisdiction, but JURISDICTION is "eu".`],
    ["", "eu", `The database of DB is in the jurisdiction "eu", but JURISDICTION is "".`],
  ])("is refused before any migration when JURISDICTION is %j and a database's %j", async (setting, found, message) => {
    setJurisdictions(setting, setting || null);
    api.listed.push({ uuid: FIRST, jurisdiction: found });
    expect(await npm(["deploy"])).toMatchObject({ code: 1, output: expect.stringContaining(message) });
    expect(api.queried()).toEqual([]);
  });

  it("has no database elsewhere", async () => {
    const alone = await npm([...ADD, "--jurisdiction", "eu"]);
    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining(`but JURISDICTION is "".`) });
    setJurisdictions("eu", "eu");
    const other = await npm([...ADD, "--jurisdiction", "us"]);
    expect(other).toMatchObject({ code: 1, output: expect.stringContaining(`but JURISDICTION is "eu".`) });
    const located = await npm([...ADD, "--location", "weur"]);
    expect(located).toMatchObject({ code: 1, output: expect.stringContaining("remove --location") });
    expect(api.calls).toEqual([]);
  });
});
