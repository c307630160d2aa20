/** Records what a sender knows of its workspace: which messages were acknowledged, and what the answers added up to. */
import { pick, type Random } from "../../evals/simulator/random.ts";
import type { Source } from "./content.ts";

/** A request that was admitted. Times are `performance.now()`. */
export interface Admitted {
  cost: number;
  sentAt: number;
  answeredAt: number;
}

export const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** Counts messages by what happened to them. */
export interface Outcome {
  stored: number;
  duplicates: number;
  /** By code. */
  rejected: Record<string, number>;
}

export const noOutcome = (): Outcome => ({ stored: 0, duplicates: 0, rejected: {} });

export function addOutcome(sum: Outcome, { stored, duplicates, rejected }: Outcome): void {
  sum.stored += stored;
  sum.duplicates += duplicates;
  for (const [code, count] of Object.entries(rejected)) sum.rejected[code] = (sum.rejected[code] ?? 0) + count;
}

export class Ledger {
  readonly answered = noOutcome();
  /** In the order of their answers. */
  readonly admissions: Admitted[] = [];
  /** Messages that the limiter refused, over all requests. */
  refused = 0;
  readonly #next = { cdp: 0, native: 0 };
  readonly #acknowledged = { cdp: new Set<number>(), native: new Set<number>() };
  readonly #listed: Record<Source, number[]> = { cdp: [], native: [] };

  /** Messages that the limiter admitted. */
  get admitted(): number {
    return sumOf(this.admissions, ({ cost }) => cost);
  }

  /** Numbers a new message. */
  newNumber(source: Source): number {
    return this.#next[source]++;
  }

  /** Notes that an answer with status 200 covered these messages. */
  acknowledge(source: Source, numbers: readonly number[]): void {
    for (const number of numbers) {
      if (this.#acknowledged[source].has(number)) continue;
      this.#acknowledged[source].add(number);
      this.#listed[source].push(number);
    }
  }

  acknowledged(source: Source): ReadonlySet<number> {
    return this.#acknowledged[source];
  }

  wasSent(source: Source, number: number): boolean {
    return number < this.#next[source];
  }

  pickAcknowledged(random: Random, source: Source): number | null {
    const [first, ...others] = this.#listed[source].slice(-PICKED_AMONG);
    return first === undefined ? null : pick(random, [first, ...others]);
  }
}

const PICKED_AMONG = 1_000;
