/** docs/export.md: `npm run export` of the demo's messages, and the programs that read them. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { messagesOf } from "../../evals/demo-world/messages.ts";
import { HISTORY_DAYS } from "../../evals/demo-world/cast.ts";
import { happeningsOf, storiesFrom } from "../../evals/demo-world/story.ts";
import { START_DAY } from "../../evals/simulator/calendar.ts";
import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DAY_MS } from "../../src/core/durations.ts";
import type { Workspace } from "../harness/admin-client.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { type ProcessGroup, startGroup } from "../harness/process-group.ts";
import { type Proxy, startProxy } from "../harness/proxy.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";

const RUN_MS = 60_000;
const BATCH = 1_000;
const TODAY = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** Midnight may pass during the tests. */
const [FROM, TO] = [dateOf(TODAY - 5), dateOf(TODAY + 1)];
const GUIDE = readFileSync(new URL("../../docs/export.md", import.meta.url), "utf8");

const Files = z.object({ files: z.array(z.object({ name: z.string(), day: z.string(), sha256: z.string() })) });
const Answer = z.object({ value: z.array(z.record(z.string(), z.union([z.string(), z.number()]))) });
const Line = z.object({ message_id: z.string(), user_id: z.string() });

let worker: ServedWorker;
let workspace: Workspace;
let proxy: Proxy;
let home: string;
let folder: string;
let sent = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "export-"));
  folder = join(home, "export");
  worker = await serveWorker(await buildWorker());
  proxy = await startProxy(worker.url);
  workspace = await worker.createWorkspace({ writeLimit: MAX_WRITE_LIMIT });
  const day = TODAY - START_DAY;
  const stories = storiesFrom(day);
  const messages: object[] = messagesOf(stories, happeningsOf(stories, day, day), day);
  sent = messages.length;
  // `readline` takes them for ends of lines.
  messages.push({ ...messages.pop(), properties: { text: "\u2028\u2029" } });
  for (let first = 0; first < sent; first += BATCH)
    await call("POST", "/api/v1/cdp", { batch: messages.slice(first, first + BATCH) });
  await worker.admin("POST", "/admin/recompute");
  // On each of the last four days, and today.
  for (const last of [6_000, 12_000, 16_000, 20_000])
    await worker.database
      .prepare("UPDATE messages SET received_at = received_at - ? WHERE seq & 0xffffffff <= ?")
      .bind(DAY_MS, last)
      .run();
  await archive(TODAY - 3);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" };
  const response = await fetch(worker.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function archive(day: number): Promise<void> {
  const archived = await worker.admin("POST", `/admin/workspaces/${workspace.id}/archive`, { through: dateOf(day) });
  expect(await archived.json()).toMatchObject({ ok: true, complete: true });
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));

const listFiles = async () => Files.parse(await call("GET", `/api/v1/archive?from=${FROM}&to=${TO}`)).files;

/** Starts an export through the proxy. Later options replace earlier ones. */
function startExport(...options: string[]): ProcessGroup {
  const all = ["--from", FROM, "--to", TO, "--format", "parquet", "--out", folder, "--url", proxy.url, ...options];
  return startGroup("npm", ["run", "export", "--", ...all], { env: { KEY: workspace.key } });
}

async function exportMessages(...options: string[]) {
  const group = startExport(...options);
  return { code: await group.end(RUN_MS), output: group.output() };
}

const ndjsonIn = (out: string) => join(out, `${FROM}_${TO}.ndjson`);
const pathOf = ({ day, name }: { day: string; name: string }) => join(folder, `received_date=${day}`, name);
const recentFiles = async () => (await readdir(folder, { recursive: true })).filter((path) => path.includes("recent"));
const sizeOf = async (path: string) => (await stat(path).catch(() => ({ size: 0 }))).size;
const downloads = () => proxy.requests().filter((url) => url.startsWith("/api/v1/archive/"));

async function expectComplete(): Promise<void> {
  for (const file of await listFiles()) expect(hash("sha256", await readFile(pathOf(file)))).toBe(file.sha256);
}

/** Runs SQL in the folder in which the export was made. @returns the rows as JSON, sorted */
async function inDuckDb(sql = ""): Promise<string[]> {
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run(`SET file_search_path = '${home}'; SET TimeZone = 'Asia/Tokyo'`);
  return (await duckdb.runAndReadAll(sql))
    .getRowsJson()
    .map((row) => JSON.stringify(row))
    .toSorted();
}

