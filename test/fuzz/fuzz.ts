/**
 * A whole run: sends generated requests, checks each answer, shrinks what fails, and accounts for every stored message.
 *
 * A case follows from the seed and its number, apart from keys and ids, which each run creates.
 */
import * as fc from "fast-check";

import { countStored, examine } from "./after.ts";
import { AnswerChecker, MAX_BODY_BYTES } from "./check-answer.ts";
import { mutated } from "./mutate.ts";
import { type Answer, type FuzzRequest, printAnswer, printRequest } from "./request.ts";
import { seedRequests } from "./seeds.ts";
import { type Outcome, Sender } from "./send.ts";
import { type FuzzedService, OTHER_MARK, replaceTargets, type Workspaces } from "./service.ts";

const IN_FLIGHT = 16;
/** Cases that share a seed of fast-check. Erased workspaces are replaced after them. */
const CHUNK_CASES = 1_000;
const MAX_FAILURES = 5;
const MAX_SHRINKS = 300;
/** Spreads the runs' seeds, so that seed 1 has no case of seed 2. */
const SEED_STEP = 1_000_003;

export interface FuzzOptions {
  seed: number;
  cases: number;
  /** Number of the first case. */
  from?: number;
  onCase?: (done: number) => void;
}

interface Played {
  outcome: Outcome;
  problems: string[];
}

export interface FuzzReport {
  /** Cases by status, or by how they ended without an answer. */
  outcomes: Record<string, number>;
  /** Requests whose answer was wrong, as text. */
  failures: string[];
  /** What is wrong with the service as a whole. */
  problems: string[];
}

export async function fuzz(
  service: FuzzedService,
  { seed, cases, from = 0, onCase }: FuzzOptions,
): Promise<FuzzReport> {
  const { worker, workspaces, log } = service;
  await using sender = new Sender(worker.url, IN_FLIGHT);
  const checker = new AnswerChecker(service.description);
  const before = await countStored(service);
  const linesBefore = log.lines;
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  let [stored, done] = [0, 0];

  const play = async (request: FuzzRequest): Promise<Played> => {
    const outcome = await sender.send(request);
    if (outcome.kind !== "answered") return { outcome, problems: unansweredProblems(request, outcome) };
    stored += storedBy(outcome.answer);
    return { outcome, problems: checker.problems(request, outcome.answer, secretsFor(workspaces, request)) };
  };

  for (let chunk = Math.floor(from / CHUNK_CASES); chunk * CHUNK_CASES < from + cases; chunk++) {
    await replaceTargets(worker, workspaces);
    const requests = requestsOf(service);
    const chunkSeed = (Math.imul(seed, SEED_STEP) + chunk) | 0;
    const end = Math.min(from + cases - chunk * CHUNK_CASES, CHUNK_CASES);
    const numbered = [...fc.sample(requests, { seed: chunkSeed, numRuns: end }).entries()];
    const waiting = numbered.slice(Math.max(from - chunk * CHUNK_CASES, 0));
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && failures.length < MAX_FAILURES; next = waiting.shift()) {
        const [place, request] = next;
        const { outcome, problems } = await play(request);
        const label = outcome.kind === "answered" ? String(outcome.answer.status) : outcome.kind;
        outcomes[label] = (outcomes[label] ?? 0) + 1;
        onCase?.(++done);
        if (problems.length === 0) continue;
        const smallest = await shrink(requests, { seed: chunkSeed, path: String(place) }, play);
        failures.push(failureText(chunk * CHUNK_CASES + place, smallest ?? request, { outcome, problems }));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  }

  const problems: string[] = [];
  const after = await countStored(service);
  const grown = after.rows - before.rows;
  if (grown !== stored) problems.push(`answers call ${stored} messages stored, and the database has ${grown} more`);
  if (after.counters !== after.rows) problems.push(`counters say ${after.counters}, the database has ${after.rows}`);
  problems.push(...(await examine(service, checker)), ...log.problems);
  const lines = log.lines - linesBefore;
  if (lines < done / 2) problems.push(`${done} cases left only ${lines} lines in the log`);
  return { outcomes, failures, problems };
}

/** Generates requests of all kinds. */
export const requestsOf = ({ description, workspaces }: FuzzedService): fc.Arbitrary<FuzzRequest> =>
  mutated(seedRequests(description, workspaces), workspaces);

/** Plays a case alone and in smaller forms. @returns the smallest that fails, if one does */
async function shrink(
  requests: fc.Arbitrary<FuzzRequest>,
  at: { seed: number; path: string },
  play: (request: FuzzRequest) => Promise<Played>,
): Promise<FuzzRequest | undefined> {
  let left = MAX_SHRINKS;
  const passes = async (request: FuzzRequest) => left-- <= 0 || (await play(request)).problems.length === 0;
  const result = await fc.check(fc.asyncProperty(requests, passes), { ...at, numRuns: 1 });
  return result.counterexample?.[0];
}

function unansweredProblems({ body }: FuzzRequest, outcome: Outcome): string[] {
  // The service stops reading a body that is too large, so its answer may get lost while the body is still sent.
  const isTooLarge = (body?.length ?? 0) > MAX_BODY_BYTES;
  return outcome.kind === "failed" && !isTooLarge ? [outcome.problem] : [];
}

/** Lists what the answer may not hold. A request that sends a secret may get it back. */
function secretsFor({ adminToken, wrongKeys, otherKey }: Workspaces, { headers, body }: FuzzRequest): string[] {
  const sent = JSON.stringify(headers) + (body?.toString("latin1") ?? "");
  const isOther = sent.includes(otherKey) || sent.includes(btoa(`${otherKey}:`));
  return [adminToken, ...wrongKeys, ...(isOther ? [] : [OTHER_MARK])].filter((secret) => !sent.includes(secret));
}

function storedBy({ status, body }: Answer): number {
  if (status !== 200) return 0;
  const { stored, deduped }: { stored?: unknown; deduped?: unknown } = JSON.parse(body || "{}");
  return typeof stored === "number" ? stored : deduped === false ? 1 : 0;
}

function failureText(number: number, request: FuzzRequest, { outcome, problems }: Played): string {
  const first = outcome.kind === "answered" ? printAnswer(outcome.answer) : outcome.kind;
  const parts = [printRequest(request), "── first answer", first, `── wrong: ${problems.join("; ")}`];
  return [`── case ${number}`, ...parts].join("\n");
}
