/**
 * Imports events over 400 days from CSV and Parquet with the real command, kills it again and again, and compares the result
 * with a twin that received the same events in their order.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";

import { DuckDBInstance } from "@duckdb/node-api";
import * as z from "zod";

import { DAY_MS } from "../../src/core/durations.ts";
import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { usageOf } from "../harness/process-usage.ts";
import { PROJECT_ROOT } from "../harness/project-root.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import type { Check } from "./account.ts";

const DAYS = 400;
const ACCOUNTS = 40;
const USERS = 6;
const NAMES = ["Signed In", "Report Exported", "Invoice Sent", "File Shared", "Search Run"];
const BROKEN_EVERY = 10_000;
const RECOMPUTE_EVERY_MS = 15_000;
const WATCH_MS = 250;
/** The limit that the command asks for, in messages a second. */
const GRANTED = 1_000;
const TODAY = Math.floor(Date.now() / DAY_MS);

interface Event {
  accountId: string;
  userId: string;
  event: string;
  timestamp: string;
}

/** Makes the events of 400 days in their order. One account in five falls silent, and one comes less and less. */
function* eventsOf(count: number): Generator<Event> {
  let [seed, made] = [1, 0];
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  while (made < count) {
    const at = (TODAY - DAYS) * DAY_MS + Math.floor((made / count) * DAYS * DAY_MS);
    const account = random(ACCOUNTS);
    const age = TODAY - at / DAY_MS;
    made += 1;
    const isGone = account % 5 === 1 && age < 10 + account;
    const fades = account % 5 === 2 && age < 60 && random(60) > age;
    const accountId = `acme-${isGone || fades ? account - (account % 5) : account}`;
    const event = NAMES[random(account % 4 === 0 ? 3 : NAMES.length)] ?? "";
    yield { accountId, userId: `${accountId}-u${random(USERS)}`, event, timestamp: new Date(at).toISOString() };
  }
}

/** Writes every other event to a CSV file, beside broken rows, and the others to a Parquet file. @returns the broken rows */
async function writeFiles(folder: string, count: number): Promise<{ files: string[]; broken: number }> {
  const [csv, rest] = [join(folder, "events.csv.gz"), join(folder, "rest.csv")];
  const [zipped, plain] = [createGzip(), createWriteStream(rest)];
  const header = "account_id,user_id,event,timestamp\n";
  zipped.pipe(createWriteStream(csv));
  for (const stream of [zipped, plain]) stream.write(header);
  let [index, broken] = [0, 0];
  for (const { accountId, userId, event, timestamp } of eventsOf(count)) {
    const stream = index % 2 === 0 ? zipped : plain;
    if (!stream.write(`${[accountId, userId, event, timestamp].join(",")}\n`)) await once(stream, "drain");
    index += 1;
    if (index % BROKEN_EVERY === 1) zipped.write(`broken,row ${(broken += 1)}\n`);
  }
  for (const stream of [zipped, plain]) stream.end();
  await Promise.all([once(zipped, "end").catch(() => undefined), once(plain, "finish")]);
  const parquet = join(folder, "events.parquet");
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (SELECT * FROM read_csv('${rest}')) TO '${parquet}' (FORMAT parquet, COMPRESSION zstd)`);
  connection.closeSync();
  return { files: [csv, parquet], broken };
}

interface Run {
  code: number | null;
  output: string;
  ms: number;
  /** Resident memory, every quarter of a second. */
  bytes: number[];
}

/** Runs the command. @param killAfterMs `null` to let it end */
async function runImport(
  worker: ServedWorker,
  id: string,
  files: readonly string[],
  killAfterMs: number | null,
): Promise<Run> {
  const args = [join(PROJECT_ROOT, "scripts/import.ts"), ...files, "--workspace", id, "--url", worker.url];
  const env = { ...process.env, ADMIN_TOKEN: worker.adminToken };
  const startedAt = Date.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
  const bytes: number[] = [];
  const ended = once(child, "close");
  for (let isRunning = true; isRunning;) {
    isRunning = await Promise.race([sleep(WATCH_MS, true), ended.then(() => false)]);
    const { residentBytes } = await usageOf(child.pid ?? 0);
    if (residentBytes > 0) bytes.push(residentBytes);
    if (killAfterMs !== null && Date.now() - startedAt > killAfterMs) child.kill("SIGKILL");
  }
  return { code: child.exitCode, output, ms: Date.now() - startedAt, bytes };
}

async function sendTwin(worker: ServedWorker, key: string, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  let batch: object[] = [];
  const send = async () => {
    const response = await fetch(`${worker.url}/v1/batch`, {
      method: "POST",
      headers,
      body: JSON.stringify({ batch }),
    });
    if (!response.ok) throw new Error(`The twin's batch returned ${response.status}.`);
    batch = [];
  };
  let number = 0;
  for (const { accountId, ...event } of eventsOf(count)) {
    batch.push({ type: "track", messageId: `twin-${(number += 1)}`, properties: { accountId }, ...event });
    if (batch.length === 1_000) await send();
  }
  if (batch.length > 0) await send();
}

