/** docs/import.md: `npm run import` of files as other tools write them, and of our own export. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";

import { startGroup } from "../harness/process-group.ts";
import { startProxy } from "../harness/proxy.ts";
import { sharedWorker } from "../harness/shared-worker.ts";

const RUN_MS = 60_000;
const worker = sharedWorker();
let folder: string;
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
});
afterAll(() => rm(folder, { recursive: true }));

const linesOf = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const put = (name: string, content: string | Uint8Array) => writeFile(inFolder(name), content);

function start(args: readonly string[], env: Record<string, string> = {}) {
  const paths = args.map((each) => (/^\w+\.[a-z.]+$/.test(each) ? inFolder(each) : each));
  return startGroup("npm", ["run", "-s", "import", "--", ...paths], { env });
}

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const group = start(args, env);
  return { code: await group.end(RUN_MS), output: group.output().replaceAll(`${folder}/`, "") };
}

/** Writes a Parquet file with DuckDB. */
async function writeParquet(name: string, select: string, compression: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (${select}) TO '${inFolder(name)}' (FORMAT parquet, COMPRESSION ${compression})`);
  connection.closeSync();
}

/** Runs without sending. @returns the messages that would be sent, without their generated ids, and what else is printed */
async function dryRun(...args: string[]) {
  const { code, output } = await run([...args, "--dry-run"]);
  const [messages, rest] = [[] as unknown[], [] as string[]];
  for (const line of output.trimEnd().split("\n")) {
    if (!line.startsWith("{")) rest.push(line);
    else messages.push(JSON.parse(line.replace(/,"messageId":"import-[0-9a-f]{32}"/, "")));
  }
  return { code, messages, rest };
}

const AT = "2026-03-01T09:30:00.000Z";
const track = (more: object) => ({ type: "track", event: "Report Exported", timestamp: AT, ...more });

const mixpanelRow = (properties: object) => ({
  event: "Report Exported",
  properties: { company: "acme", ...properties },
});
const csvRow = (index: number) => `acme-${index % 5},u${index % 9},Signed In,2026-0${1 + (index % 9)}-11 08:00:00`;

describe("npm run import --dry-run", () => {
  it("reads PostHog's lines and Parquet, with the only group, and leaves its own events out", async () => {
    const own = { $browser: "Chrome", $groups: { company: "acme" }, format: "pdf", n: 9_007_199_254_740_993n };
    const properties = JSON.stringify({ ...own, n: 0 }).replace('"n":0', '"n":9007199254740993');
    const row = (event: string, user: string) =>
      `{"uuid":"p-${event.length}","event":"${event}","distinct_id":"${user}","timestamp":"2026-03-01 09:30:00.000000","properties":${properties}}`;
    await put("ph.jsonl", [row("Report Exported", "u1"), row("$pageview", "u1")].join("\n"));
    const columns = `'p-9' AS uuid, 'Report Exported' AS event, 'u2' AS distinct_id, TIMESTAMP '2026-03-01 09:30:00' AS timestamp`;
    await writeParquet("ph.parquet", `SELECT ${columns}, '{"$groups":{"company":"globex"}}' AS properties`, "zstd");
    const { code, messages, rest } = await dryRun("ph.jsonl", "ph.parquet", "--from", "posthog");
    expect(messages).toEqual([
      track({ userId: "u1", accountId: "acme", messageId: "p-15", properties: { format: "pdf", n: String(own.n) } }),
      track({ userId: "u2", accountId: "globex", messageId: "p-9", properties: {} }),
    ]);
    expect(rest.at(-1)).toBe("2 would be sent, 0 stored before, 0 rejected, 1 of unsupported types");
    expect(code).toBe(0);
  });

  it("reads Amplitude's lines", async () => {
    const row = { event_type: "Report Exported", event_time: "2026-03-01 09:30:00.000000", event_properties: { a: 1 } };
    const rows = [
      { ...row, user_id: "u1", groups: { company: ["acme", "other"], team: ["t"] }, $insert_id: "i1", uuid: "x" },
      { ...row, user_id: null, groups: {}, uuid: "x2" },
    ];
    await put("am.json.gz", gzipSync(linesOf(rows)));
    expect((await dryRun("am.json.gz", "--from", "amplitude")).rest.at(-1)).toMatch(/--group: company, team\.$/);
    expect(await dryRun("am.json.gz", "--from", "amplitude", "--group", "company")).toMatchObject({
      code: 0,
      messages: [track({ userId: "u1", accountId: "acme", messageId: "i1", properties: { a: 1 } })],
      rest: expect.arrayContaining(["1 would be sent, 0 stored before, 0 rejected, 1 of nobody"]),
    });
  });

  it("reads Mixpanel's lines, in seconds and milliseconds, and by the clock of an old project", async () => {
    const seconds = Date.parse(AT) / 1_000;
    const rows = [
      mixpanelRow({ time: seconds, distinct_id: "d1", $insert_id: "i1", mp_lib: "web" }),
      mixpanelRow({ time: seconds * 1_000, distinct_id: "d2", $user_id: "u2" }),
    ];
    await put("mp.ndjson", linesOf(rows));
    const args = ["mp.ndjson", "--from", "mixpanel", "--group", "company"];
    const expected = [
      track({ userId: "d1", accountId: "acme", messageId: "i1", properties: { company: "acme" } }),
      track({ userId: "u2", accountId: "acme", properties: { company: "acme" } }),
    ];
    expect((await dryRun(...args)).messages).toEqual(expected);
    const earlier = expected.map((message) => ({ ...message, timestamp: "2026-03-01T08:30:00.000Z" }));
    expect((await dryRun(...args, "--timezone", "Europe/Berlin")).messages).toEqual(earlier);
    expect((await dryRun("mp.ndjson", "--from", "mixpanel", "--group", "conpany")).rest.at(-1)).toMatch(/conpany/);
  });

  it("sends messages of Segment and RudderStack as they are, and leaves the others out", async () => {
    const message = `{"type":"Identify","userId":"u1","messageId":"m1","traits":{"seats":12345678901234567890}}`;
    const others = [
      { type: "page", userId: "u1" },
      { type: "track", anonymousId: "a" },
      { event: "x", userId: "u1" },
    ];
    await put("dump.json", `${message}\n${linesOf(others)}\n`);
    const { code, output } = await run(["dump.json", "--from", "segment", "--dry-run"]);
    expect(output).toContain(`\n${message}\n`);
    expect(output).toContain("dump.json:4: has no type");
    expect(output).toContain("1 would be sent, 0 stored before, 1 rejected, 1 of unsupported types, 1 of nobody");
    expect(code).toBe(2);
  });

  it("reads mapped columns, stops at unknown ones, and lists broken rows by line", async () => {
    const header = "org;who;what;happened;plan;amount";
    const rows = ['acme;u1;Report Exported;2026-03-01 10:30:00;"pro;\n2";5', ";u2;Report Exported;1772357400;;", "a;b"];
    await put("warehouse.csv", `\uFEFF${[header, ...rows, "acme;u;X;soon;;", ";;X;2026-03-01;;"].join("\r\n")}`);
    const map = { accountId: "org", userId: "who", event: "what", timestamp: "happened" };
    await put("map.json", JSON.stringify(map));
    await put("wrong.json", JSON.stringify({ ...map, properties: ["plan", "price"] }));
    const args = ["warehouse.csv", "--timezone", "Europe/Berlin", "--map"];
    const { code, messages, rest } = await dryRun(...args, "map.json");
    expect(messages).toEqual([
      track({ userId: "u1", accountId: "acme", properties: { plan: "pro;\n2", amount: "5" } }),
      track({ userId: "u2", properties: {} }),
    ]);
    expect(rest.filter((line) => line.startsWith("warehouse.csv:"))).toEqual([
      expect.stringContaining("event = what"),
      expect.stringMatching(/^warehouse\.csv:5: Invalid Record Length/),
      expect.stringMatching(/^warehouse\.csv:6: has the time “soon”/),
      "warehouse.csv:7: names neither an account nor a user",
    ]);
    expect(code).toBe(2);
    const stopped = await run([...args, "wrong.json"], { KEY: "unused" });
    expect(stopped).toEqual({ code: 1, output: expect.stringContaining("It has no column price.") });
  });
});

const Exported = z.record(z.string(), z.unknown());
const today = new Date().toISOString().slice(0, 10);
const exportOf = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${worker.url}/api/v1/export?from=2026-01-01&to=${today}`, { headers });
  const lines = (await response.text()).trimEnd().split("\n").filter(Boolean);
  return lines.map((line) => Exported.parse(JSON.parse(line)));
};
const administrator = { ADMIN_TOKEN: worker.adminToken };

