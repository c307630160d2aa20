/**
 * Runs a soak: service, workspaces, senders, recomputes, and the account of everything.
 *
 * While senders run, nobody may use the database past the Worker: such a call blocks this process, which then does not
 * read the Worker's log, and once that pipe is full both wait for each other for ever.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { usageOf } from "../harness/process-usage.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { type Check, checkAnswers, checkCounters, checkLimits } from "./account.ts";
import { checkLog } from "./check-log.ts";
import { checkRollups } from "./check-rollups.ts";
import { Client, type Figures } from "./client.ts";
import { Recomputes } from "./recomputes.ts";
import { Sender } from "./sender.ts";

/** Beside the directory's, which also holds workspaces. */
const OTHER_DATABASES = ["DB_1", "DB_2"] as const;
const DATABASES = ["DB", ...OTHER_DATABASES] as const;
/** Production recomputes every five minutes. A short soak should see many runs. */
const RECOMPUTE_EVERY_MS = 20_000;
/** After this time the limiter has saved its counters. */
const QUIET_MS = 6_000;
/** One workspace in this number has the higher limit. */
const LARGE_EVERY = 20;
const LARGE_LIMIT = Math.min(1_000, MAX_WRITE_LIMIT);
const MAX_LANES = 3;
const MAX_PROBLEMS = 20;

export interface SoakOptions {
  workspaces: number;
  forMs: number;
  rowMs: number;
  onRow?: (row: Row) => void;
}

export interface Row extends Figures {
  elapsedMs: number;
  spanMs: number;
  /** Resident memory of workerd. */
  workerdBytes: number;
}

export interface SoakReport {
  messages: number;
  checks: Check[];
  /** The first wrong answers, and the first log lines about faults. */
  problems: string[];
}

export async function soak({ workspaces, forMs, rowMs, onRow }: SoakOptions): Promise<SoakReport> {
  const problems: string[] = [];
  let wrongAnswers = 0;
  const note = (problem: string) => void (problems.length < MAX_PROBLEMS && problems.push(problem));
  const report = (problem: string) => {
    wrongAnswers += 1;
    note(problem);
  };
  await using worker = await serveWorker(await buildWorker("test/workers/guard/worker.ts"), {
    // To count the statements of each invocation.
    flags: ["nodejs_als"],
    databases: OTHER_DATABASES,
    onLog: (line) => {
      if (/"status":5|"fault"/.test(line)) note(line);
    },
  });
  const databases = [worker.database, ...worker.otherDatabases];
  const recomputes = new Recomputes(worker);
  const senders = await createSenders(worker, workspaces);

  const client = new Client(worker.url);
  const stop = AbortSignal.timeout(forMs);
  await Promise.all([
    ...senders.map((sender) => sender.run(client, stop, report)),
    recomputes.repeat(Math.min(RECOMPUTE_EVERY_MS, forMs / 3), stop),
    watch(client, worker.pid, { rowMs, stop, ...(onRow === undefined ? {} : { onRow }) }),
  ]);
  await client.close();
  await sleep(QUIET_MS);

  const checks = [
    ...checkAnswers(senders, wrongAnswers),
    ...checkLimits(senders),
    ...(await checkCounters(worker, senders)),
    ...(await checkLog(databases, senders)),
  ];
  const finished = await recomputes.finish();
  checks.push(...(await checkRollups(databases)), {
    name: "every recompute finished, and the last one left nothing to do",
    ok: finished && recomputes.failures.length === 0,
    figures: { runs: recomputes.runs, failures: recomputes.failures.length },
  });
  checks.push({ name: "no request failed", ok: client.total.failed === 0, figures: { ...client.total } });
  problems.push(...recomputes.failures);
  return { messages: senders.reduce((sum, { ledger }) => sum + ledger.admitted, 0), checks, problems };
}

async function createSenders(worker: ServedWorker, count: number): Promise<Sender[]> {
  const epoch = Date.now();
  const senders: Sender[] = [];
  for (let place = 1; place <= count; place++) {
    const workspace = `workspace-${place}`;
    const limit = place % LARGE_EVERY === 0 || place === count ? LARGE_LIMIT : DEFAULT_WRITE_LIMIT;
    const database = DATABASES[place % DATABASES.length] ?? "DB";
    const created = await worker.createWorkspace({ name: workspace, writeLimit: limit, database });
    senders.push(new Sender({ ...created, limit, world: { workspace, epoch }, lanes: 1 + (place % MAX_LANES) }));
  }
  return senders;
}

async function watch(
  client: Client,
  pid: number,
  { rowMs, stop, onRow }: { rowMs: number; stop: AbortSignal; onRow?: (row: Row) => void },
): Promise<void> {
  const startedAt = performance.now();
  for (let before = startedAt; !stop.aborted;) {
    await sleep(rowMs, undefined, { signal: stop }).catch(() => undefined);
    const now = performance.now();
    const { residentBytes } = await usageOf(pid);
    const span = { elapsedMs: now - startedAt, spanMs: now - before, workerdBytes: residentBytes };
    onRow?.(Object.assign(client.takeFigures(), span));
    before = now;
  }
}
