/** The fragments that no step has taken yet, in their order; and rules that combine those that stand together. */
import type { Filter, Show } from "../query/model.ts";
import type { Fragment, FragmentType, Of, Placed } from "./fragments.ts";
import type { Word } from "./words.ts";

export const isA = <T extends FragmentType>(piece: Placed | undefined, type: T): piece is Of<T> => piece?.type === type;
/** The name of an account or user. */
export const isSubject = (piece: Placed | undefined): piece is Of<"value"> =>
  isA(piece, "value") && (piece.dimension === "account" || piece.dimension === "user");
export const isEvent = (piece: Placed | undefined): piece is Of<"value"> =>
  isA(piece, "value") && piece.dimension === "event";
/** "active" itself: not "inactive". */
export const isActive = (piece: Placed | undefined): piece is Of<"filter"> =>
  isA(piece, "filter") && piece.filter.dimension === "active" && piece.filter.is === true;
export const asksIn = (pieces: readonly Placed[], show: Show): boolean =>
  pieces.some((piece) => isA(piece, "form") && piece.show === show);

export class Pieces {
  #left: Placed[];

  constructor(fragments: readonly Placed[]) {
    this.#left = [...fragments];
  }

  get left(): readonly Placed[] {
    return this.#left;
  }

  all<T extends FragmentType>(type: T): Of<T>[] {
    return this.#left.filter((piece): piece is Of<T> => piece.type === type);
  }

  first<T extends FragmentType>(type: T): Of<T> | undefined {
    return this.all(type)[0];
  }

  /** Whether a form of the question is of this kind. */
  asks(show: Show): boolean {
    return asksIn(this.#left, show);
  }

  has(type: FragmentType): boolean {
    return this.#left.some((piece) => piece.type === type);
  }

  after(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) + 1];
  }

  before(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) - 1];
  }

  take(...pieces: readonly (Placed | undefined)[]): void {
    this.#left = this.#left.filter((piece) => !pieces.includes(piece));
  }

  replace(piece: Placed, by: Fragment): void {
    this.#left = this.#left.map((each) => (each === piece ? { ...by, from: piece.from, to: piece.to } : each));
  }
}

/** @returns how many pieces it takes, and what it puts there; `null` where it doesn't fit */
export type Rule = (pieces: readonly Placed[], at: number, words: readonly Word[]) => Rewritten | null;

interface Rewritten {
  count: number;
  put: readonly Fragment[];
}
export const put = (count: number, ...fragments: readonly Fragment[]): Rewritten => ({ count, put: fragments });
export const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });

/** Applies each rule in turn wherever it fits. Every rule leaves fewer pieces, or one that it no longer fits. */
export function rewrite(pieces: readonly Placed[], rules: readonly Rule[], words: readonly Word[]): Placed[] {
  let current = [...pieces];
  for (const rule of rules) {
    for (let at = 0, steps = 0; at < current.length && steps < MAX_STEPS; steps += 1) {
      const result = rule(current, at, words);
      if (result === null) {
        at += 1;
        continue;
      }
      const taken = current.slice(at, at + result.count);
      const place = { from: Math.min(...taken.map(({ from }) => from)), to: Math.max(...taken.map(({ to }) => to)) };
      current = [
        ...current.slice(0, at),
        ...result.put.map((fragment): Placed => ({ ...fragment, ...place })),
        ...current.slice(at + result.count),
      ];
      at = Math.max(0, at - 1);
    }
  }
  return current;
}

const MAX_STEPS = 1_000;

/** The words between two pieces. */
export const between = (words: readonly Word[], a: Placed, b: Placed): string[] =>
  words.slice(a.to, b.from).map(({ folded }) => folded);

export const touch = (a: Placed | undefined, b: Placed | undefined): boolean =>
  a !== undefined && b !== undefined && a.to === b.from;
