/** `npm run alerts`, with a local stand-in for Cloudflare's API. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { type CloudflareApi, runNpm, startApi } from "../harness/cloudflare-api.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";

let project: ProjectCopy;
let api: CloudflareApi;
beforeAll(async () => {
  project = await copyProject();
  api = await startApi();
});
beforeEach(() => {
  api.logQueries.length = 0;
  api.logResults.clear();
});
afterAll(async () => {
  api.stop();
  await project[Symbol.asyncDispose]();
});

const alerts = (...args: string[]) => runNpm(project.root, api, ["alerts", ...args]);
const counted = (value: number, workspace?: string) => ({
  run: { status: "COMPLETED" },
  calculations: [
    {
      calculation: "count",
      alias: "value",
      series: [],
      aggregates: [
        {
          count: value,
          interval: 300,
          sampleInterval: 1,
          value,
          groups: workspace === undefined ? [] : [{ key: "workspace", value: workspace }],
        },
      ],
    },
  ],
});

it("asks about the Worker alone, in each alert's window, and says that none fires", async () => {
  const before = Date.now();
  expect(await alerts()).toMatchObject({ code: 0, output: expect.stringContaining("No alert fires") });
  expect(api.logQueries.length).toBeGreaterThan(14);
  for (const query of api.logQueries) {
    const own = { key: "$metadata.service", operation: "eq", type: "string", value: "behavior-ingest" };
    expect(query).toMatchObject({ view: "calculations", parameters: { filters: expect.arrayContaining([own]) } });
  }
  const silent = api.logQueries.find(({ queryId }) => queryId === "behavior-ingest-recompute-silent-base");
  const { from, to } = silent?.timeframe ?? { from: 0, to: 0 };
  expect(to - from).toBe(300_000);
  expect(to).toBeGreaterThanOrEqual(before - 70 * 60_000);
});

it("names each alert that fires with its workspace and figures, and fails", async () => {
  api.logResults.set("behavior-ingest-rate-limited", counted(60, "ws_loud"));
  api.logResults.set("behavior-ingest-rate-limited-base", counted(80, "ws_loud"));
  api.logResults.set("behavior-ingest-internal-errors", counted(1));
  const { code, output } = await alerts();
  expect(code).toBe(1);
  expect(output).toContain("rate-limited: A workspace is refused more than 10 % of its requests");
  expect(output).toContain("ws_loud: 60 (base 80)");
  expect(output).toMatch(/internal-errors: A request failed with 500\.\n {2}1\n/);
  expect(output).not.toContain("storage-full");
});

it("asks about an environment, and fails when it is called wrongly or Cloudflare refuses", async () => {
  appendFileSync(join(project.root, "wrangler.toml"), `\n[env.staging]\nname = "behavior-ingest-staging"\n`);
  const staging = await alerts("--", "--env", "staging");
  expect(staging).toMatchObject({ code: 0, output: expect.stringContaining("for behavior-ingest-staging") });
  expect(await alerts("--", "all")).toMatchObject({ code: 1, output: expect.stringContaining("Use: npm run alerts") });
  const env = { CLOUDFLARE_ACCOUNT_ID: "" };
  const unset = await runNpm(project.root, api, ["alerts"], env);
  expect(unset).toMatchObject({ code: 1, output: expect.stringContaining("Set CLOUDFLARE_ACCOUNT_ID") });
  const malformed = await runNpm(project.root, api, ["alerts"], { CLOUDFLARE_API_BASE_URL: "api.example.com", ...env });
  expect(malformed.output).toContain("CLOUDFLARE_API_BASE_URL api.example.com is no address");
  const refused = await runNpm(project.root, api, ["alerts"], { CLOUDFLARE_ACCOUNT_ID: "other" });
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/behavior-ingest-[a-z-]+: refused by the test/),
  });
});