describe("§17 --format ndjson", () => {
  it("writes each message once, and the same after the connection broke and a line was torn", async () => {
    const [whole, resumed] = [join(folder, "whole"), join(folder, "resumed")];
    const toResumed = ["--format", "ndjson", "--out", resumed];
    expect(await exportMessages("--format", "ndjson", "--out", whole)).toMatchObject({ code: 0 });
    const text = await readFile(ndjsonIn(whole), "utf8");
    const ids = linesOf(text).map(({ message_id: id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([sent, sent]);

    const pages = proxy.requests();
    proxy.stall(pages[2] ?? "", 100_000);
    const broken = startExport(...toResumed);
    await expect.poll(() => proxy.hangUp()).toBe(true);
    expect(await broken.end(RUN_MS)).toBe(1);
    expect(broken.output()).toContain("Run the same command again to continue.");
    expect(proxy.requests()).toEqual(pages.slice(0, 3));
    await appendFile(`${ndjsonIn(resumed)}.part`, '{"message_id":"to');
    expect(await exportMessages(...toResumed)).toMatchObject({ code: 0 });
    expect(proxy.requests()).toEqual(pages.slice(2));
    expect((await readFile(ndjsonIn(resumed), "utf8")) === text).toBe(true);
  });
});

describe("§17 --format parquet", () => {
  it("continues a killed download", async () => {
    const [first, second] = await listFiles();
    if (first === undefined || second === undefined) throw new Error("There are fewer than two files.");
    proxy.stall(second.name, 20_000);
    const killed = startExport();
    await expect.poll(() => sizeOf(`${pathOf(second)}.part`)).toBe(20_000);
    await killed.kill();
    proxy.requests();
    expect(await exportMessages()).toMatchObject({ code: 0 });
    expect(downloads()).toEqual([`/api/v1/archive/${second.name} bytes=20000-`]);
    await expectComplete();
  });

  it("gives DuckDB the counts of the API by event and day, whether or not messages are archived", async () => {
    const window = { from: dateOf(TODAY - HISTORY_DAYS), to: dateOf(TODAY + 1) };
    const query = async (body: object) => Answer.parse(await call("POST", "/api/v1/query", { ...body, window })).value;
    const counts: string[] = [];
    for (const { externalId: event } of await query({ find: "features", show: "list", measure: "events" })) {
      const where = [{ dimension: "event", is: event }];
      const days = await query({ find: "events", where, show: "value", measure: "events", per: "day" });
      counts.push(
        ...days
          .filter(({ events }) => events !== 0)
          .map(({ day, events }) => JSON.stringify([day, event, String(events)])),
      );
    }
    expect(counts.length).toBeGreaterThan(HISTORY_DAYS);
    const [, printed] = /```sql\n(.*?)```/s.exec(GUIDE) ?? [];
    // An export that fails removes nothing.
    expect(await exportMessages("--url", "http://127.0.0.1:1")).toMatchObject({ code: 1 });
    expect(await recentFiles()).toHaveLength(3);
    expect(await inDuckDb(printed)).toEqual(counts.toSorted());

    await archive(TODAY + 1);
    expect(await exportMessages()).toMatchObject({ code: 0 });
    expect(downloads()).toHaveLength(3);
    expect(await recentFiles()).toEqual([]);
    expect(await inDuckDb(printed)).toEqual(counts.toSorted());
  });

  it("replaces files that were rewritten because a user was erased, and nothing else", async () => {
    const before = await listFiles();
    const [line] = linesOf(await readFile(ndjsonIn(join(folder, "whole")), "utf8"));
    await call("POST", "/api/v1/users/erase", { userId: line?.user_id });
    await archive(TODAY + 1);
    const isNew = ({ sha256 }: { sha256: string }) => before.every((file) => file.sha256 !== sha256);
    const rewritten = (await listFiles()).filter(isNew);
    expect(rewritten).not.toEqual([]);
    for (const file of rewritten) await writeFile(`${pathOf(file)}.part`, "of an old version");
    expect(await exportMessages()).toMatchObject({ code: 0 });
    expect(downloads()).toEqual(
      rewritten.flatMap(({ name }) => [`/api/v1/archive/${name} bytes=17-`, `/api/v1/archive/${name}`]),
    );
    await expectComplete();
  });

  it("repeats requests while the service is busy", async () => {
    proxy.refuse(2);
    expect(await exportMessages()).toMatchObject({ code: 0 });
    expect(proxy.requests().slice(0, 3)).toEqual(Array(3).fill(`/api/v1/archive?from=${FROM}&to=${TO}`));
  });
});

it("§17 --format parquet writes many large messages that are not archived to several files", async () => {
  const own = workspace;
  workspace = await worker.createWorkspace({ writeLimit: MAX_WRITE_LIMIT });
  const properties = { text: "x".repeat(15_000) };
  for (let part = 0; part < 30; part += 1) {
    const batch = Array.from({ length: 25 }, (_, n) => {
      return { type: "track", messageId: `${part} ${n}`, userId: "u", event: "Opened", properties };
    });
    await call("POST", "/api/v1/cdp", { batch });
  }
  const out = join(home, "large");
  expect(await exportMessages("--out", out)).toMatchObject({ code: 0 });
  workspace = own;
  // Of 8 MB at most.
  const files = (await readdir(out, { recursive: true })).filter((path) => path.includes("recent"));
  expect(files.length).toBeGreaterThan(1);
  const counts = await inDuckDb("SELECT count(*), count(DISTINCT message_id) FROM 'large/*/*.parquet'");
  expect(counts).toEqual([JSON.stringify(["750", "750"])]);
});

it.each([
  [["--from", "2026-02-30"], "--from must be a day, such as 2026-11-23."],
  [["--to", "2026-01-01"], "--to must not be before --from."],
  [["--format", "csv"], "--format must be ndjson or parquet."],
  [["--url", "localhost"], "--url must be a URL, such as https://"],
  [["--since", "2026-01-01"], "Unknown option '--since'"],
  [["--url", "http://127.0.0.1:1"], "The connection failed ("],
])("fails with %j", async (options, message) => {
  expect(await exportMessages(...options)).toEqual({ code: 1, output: expect.stringContaining(message) });
});

it.each([
  ["bik_unknown", `GET /api/v1/archive?from=${FROM}&to=${TO} returned 401 unauthorized: `],
  ["", "Set KEY in the environment to an API key"],
])("fails with the key %j", async (key, message) => {
  const own = workspace;
  workspace = { ...own, key };
  const failed = await exportMessages();
  workspace = own;
  expect(failed).toEqual({ code: 1, output: expect.stringContaining(message) });
});
