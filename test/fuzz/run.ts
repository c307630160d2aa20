/** Sends cases, a number of them at a time, and judges each answer. */
import { captured, ingested } from "../../src/http/openapi/answers/ingest.ts";
import { type FuzzCase, makeCase } from "./case.ts";
import { judge, type Verdict } from "./judge/judge.ts";
import { isOdd } from "./request.ts";
import type { Outcome } from "./send/answer.ts";
import { Client } from "./send/by-client.ts";
import { sendBySocket } from "./send/by-socket.ts";
import { Tally } from "./tally.ts";
import { replaceTargets, secretTo, type Target } from "./target.ts";

const IN_FLIGHT = 16;
/** Enough to see what is wrong; a run that goes on says no more. */
const MOST_FAILURES = 20;
const REPLACE_TARGETS_EVERY = 1_000;

export interface RunOptions {
  seed: number;
  /** The number of the first case. */
  from: number;
  cases: number;
  /** Called after each case with their number so far. */
  onCase?: (done: number) => void;
}

export interface Failure {
  number: number;
  mutators: string[];
  problems: string[];
  case: FuzzCase;
  outcome: Outcome;
}

/** A case, and what came of it. */
export interface Played {
  one: FuzzCase;
  outcome: Outcome;
  verdict: Verdict;
}

export interface RunResult {
  tally: Tally;
  failures: Failure[];
  /** Messages that answers told to be stored, by the workspace's id. */
  stored: Map<string, number>;
  slowestMs: number;
}

export async function run(target: Target, { seed, from, cases, onCase }: RunOptions): Promise<RunResult> {
  const result: RunResult = { tally: new Tally(), failures: [], stored: new Map(), slowestMs: 0 };
  await using client = new Client(target.url, IN_FLIGHT);
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < from + cases && result.failures.length < MOST_FAILURES) {
      const number = next++;
      if (number % REPLACE_TARGETS_EVERY === 0) await replaceTargets(target);
      note(result, await playWith(client, target, seed, number));
      onCase?.(result.tally.cases);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return result;
}

/** One case by itself. */
export async function play(target: Target, seed: number, number: number): Promise<Played> {
  await using client = new Client(target.url, 1);
  return playWith(client, target, seed, number);
}

async function playWith(client: Client, target: Target, seed: number, number: number): Promise<Played> {
  const one = makeCase(seed, number, target.bindings);
  const { request, workspace } = one;
  const outcome = await (isOdd(request) ? sendBySocket(target.url, request) : client.send(request));
  return { one, outcome, verdict: judge(one, outcome, secretTo(target, workspace)) };
}

function note(result: RunResult, { one, outcome, verdict: { label, problems } }: Played): void {
  const { number, mutators, workspace } = one;
  result.tally.add(mutators, label);
  if (problems.length > 0) result.failures.push({ number, mutators, problems, case: one, outcome });
  if (outcome.kind !== "answered") return;
  result.slowestMs = Math.max(result.slowestMs, outcome.ms);
  const stored = outcome.answers.reduce((sum, { status, body }) => sum + (status === 200 ? storedBy(body) : 0), 0);
  result.stored.set(workspace.id, (result.stored.get(workspace.id) ?? 0) + stored);
}

/** Messages that an answer tells to be stored. */
function storedBy(body: Buffer): number {
  const answer = parse(body);
  const batch = ingested.safeParse(answer);
  if (batch.success) return batch.data.stored;
  return captured.safeParse(answer).data?.deduped === false ? 1 : 0;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
