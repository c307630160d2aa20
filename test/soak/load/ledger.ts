/** What a sender knows of its workspace: of each message it sent how it ended, and what the answers added up to. */
import { type Random, wholeBetween } from "../../../evals/simulator/random.ts";
import type { Source } from "./content.ts";

/** How it ended. A byte a message is all that a long run leaves in memory. */
export const STATE = {
  unsent: 0,
  /** Under way, or sent without an answer that tells. */
  uncertain: 1,
  /** Answered with 200: it is stored. */
  acknowledged: 2,
  /** Answered with 429 and never sent again: it is not stored. */
  refused: 3,
} as const;
export type State = (typeof STATE)[keyof typeof STATE];

export interface Numbers {
  source: Source;
  numbers: readonly number[];
}

/** Messages, by what became of them. */
export interface Outcome {
  stored: number;
  duplicates: number;
  /** By code. */
  rejected: Record<string, number>;
}

export const nothing = (): Outcome => ({ stored: 0, duplicates: 0, rejected: {} });

/** Adds to the first. */
export function add(sum: Outcome, more: Outcome): void {
  sum.stored += more.stored;
  sum.duplicates += more.duplicates;
  for (const [code, count] of Object.entries(more.rejected)) sum.rejected[code] = (sum.rejected[code] ?? 0) + count;
}

/** Messages numbered from 0 in their name space. */
class States {
  #bytes = new Uint8Array(1_024);
  #next = 0;

  reserve(): number {
    if (this.#next === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#next);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#next++;
  }

  get length(): number {
    return this.#next;
  }

  of(number: number): number {
    return number < this.#next ? (this.#bytes[number] ?? STATE.unsent) : STATE.unsent;
  }

  set(number: number, state: State): void {
    this.#bytes[number] = state;
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#next);
  }
}

const TRIES = 8;

export class Ledger {
  readonly #states: Record<Source, States> = { cdp: new States(), native: new States() };
  /** What the answers said, and what they had to say. */
  readonly answered = nothing();
  readonly expected = nothing();
  /** Messages, over all requests. */
  admitted = 0;
  refused = 0;
  /** Requests that were never answered, or with 500 or 503. */
  unanswered = 0;

  /** The number of a message that was never sent. */
  reserve(source: Source): number {
    return this.#states[source].reserve();
  }

  stateOf(source: Source, number: number): number {
    return this.#states[source].of(number);
  }

  /** A message that is stored for certain; `null` where none was found. */
  pickAcknowledged(random: Random, source: Source): number | null {
    const states = this.#states[source];
    if (states.length === 0) return null;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const number = wholeBetween(random, 0, states.length - 1);
      if (states.of(number) === STATE.acknowledged) return number;
    }
    return null;
  }

  /** @returns those of which nothing was known to be stored or under way */
  begin({ source, numbers }: Numbers): Numbers {
    const states = this.#states[source];
    const own = numbers.filter((number) => states.of(number) === STATE.unsent || states.of(number) === STATE.refused);
    for (const number of own) states.set(number, STATE.uncertain);
    return { source, numbers: own };
  }

  /** Nothing of the request is stored. @param own what `begin` returned for it */
  refuse({ source, numbers }: Numbers): void {
    const states = this.#states[source];
    for (const number of numbers) if (states.of(number) === STATE.uncertain) states.set(number, STATE.refused);
  }

  lose({ source, numbers }: Numbers): void {
    const states = this.#states[source];
    for (const number of numbers) if (states.of(number) === STATE.refused) states.set(number, STATE.uncertain);
  }

  acknowledge({ source, numbers }: Numbers): void {
    for (const number of numbers) this.#states[source].set(number, STATE.acknowledged);
  }

  states(): Record<Source, Uint8Array> {
    return { cdp: this.#states.cdp.copy(), native: this.#states.native.copy() };
  }
}
