/**
 * Faults that hit a share of all calls to D1 and to the objects. A seeded generator draws the calls; the kinds take
 * turns, so that all of them occur.
 */
import { type Random, randomOf } from "../../../../evals/simulator/random.ts";
import {
  D1_TIMED_OUT,
  D1_LOST,
  D1_OVERLOADED,
  D1_QUEUE_FULL,
  D1_RESET,
  D1_UPDATED,
  objectError,
  type Trip,
} from "../../support/faulty-bindings.ts";

const SLOW_MS = 100;

/** Fails before or after the work is done, or does it late. */
interface Fault {
  kind: string;
  when: "before" | "after" | "late";
  error?: Error;
}

const OF_DATABASE: Fault[] = [
  { kind: "D1 lost before", when: "before", error: new Error(D1_LOST) },
  { kind: "D1 lost after", when: "after", error: new Error(D1_LOST) },
  { kind: "D1 reset before", when: "before", error: new Error(D1_RESET) },
  { kind: "D1 reset after", when: "after", error: new Error(D1_RESET) },
  { kind: "D1 updated after", when: "after", error: new Error(D1_UPDATED) },
  { kind: "D1 overloaded", when: "before", error: new Error(D1_OVERLOADED) },
  { kind: "D1 queue full", when: "before", error: new Error(D1_QUEUE_FULL) },
  { kind: "D1 timed out before", when: "before", error: new Error(D1_TIMED_OUT) },
  { kind: "D1 timed out after", when: "after", error: new Error(D1_TIMED_OUT) },
  { kind: "D1 slow", when: "late" },
];

const LOST = objectError("Network connection lost.", { retryable: true });
const OVERLOADED = "Durable Object is overloaded. Requests queued for too long.";
const ONLY_OVERLOADED = objectError(OVERLOADED, { overloaded: true });
const RETRYABLE = objectError(OVERLOADED, { retryable: true, overloaded: true });
const RESET = objectError("Internal error in Durable Object storage caused object to be reset.", {});

const OF_OBJECT: Fault[] = [
  { kind: "object lost before", when: "before", error: LOST },
  { kind: "object lost after", when: "after", error: LOST },
  { kind: "object overloaded", when: "before", error: ONLY_OVERLOADED },
  { kind: "object overloaded, marked as retryable", when: "before", error: RETRYABLE },
  { kind: "object reset before", when: "before", error: RESET },
  { kind: "object reset after", when: "after", error: RESET },
  { kind: "object slow", when: "late" },
];

export interface FaultSettings {
  /** The share of calls that meet a fault, from 0 to 1. */
  rate: number;
  seed: number;
}

export class DrawnFaults {
  readonly #rate: number;
  readonly #random: Random;
  readonly #counts = new Map([...OF_DATABASE, ...OF_OBJECT].map(({ kind }) => [kind, 0]));

  constructor({ rate, seed }: FaultSettings) {
    this.#rate = rate;
    this.#random = randomOf(`faults ${seed}`);
  }

  readonly ofDatabase = this.#trip(OF_DATABASE);
  readonly ofObject = this.#trip(OF_OBJECT);

  /** Returns the count of each kind of fault. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  #trip(kinds: Fault[]): Trip {
    let turn = 0;
    return async (run) => {
      if (this.#random() >= this.#rate) return run();
      const fault = kinds[turn++ % kinds.length];
      return fault === undefined ? run() : this.#meet(fault, run);
    };
  }

  async #meet<T>(fault: Fault, run: () => Promise<T>): Promise<T> {
    this.#counts.set(fault.kind, (this.#counts.get(fault.kind) ?? 0) + 1);
    if (fault.when === "before") throw fault.error;
    if (fault.when === "late") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const done = await run();
    if (fault.when === "after") throw fault.error;
    return done;
  }
}