const bare = ({ received_at: _at, source: _source, properties, ...rest }: Record<string, unknown>) => {
  // A capture names its account beside the properties, and a message among them.
  const { accountId: _account, ...kept } = Object(properties);
  return { ...rest, properties: properties === null ? null : kept };
};

describe("npm run import", () => {
  it("§21 stores each row once, however often it is killed and repeated", async () => {
    const workspace = await worker.createWorkspace();
    const rows = Array.from({ length: 350 }, (_, index) => csvRow(index));
    rows[200] = "acme-1,u1,Signed In";
    await put("events.csv.gz", gzipSync(["account_id,user_id,event,timestamp", ...rows].join("\n")));
    const select = `SELECT 'acme-' || i % 5 AS account_id, 'u' || i AS user_id, 'Exported' AS event,
      TIMESTAMPTZ '2026-05-01 00:00:00+00' + to_minutes(i) AS timestamp FROM range(150) t(i)`;
    await writeParquet("events.parquet", select, "snappy");
    const files = ["events.csv.gz", "events.parquet", "--workspace", workspace.id, "--url"];

    await using proxy = await startProxy(worker.url);
    proxy.stall("/v1/batch", 0);
    const killed = start([...files, proxy.url], administrator);
    await expect.poll(() => proxy.requests().filter((path) => path === "/v1/batch").length > 0).toBe(true);
    await killed.kill();
    proxy.hangUp();
    const read = async () => (await worker.admin("GET", `/admin/workspaces/${workspace.id}`)).json();
    expect(await read()).toMatchObject({ workspace: { writeLimit: 100, import: { writeLimit: 10_000 } } });

    const other = await run(["events.parquet", ...files.slice(2), worker.url], administrator);
    expect(other).toEqual({
      code: 1,
      output: expect.stringContaining(`npm run import -- --end --workspace ${workspace.id}`),
    });

    // The start is answered, but the answer is lost.
    proxy.lose(1);
    const finished = await run([...files, proxy.url], administrator);
    expect(finished.output).toMatch(/\d+ stored, \d+ stored before, 1 rejected/);
    expect(finished.output).toContain("events.csv.gz:202: Invalid Record Length");
    expect(finished.code).toBe(2);
    const stored = await exportOf(workspace.key);
    expect(stored).toHaveLength(499);
    expect(new Set(stored.map(({ message_id: id }) => id)).size).toBe(499);
    expect(new Set(stored.map(({ account_id: id }) => id)).size).toBe(5);
    expect(stored.filter(({ occurred_at: at }) => at === "2026-05-01T00:07:00.000Z")).toMatchObject([
      { user_id: "u7", event: "exported" },
    ]);
    expect(await read()).toMatchObject({
      workspace: { import: null, keys: [{}, { revokedAt: expect.any(String) }, {}] },
    });

    const repeated = await run([...files, worker.url], administrator);
    expect(repeated.output).toContain("0 stored, 499 stored before, 1 rejected");
  });

  it("§21 leaves an import open that was interrupted, until it is ended or taken over by the same command", async () => {
    const workspace = await worker.createWorkspace();
    await put("open.csv", ["account_id,event,timestamp", "acme,Signed In,2026-03-01"].join("\n"));
    await using proxy = await startProxy(worker.url);
    const args = ["--workspace", workspace.id, "--url", proxy.url];
    const stalled = async () => {
      proxy.requests();
      proxy.stall("/v1/batch", 0);
      const group = start(["open.csv", ...args], administrator);
      await expect.poll(() => proxy.requests()).toContain("/v1/batch");
      return group;
    };
    const replaced = await stalled();
    const finished = await run(["open.csv", ...args], administrator);
    expect(finished.output).toContain("0 stored, 1 stored before, 0 rejected");
    // Its connection breaks, and the next attempt finds that its key is revoked.
    proxy.hangUp();
    expect(await replaced.end(RUN_MS)).toBe(1);
    expect(replaced.output()).toMatch(/the same import was started again, or somebody has ended it\. Run the same/);

    const interrupted = await stalled();
    interrupted.signalAll("SIGINT");
    await interrupted.end(RUN_MS);
    expect(interrupted.output()).toMatch(/Stopped\. The import stays open until 2\S+Z, and accounts aren't scored/);
    expect((await run(["--end", ...args], administrator)).output).toContain("The import has ended.");
    expect((await run(["--end", ...args], administrator)).output).toContain("The workspace has no import.");
  });

  it("§21 moves an export to another workspace, with a key and within its limit", async () => {
    const [from, to] = [await worker.createWorkspace(), await worker.createWorkspace({ writeLimit: 1_000 })];
    const headers = { authorization: `Bearer ${from.key}`, "content-type": "application/json" };
    const at = { timestamp: AT };
    const batch = [
      { type: "group", groupId: "acme", userId: "u1", traits: { plan: "pro", seats: 5, mrr: null }, ...at },
      {
        type: "track",
        userId: "u1",
        event: "Report Exported",
        properties: { company_id: "acme", format: "pdf" },
        ...at,
      },
      { type: "track", userId: "alone", event: "Signed In", properties: { n: "9007199254740993" }, ...at },
      { type: "identify", userId: "u2", traits: { accountId: "globex", accountSeats: 7 }, ...at },
    ];
    const sent = [
      ["/v1/batch", { batch }],
      ["/api/v1/events", { accountId: "acme", userId: "u1", event: "a.b", properties: { company_id: "x" }, ...at }],
    ] as const;
    for (const [path, body] of sent)
      await fetch(worker.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const exported = await exportOf(from.key);
    expect(exported).toHaveLength(5);
    await put("exported.ndjson", linesOf(exported.slice(0, 3)));
    await put("rest.json", linesOf(exported.slice(3)));
    const columns = "* REPLACE (properties::VARCHAR AS properties, attributes::VARCHAR AS attributes)";
    const types = Object.keys(exported[0] ?? {}).map(
      (name) => `${name}: '${name.endsWith("_at") ? "TIMESTAMPTZ" : name.endsWith("s") ? "JSON" : "VARCHAR"}'`,
    );
    await writeParquet(
      "exported.parquet",
      `SELECT ${columns} FROM read_json('${inFolder("rest.json")}', columns = {${types.join(", ")}})`,
      "brotli",
    );
    const { code, output } = await run(["exported.ndjson", "exported.parquet", "--url", worker.url], { KEY: to.key });
    expect(output).toContain("5 stored, 0 stored before, 0 rejected");
    expect(code).toBe(0);
    expect((await exportOf(to.key)).map(bare)).toEqual(exported.map(bare));
  });
});