const Recomputed = z.object({ complete: z.boolean().optional(), accountsScored: z.number().optional() });

async function recompute(worker: ServedWorker, id: string) {
  const response = await worker.admin("POST", `/admin/workspaces/${id}/recompute`);
  return Recomputed.parse(await response.json());
}

const OWNER = "(SELECT external_id FROM accounts WHERE number = account)";
const NAME =
  "coalesce((SELECT name FROM event_names WHERE number = subject), (SELECT external_id FROM users WHERE number = subject), subject)";
const COMPARED = {
  scores: `SELECT ${OWNER} AS owner, day, state, band, score, uncapped, coverage, confidence, losses FROM health_days
    WHERE account IN (SELECT number FROM accounts WHERE workspace = ?1) ORDER BY 1, 2`,
  items: `SELECT ${OWNER} AS owner, kind, ${NAME} AS subject, occurrence, opened_day, confirmed_day, resolved_day, resolution,
    severity, confidence, rank, due_at, evidence FROM inbox_items
    WHERE workspace = ?1 AND resolution IS NOT 'withdrawn' ORDER BY 1, 2, 3, 4`,
};

export async function soakImport(events: number, kills: number): Promise<Check[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "import-soak-"));
  const { files, broken } = await writeFiles(folder.path, events);
  await using worker = await serveWorker(await buildWorker());
  const [imported, twin] = [
    await worker.createWorkspace(),
    await worker.createWorkspace({ writeLimit: MAX_WRITE_LIMIT }),
  ];
  const fullMs = (events / GRANTED) * 1_000;
  const ended = new AbortController();
  let scored = 0;
  const folding = (async () => {
    while (!ended.signal.aborted) {
      await sleep(RECOMPUTE_EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      if (!ended.signal.aborted) scored += (await recompute(worker, imported.id)).accountsScored ?? 0;
    }
  })();
  let killed = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    // Later and later, so that each run gets further than the last one.
    const { code } = await runImport(worker, imported.id, files, 3_000 + (kill / (kills + 1)) * fullMs);
    killed += code === null ? 1 : 0;
    console.log(`killed after ${Math.round((kill / (kills + 1)) * 100)} %`);
  }
  const last = await runImport(worker, imported.id, files, null);
  ended.abort();
  await folding;
  console.log(last.output.trimEnd().split("\n").slice(-3).join("\n"));
  await sendTwin(worker, twin.key, events);
  for (const { id } of [imported, twin]) while (!(await recompute(worker, id)).complete);

  const numberOf = async (id: string) =>
    worker.database.prepare("SELECT number FROM workspaces WHERE id = ?").bind(id).first<number>("number");
  const [ours, theirs] = [await numberOf(imported.id), await numberOf(twin.id)];
  const countOf = (number: number | null) =>
    worker.database
      .prepare("SELECT count(*) AS n, count(DISTINCT message_id) AS ids FROM messages WHERE workspace = ?")
      .bind(number)
      .first();
  const read = async (number: number | null, sql: string) =>
    (await worker.database.prepare(sql).bind(number).all()).results.map((row) => JSON.stringify(row));
  const compared = await Promise.all(
    Object.entries(COMPARED).map(async ([name, sql]): Promise<Check> => {
      const [a, b] = [await read(ours, sql), await read(theirs, sql)];
      const different = a.filter((row) => !b.includes(row)).length + b.filter((row) => !a.includes(row)).length;
      return {
        name: `${name} equal the twin's`,
        ok: a.length > 0 && different === 0,
        figures: { rows: a.length, different },
      };
    }),
  );
  const stored = z.object({ n: z.number(), ids: z.number() }).parse(await countOf(ours));
  const listed = [...last.output.matchAll(/events\.csv\.gz:\d+: /g)].length;
  const part = (share: number) => Math.round((last.bytes[Math.floor((last.bytes.length - 1) * share)] ?? 0) / 2 ** 20);
  const memory = {
    "MB at 25 %": part(0.25),
    "MB at 50 %": part(0.5),
    "MB at 75 %": part(0.75),
    "MB at 100 %": part(1),
  };
  const most = Math.round(Math.max(...last.bytes) / 2 ** 20);
  const speed = Math.round((events / last.ms) * 1_000);
  return [
    {
      name: "each event is stored once",
      ok: stored.n === events && stored.ids === events,
      figures: { stored: stored.n, killed },
    },
    { name: "broken rows are listed", ok: listed === broken && last.code === 2, figures: { broken, listed } },
    { name: "nothing was scored meanwhile", ok: scored === 0, figures: { scored } },
    ...compared,
    {
      name: "the last run used 90 % of the limit",
      ok: speed >= 0.9 * GRANTED,
      figures: { "messages a second": speed },
    },
    { name: "memory stays flat", ok: most < 1.5 * part(0.25), figures: { ...memory, "MB at most": most } },
  ];
}
