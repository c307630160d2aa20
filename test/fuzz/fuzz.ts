/** A whole run: the cases, what they left behind, and how the service is after them. */
import { residentBytes } from "../harness/process-usage.ts";
import { examine, storedIn } from "./afterwards.ts";
import { type Failure, run, type RunOptions, type RunResult } from "./run.ts";
import type { Target } from "./target.ts";
import type { Tally } from "./tally.ts";

export interface FuzzOptions extends RunOptions {
  /** So much memory workerd may take on between the half of the cases and the end; any, unless told. */
  maxGrowthMb?: number;
}

export interface FuzzReport {
  ok: boolean;
  seed: number;
  from: number;
  cases: number;
  seconds: number;
  slowestMs: number;
  tally: Tally;
  failures: Failure[];
  /** What is wrong with the service as a whole. */
  problems: string[];
  /** Of workerd, after each quarter of the cases and at the end. Of a service of somebody else's, none. */
  memoryMb: number[];
  logLines: number;
}

const QUARTERS = 4;
const BYTES_IN_MB = 1_048_576;

export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now();
  const { seed, from, cases, onCase, maxGrowthMb = Infinity } = options;
  const { own } = target;
  const before = await storedInEach(target);
  const memoryMb: number[] = [];
  const measure = async () => {
    if (own !== null) memoryMb.push(Math.round((await residentBytes(own.worker.pid)) / BYTES_IN_MB));
  };
  const result = await run(target, {
    ...options,
    onCase: (done) => {
      if (done % Math.ceil(cases / QUARTERS) === 0) void measure();
      onCase?.(done);
    },
  });
  const problems = [...miscounts(result, before, await storedInEach(target)), ...(await examine(target))];
  await measure();
  const [, half = 0] = memoryMb;
  const growthMb = (memoryMb.at(-1) ?? 0) - half;
  if (growthMb > maxGrowthMb) problems.push(`workerd has ${growthMb} MB more than after half of the cases`);
  if (own !== null) {
    problems.push(...own.log.telling.map((line) => `the log tells: ${line}`));
    if (own.log.lines < result.tally.cases / 2) problems.push(`the log has ${own.log.lines} lines only`);
  }
  const { tally, failures, slowestMs } = result;
  const seconds = (performance.now() - startedAt) / 1_000;
  const ok = failures.length === 0 && problems.length === 0;
  const logLines = own?.log.lines ?? 0;
  return { ok, seed, from, cases: tally.cases, seconds, slowestMs, tally, failures, problems, memoryMb, logLines };
}

type Counts = Map<string, { told: number; counted: number }>;

async function storedInEach(target: Target): Promise<Counts> {
  const counts: Counts = new Map();
  if (target.own === null) return counts;
  for (const { id } of target.bindings.workspaces) counts.set(id, await storedIn(target, id));
  return counts;
}

/** What answers told to be stored is what the database has more than before, no message less and none more. */
function miscounts({ stored }: RunResult, before: Counts, after: Counts): string[] {
  return [...after].flatMap(([id, { told, counted }]) => {
    const grown = counted - (before.get(id)?.counted ?? 0);
    const answered = stored.get(id) ?? 0;
    return [
      ...(grown === answered ? [] : [`${id}: answers tell of ${answered} stored messages, the database of ${grown}`]),
      ...(told === counted ? [] : [`${id}: the administration tells of ${told} messages, the database of ${counted}`]),
    ];
  });
}
