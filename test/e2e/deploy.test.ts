/** `npm run databases` and `npm run deploy`, with the real wrangler and a local stand-in for Cloudflare's API. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { type CloudflareApi, idOf, runNpm, startApi } from "../harness/cloudflare-api.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";

const FIRST = "00000000-0000-0000-0000-000000000000";

let project: ProjectCopy;
let api: CloudflareApi;
beforeAll(async () => {
  project = await copyProject();
  api = await startApi();
  api.listed.push({ uuid: FIRST, jurisdiction: null });
});
afterAll(async () => {
  api.stop();
  await project[Symbol.asyncDispose]();
});

const npm = (...args: string[]) => runNpm(project.root, api, args);
const isUpload = (call: string) => call.includes("/workers/") && !call.endsWith("/secrets");
const toml = () => readFileSync(join(project.root, "wrangler.toml"), "utf8");

it("deploys one database in a dry run", async () => {
  const { code, output } = await npm("deploy", "--", "--dry-run");
  expect([code, output.match(/env\.DB\w* /g)]).toEqual([0, ["env.DB "]]);
});

it("creates databases at a location, and binds each for the deployment", async () => {
  const before = toml();
  const added = await npm("databases", "--", "add", "--location", "weur");
  expect(added).toMatchObject({ code: 0, output: expect.stringContaining("bound it as DB_1") });
  expect((await npm("databases", "--", "add")).code).toBe(0);
  expect(api.created).toEqual([
    { name: "behavior-ingest-1", primary_location_hint: "weur" },
    { name: "behavior-ingest-2" },
  ]);
  expect(toml()).toContain(`[vars]\nDB_1_LOCATION = "weur"\n`);
  expect(toml()).toContain(`binding = "DB_2"\ndatabase_name = "behavior-ingest-2"\ndatabase_id = "${idOf(2)}"\n`);
  for (const line of before.split("\n")) expect(toml()).toContain(line);
  const { code, output } = await npm("deploy", "--", "--dry-run");
  expect([code, output.match(/env\.DB(?:_\d)? /g)]).toEqual([0, ["env.DB ", "env.DB_1 ", "env.DB_2 "]]);
});

it("migrates every database before the code, and stops at the first failure", async () => {
  api.fail(idOf(1));
  expect((await npm("deploy")).code).not.toBe(0);
  expect(api.queried()).toEqual([FIRST, idOf(1)]);
  expect(api.calls.filter(isUpload)).toEqual([]);
  api.fail("");
  await npm("deploy");
  expect(api.queried()).toEqual([FIRST, idOf(1), idOf(2)]);
  const code = api.calls.findIndex(isUpload);
  expect(code).toBeGreaterThan(api.calls.findLastIndex((call) => call.includes(idOf(2))));
});

it("names everything that the account lacks at once, and creates it with --create", async () => {
  const before = toml();
  const lacking = ["tasks", "deliveries", "failed-tasks", "archive"].map((name) => `behavior-ingest-${name}`);
  for (const name of [...lacking, "ADMIN_TOKEN", "SECRETS_KEY"]) api.lacking.add(name);
  const known = api.listed.splice(0, 1);
  api.fail("");
  const { code, output } = await npm("deploy");
  expect(code).toBe(1);
  expect(output).toContain("database behavior-ingest (DB): npx wrangler d1 create behavior-ingest\n");
  for (const name of lacking)
    expect(output).toMatch(new RegExp(`(queue|bucket) ${name}: npx wrangler .* create ${name}\\n`));
  for (const name of ["ADMIN_TOKEN", "SECRETS_KEY"])
    expect(output).toContain(`secret ${name}: npx wrangler secret put ${name}\n`);
  expect([output.match(/npx wrangler/g)?.length, api.queried(), api.created.length, toml()]).toEqual([
    7,
    [],
    2,
    before,
  ]);
  const withoutToken = await npm("deploy", "--", "--create");
  expect(withoutToken.output.match(/npx wrangler .*/g)).toEqual(["npx wrangler secret put ADMIN_TOKEN"]);
  expect([withoutToken.code, api.queried(), api.created.length, toml()]).toEqual([1, [], 2, before]);
  api.lacking.delete("ADMIN_TOKEN");
  const created = await npm("deploy", "--", "--create");
  expect(created.output).toContain("Created the database behavior-ingest (DB).");
  expect(api.created.slice(2)).toEqual([
    { name: "behavior-ingest" },
    expect.objectContaining({ queue_name: lacking[0] }),
    expect.objectContaining({ queue_name: lacking[1] }),
    expect.objectContaining({ queue_name: lacking[2] }),
    expect.objectContaining({ name: lacking[3] }),
    expect.objectContaining({ name: "SECRETS_KEY", text: expect.stringMatching(/^[\w+/]{44}$/) }),
  ]);
  const { text } = Object(api.created.at(-1));
  expect(created.output).toContain(`Its value is ${text}\nKeep it where you keep ADMIN_TOKEN`);
  expect(toml()).toBe(before.replace(FIRST, idOf(3)));
  expect(api.queried()).toEqual([idOf(3), idOf(1), idOf(2)]);
  writeFileSync(join(project.root, "wrangler.toml"), before);
  api.lacking.clear();
  api.listed.unshift(...known);
});

it("changes nothing when it is called wrongly, or Cloudflare refuses", async () => {
  const before = toml();
  expect(await npm("databases", "--", "remove")).toMatchObject({
    code: 1,
    output: expect.stringContaining("Use: npm"),
  });
  expect(await npm("databases", "--", "add", "--place", "x")).toMatchObject({ code: 1 });
  expect((await npm("databases", "--", "add", "--location", "mars")).code).toBe(1);
  expect(toml()).toBe(before);
});

const table = (number: number) => `
[[d1_databases]]
binding = "DB_${number}"
database_name = "behavior-ingest-${number}"
database_id = "${FIRST}"
`;

it("adds no more databases than a reconciliation can ask", async () => {
  const before = toml();
  const added = Array.from({ length: 97 }, (_, place) => table(place + 3));
  writeFileSync(join(project.root, "wrangler.toml"), before + added.join(""));
  api.created.length = 0;
  expect(await npm("databases", "--", "add")).toMatchObject({
    code: 1,
    output: expect.stringContaining("A deployment can have at most 100 databases."),
  });
  expect(api.created).toEqual([]);
});
