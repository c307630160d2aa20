/** Delivers a write as the documentation asks of a sender: a refused one is sent again, the same, after its time. */
import * as z from "zod";

import type { Answer, Client } from "./client.ts";
import { add, type Ledger, nothing, type Outcome } from "./ledger.ts";
import type { Seat } from "./seats.ts";
import type { Asked, WindowWatch } from "./window-watch.ts";
import type { Write, Writes } from "./write.ts";

export interface Desk {
  client: Client;
  ledger: Ledger;
  watch: WindowWatch;
  seat: Seat;
  /** Ends waiting; what is under way is answered. */
  stop: AbortSignal;
  /** Told of an answer that is not as it should be. */
  surprise: (what: string) => void;
}

/** Timers of Node may fire a little early. */
const EARLY_MS = 5;

const Batch = z.object({
  stored: z.number(),
  duplicates: z.number(),
  rejected: z.array(z.object({ code: z.string() })),
});
const Native = z.object({ deduped: z.boolean() });

/** Sends them at once, and holds what is answered against what had to be. Ends early when it is stopped. */
export async function deliver(desk: Desk, { requests, expected }: Writes): Promise<void> {
  const outcomes = await Promise.all(requests.map((request) => deliverOne(desk, request)));
  const answered = nothing();
  for (const { outcome } of outcomes) add(answered, outcome);
  add(desk.ledger.answered, answered);
  if (outcomes.every(({ end }) => end === "answered")) {
    add(desk.ledger.expected, expected);
    if (!isSame(answered, expected)) {
      desk.surprise(`${requests[0]?.path}: ${JSON.stringify(answered)} instead of ${JSON.stringify(expected)}`);
    }
  } else {
    // Some of it was not sent to the end: what was answered is all that can be expected.
    add(desk.ledger.expected, answered);
  }
}

interface Delivered {
  /** `repeated`: answered, after an attempt of which nobody knows what became. */
  end: "answered" | "repeated" | "given up";
  outcome: Outcome;
}

async function deliverOne(desk: Desk, write: Write): Promise<Delivered> {
  const { client, ledger, watch, seat, stop } = desk;
  let refusedBefore: Asked | null = null;
  let lost = false;
  for (let begun = false; !(begun && stop.aborted); begun = true) {
    const own = ledger.begin(write.numbers);
    const asked = write.cost > 0 ? watch.send(write.cost) : null;
    const answer = await client.send(write);
    const { status } = answer;
    if (status === null || status >= 500) {
      lost = true;
      refusedBefore = null;
      ledger.unanswered += 1;
      ledger.lose(write.numbers);
      if (asked !== null) watch.lost(asked);
      await seat.rest(answer.retryAfterMs + EARLY_MS, stop);
    } else if (status === 429) {
      if (asked === null) desk.surprise(`refused without being charged: ${write.path}`);
      else watch.refused(asked, refusedBefore);
      refusedBefore = asked;
      ledger.refused += write.cost;
      if (!lost) ledger.refuse(own);
      await seat.rest(answer.retryAfterMs + EARLY_MS, stop);
    } else {
      if (asked !== null) watch.admitted(asked, refusedBefore);
      ledger.admitted += write.cost;
      client.admitted(write.cost);
      return { end: lost ? "repeated" : "answered", outcome: settle(desk, write, answer) };
    }
  }
  return { end: "given up", outcome: nothing() };
}

/** Reads the answer into the ledger. */
function settle({ ledger, surprise }: Desk, write: Write, { status, body, text }: Answer): Outcome {
  if (status !== write.status) surprise(`${write.path}: ${status} instead of ${write.status}: ${text}`);
  const outcome = nothing();
  if (status === 200) {
    ledger.acknowledge(write.numbers);
    const batch = Batch.safeParse(body).data;
    const native = Native.safeParse(body).data;
    if (batch !== undefined) {
      outcome.stored = batch.stored;
      outcome.duplicates = batch.duplicates;
      for (const { code } of batch.rejected) outcome.rejected[code] = (outcome.rejected[code] ?? 0) + 1;
    } else if (native !== undefined) {
      outcome[native.deduped ? "duplicates" : "stored"] = 1;
    }
  } else if (text.includes('"invalid_message"')) {
    outcome.rejected["invalid_message"] = 1;
  }
  return outcome;
}

function isSame(one: Outcome, other: Outcome): boolean {
  const codes = new Set([...Object.keys(one.rejected), ...Object.keys(other.rejected)]);
  return (
    one.stored === other.stored &&
    one.duplicates === other.duplicates &&
    [...codes].every((code) => (one.rejected[code] ?? 0) === (other.rejected[code] ?? 0))
  );
}
