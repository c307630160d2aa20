/** What the commands say when they are asked for help, or given a wrong address. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

import { startGroup } from "../harness/process-group.ts";

const MAX_MS = 60_000;

async function run(args: string[], env: Record<string, string> = {}) {
  const group = startGroup("npm", ["run", ...args], { env });
  return { code: await group.end(MAX_MS), output: group.output() };
}

it.each(["export", "demo", "bench:cost"])("npm run %s -- --help prints how to use it", async (name) => {
  const { code, output } = await run([name, "--", "--help"]);
  expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`Use: .*npm run ${name}`))]);
});

const FOLDER = mkdtempSync(join(tmpdir(), "usage-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));
const EXPORT = ["export", "--", "--from", "2026-11-01", "--to", "2026-11-02", "--format", "ndjson", "--out", FOLDER];

it("npm run export names a malformed address before it misses a key", async () => {
  const { code, output } = await run([...EXPORT, "--url", "ingest.example.com"]);
  expect([code, output]).toEqual([1, expect.stringContaining("--url must be a URL")]);
});

it("npm run export says that another service answers", async () => {
  await using server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<p>ok</p>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const { code, output } = await run([...EXPORT, "--url", url], { KEY: "a key" });
  expect([code, output]).toEqual([1, expect.stringContaining(`${url} doesn't answer as this service does (200).`)]);
});

it("npm run databases names a malformed address before it misses a token", async () => {
  const args = ["databases", "--", "reconcile", "--url", "ingest.example.com"];
  const { code, output } = await run(args, { ADMIN_TOKEN: "" });
  expect([code, output]).toEqual([1, expect.stringContaining("--url ingest.example.com is no address")]);
});
