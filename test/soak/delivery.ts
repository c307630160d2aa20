/** Delivers writes as the documentation asks of a sender: after a 429 it waits for `Retry-After` and sends the same again. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import * as z from "zod";

import type { Answer, Client } from "./client.ts";
import { addOutcome, type Ledger, noOutcome, type Outcome } from "./ledger.ts";
import type { Write, Writes } from "./writes.ts";

export interface Desk {
  client: Client;
  ledger: Ledger;
  /** Ends waiting. Requests in flight are still answered. */
  stop: AbortSignal;
  /** Reports an answer that is not as it should be. */
  report: (problem: string) => void;
}

/** Node's timers may fire a little early. */
const EARLY_MS = 5;

const Batch = z.object({
  stored: z.number(),
  duplicates: z.number(),
  rejected: z.array(z.object({ code: z.string() })),
});
const Native = z.object({ deduped: z.boolean() });

/** Sends the writes at the same time, and compares what was answered with what had to be. */
export async function deliver(desk: Desk, { writes, expected }: Writes): Promise<void> {
  const outcomes = await Promise.all(writes.map((write) => deliverOne(desk, write)));
  const answered = noOutcome();
  for (const outcome of outcomes) {
    if (outcome === null) return;
    addOutcome(answered, outcome);
  }
  if (!isDeepStrictEqual(answered, expected)) {
    desk.report(`${writes[0]?.path}: ${JSON.stringify(answered)} instead of ${JSON.stringify(expected)}`);
  }
}

/** @returns `null` if the write failed, or was refused and then stopped */
async function deliverOne(desk: Desk, write: Write): Promise<Outcome | null> {
  const { client, ledger, stop } = desk;
  do {
    const sentAt = performance.now();
    const answer = await client.send(write, write.cost);
    if (answer.status === null || answer.status >= 500) {
      desk.report(`${write.path}: ${answer.status ?? "no answer"} ${answer.text}`);
      return null;
    }
    if (answer.status !== 429) {
      ledger.admissions.push({ cost: write.cost, sentAt, answeredAt: performance.now() });
      return settle(desk, write, answer);
    }
    ledger.refused += write.cost;
    await sleep(answer.retryAfterMs + EARLY_MS, undefined, { signal: stop }).catch(() => undefined);
  } while (!stop.aborted);
  return null;
}

function settle({ ledger, report }: Desk, write: Write, { status, body, text }: Answer): Outcome {
  if (status !== write.status) report(`${write.path}: ${status} instead of ${write.status}: ${text}`);
  const outcome = noOutcome();
  const batch = Batch.safeParse(body).data;
  const native = Native.safeParse(body).data;
  if (status === 200) ledger.acknowledge(write.source, write.numbers);
  if (batch !== undefined) {
    outcome.stored = batch.stored;
    outcome.duplicates = batch.duplicates;
    for (const { code } of batch.rejected) outcome.rejected[code] = (outcome.rejected[code] ?? 0) + 1;
  } else if (native !== undefined) {
    outcome[native.deduped ? "duplicates" : "stored"] = 1;
  } else if (text.includes('"invalid_message"')) {
    outcome.rejected["invalid_message"] = 1;
  }
  addOutcome(ledger.answered, outcome);
  return outcome;
}
