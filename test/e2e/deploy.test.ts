/** `npm run databases` and `npm run deploy`, with the real wrangler and a local stand-in for Cloudflare's API. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, it } from "vitest";

import { freePort } from "../harness/free-port.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";
import { QUIET_WRANGLER } from "../harness/quiet-wrangler.ts";

const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const FIRST = "00000000-0000-0000-0000-000000000000";

function answer(response: ServerResponse, result: unknown, status = 200): void {
  const errors = status === 200 ? [] : [{ code: 7500, message: "refused by the test" }];
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }));
}

/** Answers as Cloudflare does when it creates and queries databases. It fails queries of `broken`. */
async function startApi() {
  const calls: string[] = [];
  const created: unknown[] = [];
  let broken = "";
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? "").replace(/^.*\/accounts\/account/, "").replace(/\?.*$/, "");
      calls.push(`${request.method} ${path}`);
      if (request.method === "POST" && path === "/d1/database") {
        created.push(JSON.parse(body));
        return answer(response, { uuid: idOf(created.length), name: "created", primary_location_hint: "weur" });
      }
      const isQuery = path.startsWith("/d1/database/") && (broken === "" || !path.includes(broken));
      return isQuery ? answer(response, [{ results: [], success: true, meta: {} }]) : answer(response, null, 400);
    });
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", () => listening()));
  return {
    calls,
    created,
    url: `http://127.0.0.1:${port}/client/v4`,
    fail: (id: string) => {
      broken = id;
      calls.length = 0;
    },
    stop: () => server.close(),
  };
}

let project: ProjectCopy;
let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  project = await copyProject();
  api = await startApi();
});
afterAll(async () => {
  api.stop();
  await project[Symbol.asyncDispose]();
});

function npm(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    ...QUIET_WRANGLER,
    WRANGLER_LOG: "log",
    CLOUDFLARE_API_BASE_URL: api.url,
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_ACCOUNT_ID: "account",
  };
  return new Promise((ended) => {
    execFile("npm", ["run", ...args], { cwd: project.root, env }, (error, stdout, stderr) => {
      ended({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
    });
  });
}

const databasesCalled = () => [
  ...new Set(api.calls.flatMap((call) => /\/d1\/database\/([^/]+)/.exec(call)?.[1] ?? [])),
];
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
  expect(databasesCalled()).toEqual([FIRST, idOf(1)]);
  expect(api.calls.filter((call) => call.includes("/workers/"))).toEqual([]);
  api.fail("");
  await npm("deploy");
  expect(databasesCalled()).toEqual([FIRST, idOf(1), idOf(2)]);
  const code = api.calls.findIndex((call) => call.includes("/workers/"));
  expect(code).toBeGreaterThan(api.calls.findLastIndex((call) => call.includes(idOf(2))));
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

it("adds no more databases than the cron can serve", async () => {
  const before = toml();
  const added = Array.from({ length: 97 }, (_, place) => table(place + 3));
  writeFileSync(join(project.root, "wrangler.toml"), before + added.join(""));
  api.created.length = 0;
  expect(await npm("databases", "--", "add")).toMatchObject({
    code: 1,
    output: expect.stringContaining("A deployment can have 100 databases."),
  });
  expect(api.created).toEqual([]);
});
