/**
 * A soak from its beginning to its end: service, workspaces, load, recompute, samples, and the accounting.
 *
 * While there is traffic nobody here may use the database past the Worker: such a call stops this process until it is
 * answered, the Worker's log is read by nobody then, and once that pipe is full both wait for each other for ever.
 */
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { checkAnswers, checkCounters } from "./accounting/answers.ts";
import type { Check } from "./accounting/check.ts";
import { checkLimits } from "./accounting/limits.ts";
import { checkLog } from "./accounting/log.ts";
import { checkRollups } from "./accounting/rollups.ts";
import { Load } from "./load/load.ts";
import { pause } from "./load/pause.ts";
import { processorSeconds, residentBytes } from "../harness/process-usage.ts";
import { Recomputes } from "./recomputes.ts";
import { databaseBytes, type Sample, together } from "./samples.ts";
import { addTally, emptyTally } from "./tally.ts";
import { makeWorkspaces } from "./workspaces.ts";

const PROBE_MS = 8_000;
/** A run that is too short for that gets a part of it. */
const PARTS = 3;
/** Of what the service takes at the most, the recompute not counted. */
const LOAD_SHARE = 0.65;
const SAMPLE_MS = 5_000;
/** What is left in the end may be too short to tell anything. */
const LEAST_ROW_MS = 1_000;
/** Every five minutes in earnest: a short soak is to see many. */
const RECOMPUTE_EVERY_MS = 20_000;
/** The limiter's counters are saved by then, and its objects idle. */
const QUIET_MS = 6_000;
const MOST_FAULTS = 20;

export interface SoakOptions {
  workspaces: number;
  forMs: number;
  /** A row is made of the samples of so long. */
  rowMs: number;
  stop: AbortSignal;
  onPace: (pace: Pace) => void;
  onRow: (row: Sample) => void;
  onCheck: (check: Check) => void;
}

/** Messages a second. */
export interface Pace {
  saturation: number;
  load: number;
}

export interface SoakReport {
  ok: boolean;
  pace: Pace;
  rows: Sample[];
  checks: Check[];
  /** The first answers that were not as they should be, and the first log lines of faults. */
  surprises: string[];
  faults: string[];
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { workspaces, stop, onPace, onCheck } = options;
  const faults: string[] = [];
  const script = await buildWorker();
  await using worker = await serveWorker(script, {
    onLog: (line) => {
      recomputes.read(line);
      if (/"status":5|"fault"/.test(line) && faults.length < MOST_FAULTS) faults.push(line);
    },
  });
  const recomputes = new Recomputes(() => worker.fireCron());
  const { senders, probe } = await makeWorkspaces(worker, workspaces, Date.now());
  using load = await Load.start({ url: worker.url, senders, probe });

  await recomputes.finish(); // the first call to the cron stops this process, too
  const saturation = await load.probe(Math.min(PROBE_MS, options.forMs / PARTS));
  const pace = { saturation, load: saturation * LOAD_SHARE };
  onPace(pace);
  const probed = await load.tally();
  load.begin(pace.load);

  const ending = AbortSignal.any([stop, AbortSignal.timeout(options.forMs)]);
  const recomputing = recomputes.repeat(Math.min(RECOMPUTE_EVERY_MS, options.forMs / PARTS), ending);
  const rows = await watch(worker, load, recomputes, options, ending);
  const { ledgers, tally, surprises } = await load.stop();
  await recomputing;
  await sleep(QUIET_MS);

  const checks: Check[] = [];
  const check = (...more: Check[]) => {
    for (const one of more) onCheck(one);
    checks.push(...more);
  };
  const keys = new Map([...senders, probe].map(({ id, key }) => [id, key]));
  check(...checkAnswers(ledgers, surprises));
  check(...checkLimits(ledgers));
  check(...(await checkCounters(worker, ledgers, (id) => keys.get(id) ?? "")));
  check(...(await checkLog(worker.database, ledgers)));
  const finished = await recomputes.finish();
  check(...(await checkRollups(worker.database)));
  check({
    name: "each run of the recompute came to its end, and the last ones left nothing",
    ok: finished && recomputes.failures.length === 0,
    figures: { runs: recomputes.runs, failures: recomputes.failures.length },
  });
  const all = emptyTally();
  for (const one of [probed, ...rows.map((row) => row.tally), tally]) addTally(all, one);
  check({
    name: "no request failed or was lost",
    ok: all.failed + all.unavailable + all.lost === 0,
    figures: { requests: all.requests, "503": all.unavailable, "5xx": all.failed, lost: all.lost },
  });
  faults.push(...recomputes.failures);
  return { ok: checks.every(({ ok }) => ok), pace, rows, checks, surprises: surprises.first, faults };
}

/** Takes samples until the end, and makes rows of them. */
async function watch(
  worker: ServedWorker,
  load: Load,
  recomputes: Recomputes,
  { rowMs, onRow }: SoakOptions,
  ending: AbortSignal,
): Promise<Sample[]> {
  const rows: Sample[] = [];
  const startedAt = performance.now();
  let [before, usedBefore] = [startedAt, await processorSeconds(worker.pid)];
  let samples: Sample[] = [];
  while (!ending.aborted) {
    await pause(SAMPLE_MS, ending);
    const tally = await load.tally();
    const [now, used] = [performance.now(), await processorSeconds(worker.pid)];
    const [workerdBytes, loadBytes] = [await residentBytes(worker.pid), await residentBytes(load.pid)];
    samples.push({
      elapsedMs: now - startedAt,
      spanMs: now - before,
      tally,
      workerdBytes,
      loadBytes,
      databaseBytes: await databaseBytes(tmpdir()),
      processorMs: (used - usedBefore) * 1_000,
      runs: recomputes.take(),
    });
    [before, usedBefore] = [now, used];
    const row = together(samples);
    if (row === null || (row.spanMs < rowMs - SAMPLE_MS / 2 && !ending.aborted)) continue;
    rows.push(row);
    if (row.spanMs >= LEAST_ROW_MS) onRow(row);
    samples = [];
  }
  return rows;
}
