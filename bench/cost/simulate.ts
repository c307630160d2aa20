/** Lets a day pass in one workspace after a warm-up, and counts what a message costs in it. */
import { fileURLToPath } from "node:url";

import { DAY_MS } from "../../src/core/durations.ts";
import { typedKeys } from "../../src/core/typed-keys.ts";
import { buildWorker, type WorkerModule } from "../../test/harness/build-worker.ts";
import { migrate } from "../../test/harness/migrate.ts";
import { usageOf } from "../../test/harness/process-usage.ts";
import { type ServedWorker, serveWorker } from "../../test/harness/serve-worker.ts";
import { countNotifications, type NotificationFigures } from "./notifications.ts";
import { type FoldPolicy, type Step, StepFigures } from "./protocol.ts";
import { SLOT_MS, SLOTS, type Workload } from "./traffic.ts";

/** A Wednesday. The days before it are quiet, except the last one. */
const DAY = Date.UTC(2026, 9, 14) / DAY_MS;
const QUIET_DAYS = 28;
/** As in wrangler.toml. */
const HOT_DAYS = 30;
/** Batches of the messages that aren't measured. */
const LARGE_BATCH = 1_000;
/** One slot in this number is sent singly, in turn with batches of 100, and the others in large batches. */
const SAMPLED = { fast: 24, all: 2 };
export const SIZES = [1, 100] as const;
/** What the recompute derives. It stays for HISTORY_DAYS. */
const DERIVED = ["rollups", "account_days", "health_days"];

/** Sums over steps. `processorMs` is that of workerd, with SQLite's, which D1 doesn't bill. */
export interface Phase extends StepFigures {
  processorMs: number;
}

export interface Simulated {
  workload: Workload;
  /** Messages stored in the day. */
  messages: number;
  /** Samples of requests, by size. */
  ingest: { size: number; phase: Phase }[];
  /** The cron and the tasks of the day. */
  runs: Phase;
  /** Of `messages` that the archive took out of D1. */
  archive: Phase & { messages: number; fileBytes: number };
  notifications: NotificationFigures;
  /** Bytes of a message in D1 with its index, and those that the day's derived rows take. */
  hotBytes: number;
  derivedBytes: number;
}

export interface SimulateOptions {
  policy?: FoldPolicy | null;
  /** Sends all messages of the day singly and in batches of 100, in turn. */
  sendsAll?: boolean;
}

let modules: Promise<WorkerModule[]> | undefined;

export async function simulate(workload: Workload, options: SimulateOptions = {}): Promise<Simulated> {
  const { policy = null, sendsAll = false } = options;
  modules ??= buildWorker(fileURLToPath(new URL("worker.ts", import.meta.url)));
  await using worker = await serveWorker(await modules, { prepare });
  const step = (one: Step) => runStep(worker, one);
  const send = (day: number, slot: number | null, size = LARGE_BATCH) =>
    step({ do: "send", workload, day, slot, size });
  const cron = (day: number, slot: number) => step({ do: "run", now: day * DAY_MS + slot * SLOT_MS, policy });

  for (let day = DAY - 1 - QUIET_DAYS; day < DAY - 1; day += 1) {
    await send(day, null);
    await step({ do: "run", now: (day + 1) * DAY_MS, policy: null });
  }
  for (let slot = 0; slot < SLOTS; slot += 1) {
    await send(DAY - 1, slot);
    if (slot % 12 === 11) await cron(DAY - 1, slot + 1 === SLOTS ? slot : slot + 1);
  }

  const every = sendsAll ? SAMPLED.all : SAMPLED.fast;
  const ingest = SIZES.map((size) => ({ size, phase: noFigures() }));
  const runs = noFigures();
  let messages = 0;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    add(runs, await cron(DAY, slot));
    const sample = ingest[(slot % every) / (every / SIZES.length)];
    const sent = await send(DAY, slot, sample?.size);
    if (sample !== undefined) add(sample.phase, sent);
    messages += sent.stored;
  }
  const end = await step({ do: "run", now: (DAY + 1) * DAY_MS, policy: null });
  const notifications = await countNotifications(worker.database, (DAY + 1) * DAY_MS);
  const archive = await step({ do: "archive", now: (DAY + 1 + HOT_DAYS) * DAY_MS });
  const archived = await ask(worker, "SELECT sum(last - first + 1) FROM archive_files");
  const fileBytes = (await ask(worker, "SELECT sum(bytes) FROM archive_files")).value;
  const hotBytes = (end.bytes - archived.bytes) / archived.value;
  let derivedBytes = 0;
  for (const table of DERIVED) derivedBytes += await bytesOfDay(worker, table);
  return {
    workload,
    messages,
    ingest,
    runs,
    archive: { ...archive, messages: archived.value, fileBytes },
    notifications,
    hotBytes,
    derivedBytes,
  };
}

async function prepare(database: D1Database): Promise<void> {
  await migrate(database);
  await database.batch(
    [
      `INSERT INTO workspaces (number, id, name, write_limit, "database", created_at) VALUES (1, 'ws_1', 'Bench', 100, 'DB', 0)`,
      "INSERT INTO workspace_states (number, id, state) VALUES (1, 'ws_1', 'live')",
    ].map((sql) => database.prepare(sql)),
  );
}

async function runStep(worker: ServedWorker, step: Step): Promise<Phase> {
  const before = await usageOf(worker.pid);
  const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(step) });
  if (!response.ok) throw new Error(await response.text());
  const figures = StepFigures.parse(await response.json());
  return { ...figures, processorMs: (await usageOf(worker.pid)).processorMs - before.processorMs };
}

const noFigures = (): Phase => ({
  requests: 0,
  stored: 0,
  rowsRead: 0,
  rowsWritten: 0,
  tasks: 0,
  logLines: 0,
  bucketReads: 0,
  bucketWrites: 0,
  bytes: 0,
  processorMs: 0,
});

function add(sum: Phase, more: Phase): void {
  for (const name of typedKeys(sum)) sum[name] += more[name];
}

/** Runs SQL. @returns the first column of the first row, and the size of the database */
async function ask(worker: ServedWorker, sql: string): Promise<{ value: number; bytes: number }> {
  const { results, meta } = await worker.database.prepare(sql).run<Record<string, number>>();
  return { value: Object.values(results[0] ?? {})[0] ?? 0, bytes: meta.size_after };
}

/** D1 doesn't say how large a table is, but how much smaller the database is without it. */
async function bytesOfDay(worker: ServedWorker, table: string): Promise<number> {
  const ofDay = (await ask(worker, `SELECT count(*) FROM ${table} WHERE day = ${DAY}`)).value;
  const before = await ask(worker, `SELECT count(*) FROM ${table}`);
  const after = await ask(worker, `DELETE FROM ${table}`);
  return ((before.bytes - after.bytes) / before.value) * ofDay;
}
