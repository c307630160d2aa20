/** Chance that can be had again: the same numbers make the same choices, on every machine. */
import * as fc from "fast-check";

const TWO_TO_32 = 4_294_967_296;
/** Each canary holds it, so that one search tells whether there is anything of a sender's at all. */
export const CANARY_MARK = "zqcanary";
const CANARY = new RegExp(`(?:${CANARY_MARK}[a-z0-9]{12}){4,}`, "g");
const LETTERS = "abcdefghijkmnopqrstuvwxyz23456789";

export class Chance {
  #state: number;

  /** @param seed of the run @param number of the case: every case has its own stretch of chance */
  constructor(seed: number, number: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
    for (let turn = 0; turn < 4; turn++) this.#next();
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    return Math.floor((this.#next() / TWO_TO_32) * bound);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    const picked = items[this.below(items.length)];
    if (picked === undefined) throw new RangeError("there is nothing to pick from");
    return picked;
  }

  /** One of them, in proportion to their weights. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
    const picked = items.find(({ weight }) => (left -= weight) < 0);
    if (picked === undefined) throw new RangeError("there is nothing to pick from");
    return picked;
  }

  /** One value of a fast-check arbitrary. */
  of<T>(arbitrary: fc.Arbitrary<T>): T {
    const [value] = fc.sample(arbitrary, { seed: this.#next() | 0, numRuns: 1 });
    if (value === undefined) throw new RangeError("the arbitrary has no value");
    return value;
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => LETTERS.charAt(this.below(LETTERS.length))).join("");
  }

  /** A long text that nobody else has: where 65 characters of it come back, a sender was echoed. */
  canary(): string {
    return Array.from({ length: this.between(5, 12) }, () => CANARY_MARK + this.letters(12)).join("");
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/** The canaries in a text, as far as they are whole. */
export const canariesIn = (text: string): string[] => text.match(CANARY) ?? [];
